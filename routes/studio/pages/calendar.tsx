/** The calendar: a month or a week at a glance, or a list in which many posts are chosen at once. */
import { accountChoices } from "../parts/account_field.tsx";
import { DAY } from "../../../domain/foundation/calendar.ts";
import { listItems } from "../../../domain/operations/calendar.ts";
import { listAllSeries } from "../../../domain/operations/series.ts";
import type { Series, Slot } from "../../../domain/series/shape.ts";
import { SlotStatus } from "../../../domain/series/records.ts";
import { calendarAt } from "../back.ts";
import { type Likely, likelyBetween } from "../likely.ts";
import { CalendarNews } from "../parts/calendar_news.tsx";
import { Head, Page } from "../parts/frame.tsx";
import { Icon } from "../parts/icons.tsx";
import { Live, versionOf } from "../parts/live.tsx";
import { NewPost } from "../parts/new_post.tsx";
import { DayList } from "../parts/day_list.tsx";
import { MonthGrid } from "../parts/month.tsx";
import { queryOf, type Shown, type Studio } from "../studio.ts";
import { dayAfter, dayIn, dayWords, mondayOf, monthWords } from "../when.ts";
import { POST_STATES } from "../words.ts";

type View = "month" | "week" | "list";
const VIEWS: Record<View, string> = { month: "Month", week: "Week", list: "List" };
/** How many posts one page of the calendar reads at most. */
const PER_PAGE = 100;
const MOST_PAGES = 5;

interface Range {
  view: View;
  /** The day that the address names; its month or week is shown. */
  day: string;
  from: string;
  to: string;
  before: string;
  after: string;
  title: string;
}

function rangeOf(studio: Studio): Range {
  const asked = queryOf(studio, "view");
  const view: View = asked === "week" || asked === "list" ? asked : "month";
  const given = queryOf(studio, "day");
  const isDay = /^20\d\d-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given));
  const day = isDay ? given : dayIn(studio.now, studio.zone);
  if (view === "week") {
    const from = mondayOf(day);
    const to = dayAfter(from, 6);
    const title = `${dayWords(`${from}T12:00Z`, "UTC")} to ${dayWords(`${to}T12:00Z`, "UTC")}`;
    return { view, day, from, to, before: dayAfter(day, -7), after: dayAfter(day, 7), title };
  }
  const first = `${day.slice(0, 8)}01`;
  const next = `${dayAfter(first, 31).slice(0, 8)}01`;
  const before = `${dayAfter(first, -1).slice(0, 8)}01`;
  const title = monthWords(`${first}T12:00Z`, "UTC");
  const lastWeek = mondayOf(dayAfter(next, -1));
  return view === "list"
    ? { view, day, from: first, to: dayAfter(next, -1), before, after: next, title }
    : { view, day, from: mondayOf(first), to: dayAfter(lastWeek, 6), before, after: next, title };
}

interface Filter {
  accountId: string;
  seriesId: string;
  status: string;
}

export async function calendarPage(studio: Studio, shown: Shown) {
  const range = rangeOf(studio);
  const filter: Filter = {
    accountId: queryOf(studio, "account"),
    seriesId: queryOf(studio, "series"),
    status: queryOf(studio, "state"),
  };
  const version = await versionOf(studio);
  const [posts, { data: series }] = await Promise.all([
    postsBetween(studio, range.from, range.to, filter),
    studio.call(listAllSeries, {}),
  ]);
  const state = SlotStatus.safeParse(filter.status).data;
  const seen = state === undefined ? posts : posts.filter(({ status }) => status === state);
  const likely = await likelyFor(studio, series, range, filter);
  const back = queryFor(range, filter);
  return (
    <Page studio={studio} place="calendar" title="Calendar" error={shown.error} live={version}>
      <Head title="Calendar" text={range.title}>
        <Steps studio={studio} range={range} filter={filter} />
        <NewPost studio={studio} />
      </Head>
      <CalendarNews studio={studio} posts={posts} back={back} />
      <Filters studio={studio} range={range} filter={filter} series={series} />
      <Live id="calendar">
        {range.view === "list" ? null : (
          <MonthGrid
            {...{ studio, likely, back, posts: seen, ...range }}
            isWeek={range.view === "week"}
          />
        )}
        <div class={range.view === "list" ? "" : "only-phone"}>
          <DayList studio={studio} posts={seen} likely={likely} back={back} />
        </div>
      </Live>
    </Page>
  );
}

