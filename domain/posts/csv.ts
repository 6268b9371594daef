/** Posts and readings as CSV (RFC 4180), safe to open in a spreadsheet. */
import type { Post, PostMetrics } from "./shape.ts";

type Cell = string | number | null;

/** Name of a column → its cell in a row. */
type Columns<Row> = Record<string, (row: Row) => Cell>;

/** One reading of a post. */
interface PostReading {
  post: Pick<Post, "id" | "platform">;
  metrics: PostMetrics;
}

const ofMetrics: Columns<{ metrics: PostMetrics }> = {
  views: ({ metrics }) => metrics.views,
  impressions: ({ metrics }) => metrics.impressions,
  reach: ({ metrics }) => metrics.reach,
  likes: ({ metrics }) => metrics.likes,
  comments: ({ metrics }) => metrics.comments,
  shares: ({ metrics }) => metrics.shares,
  saves: ({ metrics }) => metrics.saves,
  clicks: ({ metrics }) => metrics.clicks,
  engagementRate: ({ metrics }) => metrics.engagementRate,
};

const POST_COLUMNS: Columns<Post> = {
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
  ...ofMetrics,
  capturedAt: ({ metrics }) => metrics.capturedAt,
};

const READING_COLUMNS: Columns<PostReading> = {
  postId: ({ post }) => post.id,
  platform: ({ post }) => post.platform,
  capturedAt: ({ metrics }) => metrics.capturedAt,
  ...ofMetrics,
};

const END = "\r\n";

export const POSTS_CSV = csvOf(POST_COLUMNS);
export const READINGS_CSV = csvOf(READING_COLUMNS);

/** The header row of a table, and the line of each row. */
function csvOf<Row>(columns: Columns<Row>) {
  const cells = Object.values(columns);
  return {
    head: Object.keys(columns).join(",") + END,
    line: (row: Row): string => cells.map((cell) => field(cell(row))).join(",") + END,
  };
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
