/** The Analytics API: the numbers between two days, two to three days late (PLATFORMS C.3). */
import { DAY, startOfDay } from "../../../domain/foundation/calendar.ts";
import { type Numbers, numbersAt } from "../../../domain/platforms/sandbox/growth.ts";
import { externalAccountId } from "../../../domain/platforms/sandbox/ids.ts";
import { publicPosts } from "../../../domain/platforms/sandbox/posts.ts";
import type { SandboxPost } from "../../../domain/platforms/sandbox/shape.ts";
import { readWorld } from "../../../domain/platforms/sandbox/world.ts";
import type { Service } from "../../../domain/service/service.ts";
import { json } from "../wire.ts";
import type { GoogleCall } from "./call.ts";
import { badRequest, unsupportedQuery } from "./errors.ts";

/** How many of the last days have no numbers yet. */
const LAG_DAYS = 2;
const MAX_FILTER_IDS = 500;
const MAX_TOP_VIDEOS = 200;

type Metric = (numbers: Numbers, post: SandboxPost) => number;

const METRICS: Record<string, Metric> = {
  views: ({ views }) => views,
  engagedViews: ({ views }) => Math.floor(views * 0.7),
  likes: ({ likes }) => likes,
  dislikes: ({ likes }) => Math.floor(likes / 60),
  comments: ({ comments }) => comments,
  shares: ({ shares }) => shares,
  estimatedMinutesWatched: ({ views }, { durationSec }) =>
    Math.floor(views * (durationSec ?? 0) * 0.4 / 60),
  subscribersGained: ({ views }) => Math.floor(views / 700),
};
const DIMENSIONS = ["video", "creatorContentType"];
const CONTENT_TYPES = ["shorts", "videoOnDemand", "liveStream", "story"];

interface Row {
  video: string;
  creatorContentType: string;
  values: number[];
}

/** `GET youtubeanalytics.googleapis.com/v2/reports` */
export async function queryReport(service: Service, call: GoogleCall): Promise<Response> {
  const { query, account } = call;
  const ids = query.get("ids");
  if (ids !== "channel==MINE" && ids !== `channel==${externalAccountId(account)}`) {
    throw badRequest("Invalid value for ids: use channel==MINE.");
  }
  const names = listOf(query, "metrics");
  if (names.length === 0) throw badRequest("Required parameter: metrics");
  const dimensions = listOf(query, "dimensions");
  const metrics = names.map((name) => METRICS[name] ?? unsupported());
  if (dimensions.some((name) => !DIMENSIONS.includes(name))) throw unsupportedQuery();
  requireTopVideos(query, dimensions);
  const rows = await rowsOf(service, call, metrics);
  const summed = grouped(rows, dimensions);
  const sorted = sortRows(summed, query.get("sort"), [...dimensions, ...names]);
  const limit = Number(query.get("maxResults") ?? sorted.length);
  return json({
    kind: "youtubeAnalytics#resultTable",
    columnHeaders: [
      ...dimensions.map((name) => ({ name, columnType: "DIMENSION", dataType: "STRING" })),
      ...names.map((name) => ({ name, columnType: "METRIC", dataType: "INTEGER" })),
    ],
    ...(sorted.length === 0 ? {} : { rows: sorted.slice(0, limit) }),
  });
}

/** A report by video is a top-videos report: sorted, and at most 200 rows. */
function requireTopVideos(query: URLSearchParams, dimensions: string[]): void {
  if (!dimensions.includes("video")) return;
  const most = Number(query.get("maxResults") ?? NaN);
  if (query.get("sort") === null || !(most >= 1 && most <= MAX_TOP_VIDEOS)) {
    throw unsupportedQuery();
  }
}

async function rowsOf(service: Service, call: GoogleCall, metrics: Metric[]): Promise<Row[]> {
  const { kv, now } = service;
  const { account, query } = call;
  const counted = startOfDay(now()) - LAG_DAYS * DAY;
  const from = dayStart(query, "startDate");
  const to = Math.min(dayStart(query, "endDate") + DAY, counted);
  if (to <= from) return [];
  const world = await readWorld(kv);
  const { videos: wanted, type } = filtered(query);
  return (await publicPosts(kv, now, account))
    .filter((post) => post.publishedAt < to && (wanted === null || wanted.has(post.id)))
    .map((post) => {
      const before = numbersAt(account, post, world, from);
      const after = numbersAt(account, post, world, to);
      return {
        video: post.id,
        creatorContentType: post.kind === "reel" ? "shorts" : "videoOnDemand",
        values: metrics.map((metric) => metric(after, post) - metric(before, post)),
      };
    })
    .filter(({ creatorContentType, values }) =>
      (type === null || type === creatorContentType) && values.some((value) => value !== 0)
    );
}

interface Filter {
  /** The ids of `video==a,b`; null: all. */
  videos: Set<string> | null;
  /** Of `creatorContentType==shorts`; null: all. */
  type: string | null;
}

function filtered(query: URLSearchParams): Filter {
  const filter: Filter = { videos: null, type: null };
  for (const part of (query.get("filters") ?? "").split(";").filter(Boolean)) {
    const [name, values = ""] = part.split("==");
    const ids = values.split(",");
    if (name === "video" && ids.length <= MAX_FILTER_IDS) filter.videos = new Set(ids);
    else if (name === "creatorContentType" && CONTENT_TYPES.includes(values)) filter.type = values;
    else if (name === "video") throw badRequest("Too many filter values.");
    else throw unsupportedQuery();
  }
  return filter;
}

function grouped(rows: Row[], dimensions: string[]): (string | number)[][] {
  const groups = new Map<string, { names: string[]; values: number[] }>();
  for (const row of rows) {
    const names = dimensions.map((name) => row[name as "video" | "creatorContentType"]);
    const group = groups.get(names.join("\n"));
    if (group === undefined) groups.set(names.join("\n"), { names, values: [...row.values] });
    else group.values = group.values.map((sum, at) => sum + (row.values[at] ?? 0));
  }
  return [...groups.values()].map(({ names, values }) => [...names, ...values]);
}

function sortRows(
  rows: (string | number)[][],
  sort: string | null,
  columns: string[],
): (string | number)[][] {
  if (sort === null) return rows;
  const down = sort.startsWith("-");
  const at = columns.indexOf(sort.replace(/^-/, ""));
  if (at < 0) throw unsupportedQuery();
  return rows.toSorted((a, b) => compare(a[at] ?? 0, b[at] ?? 0) * (down ? -1 : 1));
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function unsupported(): never {
  throw unsupportedQuery();
}

function dayStart(query: URLSearchParams, name: string): number {
  const at = Date.parse(`${query.get(name) ?? ""}T00:00:00Z`);
  if (Number.isNaN(at)) throw badRequest(`Invalid value for ${name}: use YYYY-MM-DD.`);
  return at;
}

const listOf = (query: URLSearchParams, name: string): string[] =>
  (query.get(name) ?? "").split(",").map((item) => item.trim()).filter(Boolean);
