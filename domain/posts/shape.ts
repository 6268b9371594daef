/** Posts and their readings: the shapes of spec 2.1 to 2.3, and posts as importers bring them. */
import { z } from "zod";

export const Platform = z.enum(["instagram", "linkedin", "youtube"]);
export type Platform = z.output<typeof Platform>;

export const PostFormat = z.enum(["carousel", "image", "reel", "story", "video"]);
export type PostFormat = z.output<typeof PostFormat>;

interface Reported {
  reach: boolean;
  saves: boolean;
  /** Clicks on a post's link: of posts of all formats, or of these. */
  clicks: boolean | readonly PostFormat[];
}

/** Which of the nullable numbers a platform reports (the description of `saves` names them, too). */
export const REPORTED: Record<Platform, Reported> = {
  instagram: { reach: true, saves: true, clicks: ["story"] },
  linkedin: { reach: true, saves: false, clicks: true },
  youtube: { reach: false, saves: false, clicks: false },
};

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

/** A reading without the engagement rate, which is computed. */
export type Reading = Omit<PostMetrics, "engagementRate">;

/** The numbers of a reading. Packed readings hold them in this order, so a new one goes to the end. */
export const READING_NUMBERS = [
  "views",
  "impressions",
  "reach",
  "likes",
  "comments",
  "shares",
  "saves",
  "clicks",
] as const satisfies (keyof Reading)[];

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
 * A post from a file or a connector, with its readings (at least one if the post is new). An
 * undefined field was not read, so the stored value stays.
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
  /** Fields that are only a guess, or were not read: a post that is stored keeps its own. */
  keeps?: readonly ("format" | "url" | "caption" | "hashtags")[] | undefined;
  /** More readings of its first 72 hours, from an export. */
  earlyReadings?: Reading[] | undefined;
}
