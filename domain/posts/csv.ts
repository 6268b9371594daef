/** Posts as CSV (RFC 4180), safe to open in a spreadsheet. */
import type { Post } from "./shape.ts";

type Cell = string | number | null;

const COLUMNS: Record<string, (post: Post) => Cell> = {
  id: ({ id }) => id,
  platform: ({ platform }) => platform,
  format: ({ format }) => format,
  title: ({ title }) => title,
  url: ({ url }) => url,
  caption: ({ caption }) => caption,
  hashtags: ({ hashtags }) => hashtags.join(" "),
  thumbnailUrl: ({ thumbnailUrl }) => thumbnailUrl,
  mediaUrls: ({ mediaUrls }) => mediaUrls.join(" "),
  publishedAt: ({ publishedAt }) => publishedAt,
  views: ({ metrics }) => metrics.views,
  impressions: ({ metrics }) => metrics.impressions,
  reach: ({ metrics }) => metrics.reach,
  likes: ({ metrics }) => metrics.likes,
  comments: ({ metrics }) => metrics.comments,
  shares: ({ metrics }) => metrics.shares,
  saves: ({ metrics }) => metrics.saves,
  clicks: ({ metrics }) => metrics.clicks,
  engagementRate: ({ metrics }) => metrics.engagementRate,
  capturedAt: ({ metrics }) => metrics.capturedAt,
};

const END = "\r\n";
const CELLS = Object.values(COLUMNS);

export const CSV_HEADER = Object.keys(COLUMNS).join(",") + END;

export function csvLine(post: Post): string {
  return CELLS.map((cell) => field(cell(post))).join(",") + END;
}

/**
 * What spreadsheets would run as a formula. They also take the wide forms of the signs, and skip white
 * space before them (OWASP, "CSV Injection").
 */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;
const QUOTED = /[",\r\n]/;

/** A missing number is empty, which is not 0. */
function field(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
