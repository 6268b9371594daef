/** Today: what needs a person, the coming week, the last one, and what the autopilot has found. */
import type { z } from "zod";
import { DAY } from "../../../domain/foundation/calendar.ts";
import { listAccounts } from "../../../domain/operations/accounts.ts";
import { listItems } from "../../../domain/operations/calendar.ts";
import { createCreation } from "../../../domain/operations/creations.ts";
import { getSummary } from "../../../domain/operations/insights.ts";
import type { Summary } from "../../../domain/insights/shape.ts";
import { presetDays } from "../insights_query.ts";
import { usualWords, whole } from "../numbers.ts";
import { listPosts } from "../../../domain/operations/posts.ts";
import { listAllSeries } from "../../../domain/operations/series.ts";
import { Empty } from "../parts/chip.tsx";
import { Head, Page } from "../parts/frame.tsx";
import { Icon } from "../parts/icons.tsx";
import { Live, versionOf } from "../parts/live.tsx";
import { NewPost } from "../parts/new_post.tsx";
import { FirstSteps, readSteps } from "../parts/first_steps.tsx";
import { needsOf, NeedsYou } from "../parts/needs.tsx";
import { PlainWords } from "../parts/post_links.tsx";
import { PostTile } from "../parts/post_tile.tsx";
import type { Shown, Studio } from "../studio.ts";
import { dayAfter, dayIn, dayWords, timeWords } from "../when.ts";
import { counted } from "../words.ts";
import { postsBetween } from "./calendar.tsx";

const DAYS = 7;
/** Pictures that a screen shows at first; the others load once they are near. */
const AT_ONCE = 5;

export async function todayPage(studio: Studio, { error }: Shown) {
  const { now, zone, call } = studio;
  const today = dayIn(now, zone);
  const version = await versionOf(studio);
  const { from, to } = presetDays(studio, DAYS);
  const [coming, { data: held }, { data: accounts }, last, { data: series }, week] = await Promise
    .all([
      postsBetween(studio, today, dayAfter(today, DAYS - 1)),
      call(listItems, { status: "held", perPage: 20 }),
      call(listAccounts, {}),
      call(listPosts, { from: dayIn(now - DAYS * DAY, "UTC"), sort: "views", perPage: 5 }),
      call(listAllSeries, {}),
      call(getSummary, { from, to }),
    ]);
  const open = coming.filter(({ status }) => status !== "skipped" && status !== "published");
  const needs = needsOf(studio, held, coming, accounts);
  const steps = await readSteps(studio, {
    accounts: accounts.length,
    series: series.length,
    posts: coming.length + held.length,
  });
  const finding = series.find(({ playbook }) => playbook !== null);
  return (
    <Page studio={studio} place="today" title="Today" error={error} live={version}>
      <Head
        title={greeting(studio)}
        text={<span id="live-as-of" data-live>As of {timeWords(now, zone)}</span>}
      >
        <NewPost studio={studio} />
      </Head>
      {studio.may(createCreation) ? <FirstSteps steps={steps} /> : null}
      <Live id="needs">
        <NeedsYou needs={needs} isNew={steps.filter(({ isDone }) => isDone).length < 2} />
      </Live>
      <section class="stack" aria-labelledby="next">
        <div class="head">
          <h2 id="next">Next 7 days</h2>
          <a href={studio.at("/calendar?view=list")}>Open the calendar</a>
        </div>
        <Live id="next">
          {open.length === 0
            ? (
              <Empty title="Nothing scheduled yet">
                <p>Posts of the coming week appear here as pictures.</p>
              </Empty>
            )
            : (
              <ul class="grid">
                {open.map((post, nth) => (
                  <PostTile studio={studio} post={post} isFirst={nth < AT_ONCE} />
                ))}
              </ul>
            )}
        </Live>
      </section>
      <div class="split even">
        <LastWeek studio={studio} last={last} week={week} />
        {finding?.playbook == null ? null : (
          <section class="card" aria-labelledby="finding">
            <h2 id="finding" class="row">
              <Icon name="bulb" />
              What the autopilot has found
            </h2>
            <p dir="auto">
              <PlainWords studio={studio} words={finding.playbook.summary} />
            </p>
            <a href={studio.at(`/series/${finding.id}`)}>Its evidence, in {finding.name}</a>
          </section>
        )}
      </div>
    </Page>
  );
}

function greeting({ now, zone, brand }: Studio): string {
  const hour = Number(timeWords(now, zone).slice(0, 2));
  const part = hour < 5 ? "evening" : hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening";
  return `Good ${part}, ${brand.name}`;
}

interface LastProps {
  studio: Studio;
  last: z.output<typeof listPosts.output>;
  week: Summary;
}

function LastWeek({ studio, last: { data, pagination }, week }: LastProps) {
  const usual = usualWords(week);
  return (
    <section class="card" aria-labelledby="last">
      <header>
        <h2 id="last">Last 7 days</h2>
        {pagination.total === 0 ? null : (
          <a href={studio.at("/insights?days=7")}>
            {counted(pagination.total, "post")}, in Insights
          </a>
        )}
      </header>
      {usual === null ? null : (
        <p>
          {usual.interactions}, <b>{usual.where}</b>{" "}
          <span class="soft">(usually {usual.range} in 7 full days)</span>
        </p>
      )}
      {data.length === 0
        ? <p class="soft">Once posts are published, the ones that did best appear here.</p>
        : (
          <ul class="list">
            {data.map(({ id, title, caption, thumbnailUrl, metrics, publishedAt }) => (
              <li>
                <span class="thumb">
                  {thumbnailUrl === null
                    ? <Icon name="picture" />
                    : <img src={thumbnailUrl} alt="" loading="lazy" />}
                </span>
                <span class="grow">
                  <a class="clip2" href={studio.at(`/published/${id}`)} dir="auto">
                    {title ?? (caption === "" ? "A post without text" : caption)}
                  </a>
                  <span class="soft small">{dayWords(publishedAt, studio.zone)}</span>
                </span>
                <span class="number">
                  <b>{whole(metrics.views)}</b>
                  <span class="soft small">&nbsp;views</span>
                </span>
              </li>
            ))}
          </ul>
        )}
    </section>
  );
}
