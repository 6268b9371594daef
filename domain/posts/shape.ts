/** Posts and their readings: the wire shapes of spec 2.1 to 2.3, and what importers hand in. */
import { z } from "zod";

export const Platform = z.enum(["instagram", "linkedin", "youtube"]);
export type Platform = z.output<typeof Platform>;

export const PostFormat = z.enum(["carousel", "image", "reel", "story", "video"]);
export type PostFormat = z.output<typeof PostFormat>;

const count = z.int().min(0);

export const PostMetrics = z.object({
  views: count,
  impressions: count,
  reach: count.nullable().describe(
    "Unique accounts reached. Null on platforms without an equivalent.",
  ),
  likes: count,
  comments: count,
  shares: count,
  saves: count.nullable().describe("Reported only by Instagram; null otherwise."),
  clicks: count.nullable().describe("Link clicks. Null where the post has no link."),
  engagementRate: z.number().describe(
    "A fraction (0.0786 means 7.86%): (likes + comments + shares + saves) / impressions.",
  ),
  capturedAt: z.iso.datetime().describe("When the reading was taken."),
}).meta({ id: "PostMetrics" });
export type PostMetrics = z.output<typeof PostMetrics>;

/** One reading without what we compute from it. */
export type Reading = Omit<PostMetrics, "engagementRate">;

export const Post = z.object({
  id: z.string(),
  platform: Platform,
  format: PostFormat,
  title: z.string().nullable().describe("Null where the platform has no native title."),
  url: z.url(),
  caption: z.string(),
  hashtags: z.array(z.string()).describe("Lowercase, without a leading `#`."),
  thumbnailUrl: z.url().nullable(),
  mediaUrls: z.array(z.url()).describe("Every image of the post in order, cover first."),
  publishedAt: z.iso.datetime(),
  metrics: PostMetrics.describe("The latest reading."),
}).meta({ id: "Post" });
export type Post = z.output<typeof Post>;

export const PostDetail = Post.extend({
  snapshots: z.array(PostMetrics).describe(
    "Cumulative lifetime readings, one a UTC day, oldest first.",
  ),
}).meta({ id: "PostDetail" });
export type PostDetail = z.output<typeof PostDetail>;

/**
 * A post as a file or a connector brings it, its readings with it (at least one for a new post). What
 * is undefined was not looked at: what is stored stays.
 */
export interface IncomingPost {
  externalId: string;
  platform: Platform;
  format: PostFormat;
  title: string | null;
  url: string;
  caption: string;
  /** Text on the cover image, searched by `q` but never shown. */
  coverText?: string | null | undefined;
  hashtags: string[];
  thumbnailUrl: string | null | undefined;
  mediaUrls: string[] | undefined;
  publishedAt: string;
  readings: Reading[];
}