/** The posts of these days of the brand's zone, skipped ones included. */
export async function postsBetween(
  studio: Studio,
  from: string,
  to: string,
  { accountId, seriesId }: Partial<Filter> = {},
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

/** What the series will add, as far as the filters show it. */
async function likelyFor(
  studio: Studio,
  all: Series[],
  range: Range,
  { accountId, seriesId, status }: Filter,
): Promise<Likely> {
  if (status !== "" && status !== "planned") return { posts: [], creditsEndOn: null };
  const series = all.filter(({ id, socialAccountId }) =>
    (seriesId === "" || id === seriesId) && (accountId === "" || socialAccountId === accountId)
  );
  return await likelyBetween(studio, series, range);
}

/** The calendar's query, by which it is found again. */
const queryFor = (
  { view, day }: { view: View; day: string },
  { accountId: account, seriesId: series, status: state }: Filter,
): string => new URLSearchParams({ view, day, account, series, state }).toString();

const addressOf = (
  studio: Studio,
  range: { view: View; day: string },
  filter: Filter,
): string => studio.at(calendarAt(queryFor(range, filter)));

interface BarProps {
  studio: Studio;
  range: Range;
  filter: Filter;
}

function Steps({ studio, range, filter }: BarProps) {
  const { view } = range;
  const to = (day: string) => addressOf(studio, { view, day }, filter);
  const noun = view === "week" ? "week" : "month";
  return (
    <>
      <a class="button quiet" href={to(range.before)} aria-label={`The ${noun} before`}>
        <Icon name="left" />
      </a>
      <a class="button quiet" href={to(dayIn(studio.now, studio.zone))}>Today</a>
      <a class="button quiet" href={to(range.after)} aria-label={`The ${noun} after`}>
        <Icon name="right" />
      </a>
    </>
  );
}

function Filters(
  { studio, range, filter, series }: BarProps & { series: { id: string; name: string }[] },
) {
  const { accounts } = studio.about;
  const select = (
    name: string,
    label: string,
    value: string,
    choices: { value: string; label: string }[],
  ) => (
    <select name={name} aria-label={label} data-submits>
      <option value="">{label}</option>
      {choices.map((choice) => (
        <option value={choice.value} selected={choice.value === value}>{choice.label}</option>
      ))}
    </select>
  );
  return (
    <div class="row">
      <nav class="switch" aria-label="View">
        {(Object.keys(VIEWS) as View[]).map((view) => (
          <a
            href={addressOf(studio, { view, day: range.day }, filter)}
            aria-current={view === range.view ? "page" : undefined}
          >
            {VIEWS[view]}
          </a>
        ))}
      </nav>
      <form class="row filters" action={studio.at("/calendar")}>
        <input type="hidden" name="view" value={range.view} />
        <input type="hidden" name="day" value={range.day} />
        {select(
          "account",
          "All accounts",
          filter.accountId,
          accountChoices(accounts),
        )}
        {select(
          "series",
          "All series",
          filter.seriesId,
          series.map(({ id, name }) => ({
            value: id,
            label: name,
          })),
        )}
        {select(
          "state",
          "All states",
          filter.status,
          SlotStatus.options.map((value) => ({
            value,
            label: POST_STATES[value].word,
          })),
        )}
        <button class="quiet" data-without-script>Filter</button>
      </form>
    </div>
  );
}

/** The coming week, for Today. */
export function comingDays(studio: Studio, days: number): [from: string, to: string] {
  return [
    dayIn(studio.now, studio.zone),
    dayIn(studio.now + (days - 1) * DAY, studio.zone),
  ];
}
