/** The operations on what a brand's numbers mean: periods, hours, comparisons, a post's standing. */
import { readKit } from "../brands/kit.ts";
import { timeZoneOf } from "../brands/time_zone.ts";
import { reader } from "../kv/transact.ts";
import { z } from "zod";
import { notFound } from "../foundation/errors.ts";
import { compareBy, whenOf } from "../insights/compare.ts";
import { readReadings } from "../insights/history.ts";
import { summarize, timelineOf } from "../insights/periods.ts";
import { explainedNewest, ExplainedReading, explainedReadings } from "../insights/readings.ts";
import {
  CompareQuery,
  Comparison,
  Standing,
  Summary,
  SummaryQuery,
  Timeline,
  TimelineQuery,
  When,
  WhenQuery,
} from "../insights/shape.ts";
import { standingOf } from "../insights/standing.ts";
import { withEarlyReadings } from "../posts/early.ts";
import { readPosts, toPost } from "../posts/records.ts";
import type { Post } from "../posts/shape.ts";
import { readPost } from "../posts/store.ts";
import { labelsOfPosts } from "../series/published.ts";
import { postsVersion } from "../series/version.ts";
import { type Context, operation } from "./operation.ts";
import { readableBy } from "./readable.ts";

const GAINS =
  "Numbers are what all posts gained inside the period, whenever they were published. " +
  "The gain between two readings of a post is spread evenly over the time between them; what a " +
  "post had before a first reading that came more than 72 hours after publication counts for no " +
  "day. Platforms correct numbers downward at times, so a gain may be negative.";

const reads = { group: "Insights", scopes: ["postsRead"], costs: "request" } as const;

export const getSummary = operation({
  ...reads,
  id: "getInsightsSummary",
  summary: "Sum up a period, against the period before and against the brand's usual.",
  description: GAINS,
  errors: [],
  input: SummaryQuery,
  output: Summary,
  run: async ({ insights, brand }, query) => summarize(await insights.of(brand.id), query),
});

export const getTimeline = operation({
  ...reads,
  id: "getInsightsTimeline",
  summary: "Read what the brand's posts gained of a metric, day by day (UTC).",
  description: `${GAINS} The days add up to the summary's number.`,
  errors: [],
  input: TimelineQuery,
  output: Timeline,
  run: async ({ insights, brand }, query) => timelineOf(await insights.of(brand.id), query),
});

const EFFECTS = "Posts are compared by their likes, comments, shares and saves 48 hours after " +
  "publication, on a log scale, each with the brand's usual for its platform and format. The 95 % " +
  "interval is Welch's, against all other posts; fewer than 5 posts on either side have none.";

export const getWhen = operation({
  ...reads,
  id: "getInsightsWhen",
  summary: "See at which hours of the week the brand's posts do better or worse than usual.",
  description: EFFECTS,
  errors: [],
  input: WhenQuery,
  output: When,
  run: async (context, query) => {
    const table = await context.insights.of(context.brand.id);
    const timeZone = await zoneOf(context);
    return await table.result(
      `when ${query.platform} ${timeZone}`,
      () => whenOf(table, query, timeZone),
    );
  },
});

export const getComparison = operation({
  ...reads,
  id: "getInsightsComparison",
  summary:
    "Compare the brand's posts by format, hashtag, hour, weekday, platform, series or template.",
  description: `${EFFECTS} Formats are compared with the platform's usual and platforms with the ` +
    "brand's, without stories. A verdict other than `cantTell` holds among all groups of the " +
    "answer (Holm's method), so an interval beside 1 alone is not enough.",
  errors: [],
  input: CompareQuery,
  output: Comparison,
  run: compare,
});

async function zoneOf({ kv, brand }: Context): Promise<string> {
  return timeZoneOf(await readKit(reader(kv), brand.id));
}

