/** Insights: what a period brought, which posts brought it, and what works. */
import { ServiceError } from "../../../domain/foundation/errors.ts";
import {
  getComparison,
  getNewestReadings,
  getSummary,
  getTimeline,
  getWhen,
} from "../../../domain/operations/insights.ts";
import { listPosts } from "../../../domain/operations/posts.ts";
import { listAllSeries } from "../../../domain/operations/series.ts";
import type { Post } from "../../../domain/posts/shape.ts";
import { type Asked, askedOf, daysBefore, presetDays, selectionOf } from "../insights_query.ts";
import { Empty } from "../parts/chip.tsx";
import { Effects } from "../parts/effects.tsx";
import { Head, Page } from "../parts/frame.tsx";
import { HeatMap } from "../parts/heat_map.tsx";
import { daysWords, InsightsFilters } from "../parts/insights_filters.tsx";
import { Period } from "../parts/period.tsx";
import { type ListedPost, PostsTable } from "../parts/posts_table.tsx";
import type { Shown, Studio } from "../studio.ts";
import { timeWords } from "../when.ts";
import { plain } from "../words.ts";

const POSTS_A_PAGE = 12;

export async function insightsPage(studio: Studio, { error }: Shown) {
  const asked = askedOf(studio);
  try {
    return await pageOf(studio, asked, { error });
  } catch (refusal) {
    // Dates that make no period: the usual one is shown, with the words of the refusal.
    const isWrong = refusal instanceof ServiceError && refusal.code === "validationError";
    if (!isWrong || asked.preset !== null) throw refusal;
    const words = plain(refusal.message).replace(/^From:? /, "The first day ")
      .replace(/^To:? /, "The last day ").replace("`to`", "the last").replace(
        "`from`",
        "the first",
      );
    const { from, to } = asked;
    const usual = { ...asked, ...presetDays(studio) };
    return await pageOf(studio, usual, { error: words, refused: { from, to } });
  }
}

interface Refusal {
  error: string | undefined;
  /** The dates that were refused. */
  refused?: Pick<Asked, "from" | "to">;
}

async function pageOf(studio: Studio, asked: Asked, { error, refused }: Refusal) {
  const { call, now, zone } = studio;
  const { from, to, platform, metric, by, page } = asked;
  const ofPlatform = platform === undefined ? {} : { platform };
  const earlier = daysBefore(asked);
  const before = { from: earlier.from, to: earlier.to };
  const [summary, days, daysEarlier, { data, pagination }, when, comparison, series] = await Promise
    .all([
      call(getSummary, { from, to, ...ofPlatform }),
      call(getTimeline, { metric, from, to, ...ofPlatform }),
      asked.against === "previous" ? call(getTimeline, { metric, ...before, ...ofPlatform }) : null,
      call(listPosts, { ...selectionOf(asked), page, perPage: POSTS_A_PAGE }),
      call(getWhen, ofPlatform),
      call(getComparison, { by, ...ofPlatform }),
      by === "series" ? call(listAllSeries, {}) : { data: [] },
    ]);
  const posts = await withReasons(studio, data);
  const hasPosts = pagination.total > 0 || await hasAnyPost(studio);
  return (
    <Page studio={studio} place="insights" title="Insights" error={error} chart>
      <Head
        title="Insights"
        text={`As of ${timeWords(now, zone)} · ${daysWords(from, to)}, full days in UTC`}
      />
      {hasPosts
        ? (
          <>
            <InsightsFilters studio={studio} asked={asked} refused={refused ?? null} />
            <Period
              studio={studio}
              asked={asked}
              summary={summary}
              now={days}
              before={daysEarlier}
            />
            <PostsTable studio={studio} asked={asked} posts={posts} pagination={pagination} />
            <HeatMap when={when} />
            <Effects
              studio={studio}
              asked={asked}
              comparison={comparison}
              names={new Map(series.data.map(({ id, name }) => [id, name]))}
            />
          </>
        )
        : (
          <Empty title="No numbers yet">
            <p>The numbers of your posts appear here once they are published and read.</p>
            {studio.about.accounts.length > 0
              ? <a class="button" href={studio.at("/create")}>Create a post</a>
              : <a class="button" href={studio.at("/settings/accounts")}>Connect an account</a>}
          </Empty>
        )}
    </Page>
  );
}

/** The posts with their newest readings, in which missing numbers have reasons. */
async function withReasons({ call }: Studio, posts: Post[]): Promise<ListedPost[]> {
  const { data } = await call(getNewestReadings, { ids: posts.map(({ id }) => id) });
  const readings = new Map(data.map(({ id, reading }) => [id, reading]));
  return posts.map((post) => ({
    post,
    reading: readings.get(post.id) ?? { ...post.metrics, nulls: {} },
  }));
}

async function hasAnyPost({ call }: Studio): Promise<boolean> {
  return (await call(listPosts, { perPage: 1 })).pagination.total > 0;
}
