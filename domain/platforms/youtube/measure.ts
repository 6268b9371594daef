/** A video's numbers: its live counts, and its shares from Analytics days later (PLATFORMS C.3, C.5). */
import { z } from "zod";
import { dayOf } from "../../calendar.ts";
import type { Line } from "../line.ts";
import type { Found, Measurement } from "../platform.ts";
import { address, PlatformError } from "../wire.ts";

const FIRST_DAY = "2005-01-01";
const SHARES = "shares";

const Report = z.object({
  columnHeaders: z.array(z.object({ name: z.string() })),
  rows: z.array(z.array(z.union([z.string(), z.number()]))).optional(),
});

export async function measureYouTube(
  line: Line,
  analytics: string,
  found: Found[],
): Promise<Measurement[]> {
  const { shares, fault } = await readShares(line, analytics, found);
  return found.map((one) => ({
    found: one,
    measured: {
      views: one.hints.views,
      // Thumbnail impressions are told in bulk reports only; `views` stands in for them.
      impressions: one.hints.views,
      likes: one.hints.likes,
      comments: one.hints.comments,
      shares: shares.get(one.post.externalId),
    },
    fault,
  }));
}

/** Video id → shares; without them the counts are still worth a reading. */
async function readShares(
  line: Line,
  analytics: string,
  found: Found[],
): Promise<{ shares: Map<string, number>; fault: PlatformError | null }> {
  if (line.isRetired(SHARES) || found.length === 0) return { shares: new Map(), fault: null };
  try {
    const report = await line.read({
      url: address(`${analytics}/reports`, {
        ids: "channel==MINE",
        startDate: FIRST_DAY,
        endDate: dayOf(line.service.now()),
        dimensions: "video",
        filters: `video==${found.map(({ post }) => post.externalId).join(",")}`,
        metrics: "views,shares",
        sort: "-views",
        maxResults: 200,
      }),
    }, Report);
    return { shares: columns(report), fault: null };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return { shares: new Map(), fault: line.missMetric(SHARES, ofItsOwnQuota(error)) };
  }
}

/** What Analytics throttles, by a quota of its own, holds up no other numbers. */
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
