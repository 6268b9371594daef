/** Media insights as they are since the deprecations of 2025 (PLATFORMS A.4). */
import type { Service } from "../../../domain/service/service.ts";
import { type Numbers, numbersAt } from "../../../domain/platforms/sandbox/growth.ts";
import type { SandboxPost } from "../../../domain/platforms/sandbox/shape.ts";
import { readWorld } from "../../../domain/platforms/sandbox/world.ts";
import { json } from "../wire.ts";
import { type GraphCall, requireScope } from "./call.ts";
import { badParameter, graphError, retired } from "./errors.ts";
import { ownPost } from "./media.ts";
import { type Product, refusalOf } from "./refusals.ts";

const COMMON = ["views", "reach", "shares", "total_interactions", "reposts"];
const METRICS: Record<Product, readonly string[]> = {
  FEED: [...COMMON, "likes", "comments", "saved", "follows", "profile_visits", "profile_activity"],
  REELS: [
    ...COMMON,
    "likes",
    "comments",
    "saved",
    "ig_reels_avg_watch_time",
    "ig_reels_video_view_total_time",
    "reels_skip_rate",
  ],
  STORY: [
    ...COMMON,
    "follows",
    "profile_visits",
    "profile_activity",
    "replies",
    "navigation",
    "link_clicks",
  ],
};
const RETIRED = [
  "impressions",
  "plays",
  "clips_replays_count",
  "ig_reels_aggregated_all_plays_count",
  "video_views",
  "engagement",
];
const NEEDED_VIEWERS = 5;

/** `GET /{media}/insights?metric=a,b` */
export async function readInsights(
  service: Service,
  call: GraphCall,
  id: string,
): Promise<Response> {
  const post = await ownPost(service, call, id);
  requireScope(call, "instagram_business_manage_insights");
  const product = productOf(post);
  const metrics = askedMetrics(call, product);
  await requireReported(service, product, metrics, post);
  requireLifetime(call);
  const world = await readWorld(service.kv);
  const numbers = numbersAt(call.account, post, world, service.now());
  if (product === "STORY" && numbers.reach < NEEDED_VIEWERS) {
    throw graphError({
      code: 10,
      message: "(#10) Not enough viewers for the media to show insights",
    });
  }
  // A metric without data is left out and never 0.
  const data = metrics.map((name) => ({ name, value: valueOf(name, numbers, post) }))
    .filter(({ value }) => value > 0)
    .map(({ name, value }) => ({
      name,
      period: "lifetime",
      values: [{ value }],
      title: titleOf(name),
      description: `The ${name.replaceAll("_", " ")} of the media over its lifetime.`,
      id: `${post.id}/insights/${name}/lifetime`,
    }));
  return json({ data });
}

function productOf(post: SandboxPost): Product {
  return post.kind === "story" ? "STORY" : post.kind === "reel" ? "REELS" : "FEED";
}

/** One unsupported metric fails the whole request. */
function askedMetrics({ params, version }: GraphCall, product: Product): string[] {
  const metrics = (params["metric"] ?? "").split(",").map((name) => name.trim()).filter(Boolean);
  if (metrics.length === 0) throw badParameter("The parameter metric is required");
  const known = new Set(Object.values(METRICS).flat());
  for (const [at, name] of metrics.entries()) {
    if (RETIRED.includes(name)) throw badParameter(retired(version, name));
    if (name === "crossposted_views" || name === "facebook_views") {
      throw badParameter(`The media is not shared to Facebook, so it has no ${name} metric.`);
    }
    if (!known.has(name)) throw badParameter(notAllowed(at));
    if (!METRICS[product].includes(name)) throw badParameter(unsupported(name));
  }
  return metrics;
}

/** What Meta answers for metrics that it refuses some accounts, although they are documented. */
async function requireReported(
  { kv }: Service,
  product: Product,
  metrics: string[],
  { serial }: SandboxPost,
): Promise<void> {
  const refusal = await refusalOf(kv, product, metrics, serial);
  if (refusal === null) return;
  const { metric, words } = refusal;
  throw badParameter(
    {
      product: unsupported(metric),
      allowedValues: notAllowed(metrics.indexOf(metric)),
      mediaType: `The metric ${metric} is not supported for this media type`,
      none: "Invalid parameter",
    }[words],
  );
}

const unsupported = (metric: string): string =>
  `The Media Insights API does not support the ${metric} metric for this media product type.`;

/** The list that Meta sends is long, and other metrics of the request may be in it. */
const notAllowed = (place: number): string =>
  `metric[${place}] must be one of the following values: impressions, ${
    [...new Set(Object.values(METRICS).flat())].join(", ")
  }`;

function requireLifetime({ params }: GraphCall): void {
  const period = params["period"] ?? "lifetime";
  if (period !== "lifetime") {
    throw badParameter("period[0] must be one of the following values: lifetime");
  }
}

function valueOf(name: string, numbers: Numbers, post: SandboxPost): number {
  const { views, reach, likes, comments, shares, saves, clicks } = numbers;
  const story = post.kind === "story";
  switch (name) {
    case "views":
      return views;
    case "reach":
      return reach;
    case "likes":
      return likes;
    case "comments":
    case "replies":
      return comments;
    case "shares":
      return shares;
    case "saved":
      return saves;
    case "link_clicks":
      return post.link === null ? 0 : clicks;
    case "total_interactions":
      return story ? shares + comments : likes + comments + shares + saves;
    case "reposts":
      return Math.floor(shares / 4);
    case "follows":
      return Math.floor(reach / 900);
    case "profile_visits":
    case "profile_activity":
      return Math.floor(reach / 60);
    case "navigation":
      return Math.floor(views * 0.9);
    case "ig_reels_avg_watch_time":
      return Math.floor((post.durationSec ?? 20) * 380);
    case "ig_reels_video_view_total_time":
      return Math.floor((post.durationSec ?? 20) * 380 * views);
    default:
      return Math.min(100, Math.floor(views / 50));
  }
}

function titleOf(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
