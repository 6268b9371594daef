/** A video's counts from the listing, and its shares from Analytics, days late (PLATFORMS C.3, C.5). */
import { z } from "zod";
import { dayOf } from "../../../foundation/calendar.ts";
import type { PlatformClient } from "../../contract/client.ts";
import type { Found, Measurement } from "../../contract/platform.ts";
import { address, PlatformError } from "../../contract/wire.ts";
import { shownAs } from "./list.ts";

const FIRST_DAY = "2005-01-01";
const SHARES = "shares";
/** What refuses: a report of a page of videos, not a single video. */
const REPORTS = "reports on 50 videos";

const Report = z.object({
  columnHeaders: z.array(z.object({ name: z.string() })),
  rows: z.array(z.array(z.union([z.string(), z.number()]))).optional(),
});

export async function measureYouTube(
  client: PlatformClient,
  analytics: string,
  found: Found[],
): Promise<Measurement[]> {
  const { shares, fault, isRefused } = await readShares(client, analytics, found);
  const shorts = fault === null && !isRefused ? await readShorts(client, analytics, found) : null;
  return found.map((one) => ({
    found: shorts === null || !shares.has(one.post.externalId) ? one : typed(one, shorts),
    measured: {
      views: one.hints.views,
      // YouTube reports thumbnail impressions only in bulk reports; `views` replaces them.
      impressions: one.hints.views,
      likes: one.hints.likes,
      comments: one.hints.comments,
      shares: shares.get(one.post.externalId),
    },
    fault,
    isRefused,
  }));
}

/** The post as what YouTube counts it: it has views, so a video that is no Short there is none. */
function typed(one: Found, shorts: Set<string>): Found {
  if (one.hints.mayBeShort !== true) return one;
  const { externalId } = one.post;
  const shown = shownAs(externalId, shorts.has(externalId));
  return { ...one, post: { ...one.post, ...shown, keeps: [] } };
}

/**
 * Which of the videos YouTube counts as Shorts; null when it doesn't tell. Asked for by a filter in
 * lower case, because a dimension beside `video` is refused to some channels
 * (https://developers.google.com/youtube/analytics/dimensions#creatorContentType).
 */
async function readShorts(
  client: PlatformClient,
  analytics: string,
  found: Found[],
): Promise<Set<string> | null> {
  const ids = found.filter(({ hints }) => hints.mayBeShort).map(({ post }) => post.externalId);
  if (ids.length === 0) return null;
  try {
    const filters = `creatorContentType==shorts;video==${ids.join(",")}`;
    const report = await client.read({ url: reportUrl(client, analytics, filters) }, Report);
    return new Set(columns(report).keys());
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    client.service.log.info("platform.untyped", {
      account: client.account.id,
      code: error.code,
      message: error.message,
    });
    return null;
  }
}

function reportUrl(client: PlatformClient, analytics: string, filters: string): string {
  return address(`${analytics}/reports`, {
    ids: "channel==MINE",
    startDate: FIRST_DAY,
    endDate: dayOf(client.service.now()),
    dimensions: "video",
    filters,
    metrics: "views,shares",
    sort: "-views",
    maxResults: 200,
  });
}

/** Video id → shares. An error here is returned, so that the counts are still stored. */
async function readShares(
  client: PlatformClient,
  analytics: string,
  found: Found[],
): Promise<{ shares: Map<string, number>; fault: PlatformError | null; isRefused: boolean }> {
  if (found.length === 0) return { shares: new Map(), fault: null, isRefused: false };
  if (client.refusals.isRetired(REPORTS, SHARES)) {
    return { shares: new Map(), fault: null, isRefused: true };
  }
  try {
    const filters = `video==${found.map(({ post }) => post.externalId).join(",")}`;
    const report = await client.read({ url: reportUrl(client, analytics, filters) }, Report);
    client.refusals.noteRead(REPORTS, SHARES);
    return { shares: columns(report), fault: null, isRefused: false };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const fault = client.missMetric(REPORTS, SHARES, ofItsOwnQuota(error));
    return { shares: new Map(), fault, isRefused: fault === null };
  }
}

/** Analytics has its own quota: when it throttles, other calls of the account still work. */
function ofItsOwnQuota(error: PlatformError): PlatformError {
  if (error.fault !== "rateLimited") return error;
  return new PlatformError("transient", error.message, { code: error.code, cause: error });
}

function columns({ columnHeaders, rows = [] }: z.output<typeof Report>): Map<string, number> {
  const video = columnHeaders.findIndex(({ name }) => name === "video");
  const shares = columnHeaders.findIndex(({ name }) => name === SHARES);
  const entries = rows.map((row) => [String(row[video]), Number(row[shares])] as const);
  return new Map(entries.filter(([, value]) => Number.isInteger(value)));
}
