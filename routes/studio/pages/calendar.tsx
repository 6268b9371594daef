/** The calendar: a month or a week at a glance, or a list in which many posts are chosen at once. */
import { accountChoices } from "../parts/account_field.tsx";
import { listItems } from "../../../domain/operations/calendar.ts";
import { listAllSeries } from "../../../domain/operations/series.ts";
import type { Slot } from "../../../domain/series/shape.ts";
import { SlotStatus } from "../../../domain/series/records.ts";
import {
  addressOf,
  allPostsAt,
  type CalendarQuery,
  calendarQuery,
  isFiltered,
  queryWords,
  type View,
} from "../calendar_query.ts";
import { daysAhead, likelyFor } from "../likely.ts";
import { CalendarNews } from "../parts/calendar_news.tsx";
import { Head, Page } from "../parts/frame.tsx";
import { Icon } from "../parts/icons.tsx";
import { LikelyNews, LikelyNote } from "../parts/likely.tsx";
import { Live, versionOf } from "../parts/live.tsx";
import { NewPost } from "../parts/new_post.tsx";
import { DayList } from "../parts/day_list.tsx";
import { MonthGrid } from "../parts/month.tsx";
import { nearestBetween } from "../parts/near.tsx";
import type { Shown, Studio } from "../studio.ts";
import { dayAfter, dayIn } from "../when.ts";
import { POST_STATES } from "../words.ts";

const VIEWS: Record<View, string> = { month: "Month", week: "Week", list: "List" };
/** How many posts one page of the calendar reads at most. */
const PER_PAGE = 100;
const MOST_PAGES = 5;

export async function calendarPage(studio: Studio, shown: Shown) {
  const query = calendarQuery(studio);
  const { view, status } = query;
  const version = await versionOf(studio);
  const [posts, { data: series }, nearest, likely] = await Promise.all([
    postsBetween(studio, query.from, query.to, query),
    studio.call(listAllSeries, {}),
    nearestBetween(studio, query),
    query.showsLikely ? likelyFor(studio, query) : null,
  ]);
  const state = SlotStatus.safeParse(status).data;
  const seen = state === undefined ? posts : posts.filter((post) => post.status === state);
  const parts = { studio, query, posts: seen, nearest, likely };
  return (
    <Page studio={studio} place="calendar" title="Calendar" error={shown.error} live={version}>
      <Head title="Calendar" text={query.title}>
        <Steps studio={studio} query={query} />
        <NewPost studio={studio} />
      </Head>
      <CalendarNews studio={studio} posts={posts} back={queryWords(query)} />
      <Filters studio={studio} query={query} series={series} />
      <Live id="calendar">
        {daysAhead(studio, query) === 0 ? null : <LikelyNote {...{ studio, query, likely }} />}
        {view === "list" ? null : <MonthGrid {...parts} />}
        <div class={view === "list" ? "" : "only-phone"}>
          <DayList {...parts} />
        </div>
      </Live>
    </Page>
  );
}

/** What is likely, for a page of the calendar that is shown already. */
export async function likelyPart(studio: Studio) {
  const query = calendarQuery(studio);
  const likely = await likelyFor(studio, query);
  return <LikelyNews studio={studio} query={query} likely={likely} />;
}

/** The posts of these days of the brand's zone, skipped ones included. */
export async function postsBetween(
  studio: Studio,
  from: string,
  to: string,
  { accountId, seriesId }: { accountId?: string; seriesId?: string } = {},
): Promise<Slot[]> {
  const posts: Slot[] = [];
  // A day of the zone lies within three days of UTC.
  const asked = {
    from: dayAfter(from, -1),
    to: dayAfter(to, 1),
    ...(accountId ? { accountId } : {}),
    ...(seriesId ? { seriesId } : {}),
    perPage: PER_PAGE,
  };
  for (let page = 1; page <= MOST_PAGES; page++) {
    const { data, pagination } = await studio.call(listItems, { ...asked, page });
    posts.push(...data);
    if (page >= pagination.pageCount) break;
  }
  return posts.filter(({ scheduledFor }) => {
    const day = dayIn(scheduledFor, studio.zone);
    return day >= from && day <= to;
  });
}

interface BarProps {
  studio: Studio;
  query: CalendarQuery;
}

function Steps({ studio, query }: BarProps) {
  const to = (day: string) => addressOf(studio, { ...query, day });
  const noun = query.view === "week" ? "week" : "month";
  return (
    <>
      <a
        class="button quiet"
        id="step-before"
        data-stays
        href={to(query.before)}
        aria-label={`The ${noun} before`}
      >
        <Icon name="left" />
      </a>
      <a
        class="button quiet"
        id="step-today"
        data-stays
        href={to(dayIn(studio.now, studio.zone))}
      >
        Today
      </a>
      <a
        class="button quiet"
        id="step-after"
        data-stays
        href={to(query.after)}
        aria-label={`The ${noun} after`}
      >
        <Icon name="right" />
      </a>
    </>
  );
}

function Filters(
  { studio, query, series }: BarProps & { series: { id: string; name: string }[] },
) {
  const { accounts } = studio.about;
  const select = (
    name: string,
    label: string,
    value: string,
    choices: { value: string; label: string }[],
  ) => (
    <select id={`filter-${name}`} name={name} aria-label={label} data-submits>
      <option value="">{label}</option>
      {choices.map((choice) => (
        <option value={choice.value} selected={choice.value === value}>{choice.label}</option>
      ))}
    </select>
  );
  return (
    <div class="row steer">
      <nav class="switch" aria-label="View">
        {(Object.keys(VIEWS) as View[]).map((view) => (
          <a
            id={`view-${view}`}
            data-stays
            href={addressOf(studio, { ...query, view })}
            aria-current={view === query.view ? "page" : undefined}
          >
            {VIEWS[view]}
          </a>
        ))}
      </nav>
      <form class="row filters" action={studio.at("/calendar")}>
        <input type="hidden" name="view" value={query.view} />
        <input type="hidden" name="day" value={query.day} />
        {select(
          "account",
          "All accounts",
          query.accountId,
          accountChoices(accounts),
        )}
        {select(
          "series",
          "All series",
          query.seriesId,
          series.map(({ id, name }) => ({
            value: id,
            label: name,
          })),
        )}
        {select(
          "state",
          "All states",
          query.status,
          SlotStatus.options.map((value) => ({
            value,
            label: POST_STATES[value].word,
          })),
        )}
        <button class="quiet" data-without-script>Filter</button>
        {isFiltered(query)
          ? <a class="button plain" href={allPostsAt(studio, query)}>Show all posts</a>
          : null}
      </form>
    </div>
  );
}
