/** The Analytics API: what came between two days, two to three days late (PLATFORMS C.3). */
import { DAY, startOfDay } from "../../../domain/calendar.ts";
import { type Numbers, numbersAt } from "../../../domain/sandbox/growth.ts";
import { externalAccountId } from "../../../domain/sandbox/ids.ts";
import { publicPosts, type SandboxPost } from "../../../domain/sandbox/posts.ts";
import { readWorld } from "../../../domain/sandbox/world.ts";
import type { Service } from "../../../domain/service.ts";
import { json } from "../wire.ts";
import type { GoogleCall } from "./call.ts";
import { badRequest, unsupportedQuery } from "./errors.ts";

/** Whole days that are not counted yet. */
const LAG_DAYS = 2;
const MAX_FILTER_IDS = 500;
const MAX_TOP_VIDEOS = 200;

const METRICS: Record<string, (numbers: Numbers, post: SandboxPost) => number> = {
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
  const metrics = listOf(query, "metrics");
  if (metrics.length === 0) throw badRequest("Required parameter: metrics");
  const dimensions = listOf(query, "dimensions");
  if (metrics.some((name) => !(name in METRICS))) throw unsupportedQuery();
  if (dimensions.some((name) => !DIMENSIONS.includes(name))) throw unsupportedQuery();
  requireTopVideos(query, dimensions);
  const rows = await rowsOf(service, call, metrics);
  const summed = grouped(rows, dimensions);
  const sorted = sortRows(summed, query.get("sort"), [...dimensions, ...metrics]);
  const limit = Number(query.get("maxResults") ?? sorted.length);
  return json({
    kind: "youtubeAnalytics#resultTable",
    columnHeaders: [
      ...dimensions.map((name) => ({ name, columnType: "DIMENSION", dataType: "STRING" })),
      ...metrics.map((name) => ({ name, columnType: "METRIC", dataType: "INTEGER" })),
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

async function rowsOf(service: Service, call: GoogleCall, metrics: string[]): Promise<Row[]> {
  const { kv, now } = service;
  const { account, query } = call;
  const counted = startOfDay(now()) - LAG_DAYS * DAY;
  const from = dayStart(query, "startDate");
  const to = Math.min(dayStart(query, "endDate") + DAY, counted);
  if (to <= from) return [];
  const world = await readWorld(kv);
  const wanted = filteredVideos(query);
  return (await publicPosts(kv, now, account))
    .filter((post) => post.publishedAt < to && (wanted === null || wanted.has(post.id)))
    .map((post) => {
      const before = numbersAt(account, post, world, from);
      const after = numbersAt(account, post, world, to);
      return {
        video: post.id,
        creatorContentType: post.kind === "reel" ? "shorts" : "videoOnDemand",
        values: metrics.map((name) => METRICS[name]!(after, post) - METRICS[name]!(before, post)),
      };
    })
    .filter(({ values }) => values.some((value) => value !== 0));
}

/** The ids of `filters=video==a,b`, or null for all. */
function filteredVideos(query: URLSearchParams): Set<string> | null {
  const filters = query.get("filters");
  if (filters === null || filters === "") return null;
  const match = /^video==([^;]+)$/.exec(filters);
  if (match === null) throw unsupportedQuery();
  const ids = match[1]!.split(",");
  if (ids.length > MAX_FILTER_IDS) throw badRequest("Too many filter values.");
  return new Set(ids);
}

function grouped(rows: Row[], dimensions: string[]): (string | number)[][] {
  const groups = new Map<string, { names: string[]; values: number[] }>();
  for (const row of rows) {
    const names = dimensions.map((name) => row[name as "video" | "creatorContentType"]);
    const group = groups.get(names.join("\n"));
    if (group === undefined) groups.set(names.join("\n"), { names, values: [...row.values] });
    else row.values.forEach((value, at) => group.values[at]! += value);
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
  return rows.toSorted((a, b) =>
    (a[at]! < b[at]! ? -1 : a[at]! > b[at]! ? 1 : 0) * (down ? -1 : 1)
  );
}

function dayStart(query: URLSearchParams, name: string): number {
  const at = Date.parse(`${query.get(name) ?? ""}T00:00:00Z`);
  if (Number.isNaN(at)) throw badRequest(`Invalid value for ${name}: use YYYY-MM-DD.`);
  return at;
}

const listOf = (query: URLSearchParams, name: string): string[] =>
  (query.get(name) ?? "").split(",").map((item) => item.trim()).filter(Boolean);