async function compare(context: Context, query: CompareQuery): Promise<Comparison> {
  const { insights, kv, brand } = context;
  const table = await insights.of(brand.id);
  const timeZone = await zoneOf(context);
  const { by, platform } = query;
  const isLabelled = by === "series" || by === "template";
  // Read before the labels, so that a post that changes in between is read again.
  const version = isLabelled ? await postsVersion(kv, brand.id) : "";
  return await table.result(`compare ${by} ${platform} ${timeZone} ${version}`, async () => {
    const labels = isLabelled ? await labelsOfPosts(kv, brand.id, by) : new Map();
    return await compareBy(table, query, { timeZone, labels });
  });
}

export const getStanding = operation({
  ...reads,
  id: "getPostStanding",
  group: "Posts",
  summary: "Compare a post with the brand's like posts at the same age, and predict it for 7 days.",
  description:
    "Like posts have the same platform and format. Works from the first reading on, so for a post " +
    "of two hours as well.",
  errors: ["notFound"],
  input: z.object({ id: z.string() }),
  output: Standing,
  run: async ({ insights, kv, brand }, { id }) => {
    const post = await readPost(kv, brand.id, id);
    if (post === null) throw notFound("post");
    const readings = await readReadings(kv, brand.id, id);
    return await standingOf(await insights.of(brand.id), post, readings);
  },
});

/** Of which post, and up to when. */
export const ReadingsQuery = z.object({
  id: z.string(),
  asOf: z.iso.date("must be a date that exists, as yyyy-mm-dd").optional().describe(
    "Only readings up to this UTC day, yyyy-mm-dd.",
  ),
});

export const getReadings = operation({
  ...reads,
  id: "getPostReadings",
  group: "Posts",
  summary: "Read all readings of a post, with a reason for each number that is missing.",
  description: "Oldest first, as they were reported: a platform's corrections downward are kept. " +
    "Of the first 72 hours there is one each half hour, later one a UTC day. `asOf` answers what was known at the end of that UTC day.",
  errors: ["notFound"],
  input: ReadingsQuery,
  output: z.object({ data: z.array(ExplainedReading) }),
  run: async (context, query) => ({ data: (await readingsOf(context, query)).readings }),
});

/** As many posts as one page of a list has at most. */
const MOST_POSTS = 100;

/** Only people have a path to it, in Studio: everybody else reads a post's history at once. */
export const getNewestReadings = operation({
  ...reads,
  id: "getNewestReadings",
  group: "Posts",
  summary: "Read the newest readings of posts, with a reason for each number that is missing.",
  description: "Posts that the brand does not have are left out.",
  errors: [],
  input: z.object({ ids: z.array(z.string()).max(MOST_POSTS) }),
  output: z.object({ data: z.array(z.object({ id: z.string(), reading: ExplainedReading })) }),
  run: async (context, { ids }) => {
    const { insights, kv, brand, now } = context;
    const [table, posts, isReadable] = await Promise.all([
      insights.of(brand.id),
      readPosts(kv, brand.id, ids),
      readableBy(context),
    ]);
    const data = posts.filter((post) => post !== null).map((post) => {
      const row = table.rowOf(post.id);
      const circumstances = { at: now(), isConnected: isReadable(post.platform) };
      const reading = explainedNewest(
        toPost(post),
        circumstances,
        (field) => row !== undefined && table.hasEver(row, field),
      );
      return { id: post.id, reading };
    });
    return { data };
  },
});

/** A post with all its readings. @throws ServiceError `notFound` */
export async function readingsOf(
  context: Context,
  { id, asOf }: z.output<typeof ReadingsQuery>,
): Promise<{ post: Post; readings: ExplainedReading[] }> {
  const { kv, brand, now } = context;
  const found = await readPost(kv, brand.id, id);
  if (found === null) throw notFound("post");
  const [post = found] = await withEarlyReadings(kv, brand.id, [found]);
  const isConnected = (await readableBy(context))(post.platform);
  return { post, readings: explainedReadings(post, { at: now(), isConnected }, asOf) };
}
