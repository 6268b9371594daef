/** Posts of a simulated world, as a platform would show them. */
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import type { PostDetail, PostFormat } from "../../domain/posts/shape.ts";
import type { Measured, PublishedSlot } from "../../domain/series/strategist/evidence.ts";

const POST_FORMAT: Record<string, PostFormat> = {
  post: "image",
  carousel: "carousel",
  story: "story",
};

export type Choice = Pick<PublishedSlot, "direction" | "format" | "hour" | "template">;

/** A post of a world. */
export interface Post extends Choice {
  id: string;
  publishedAt: number;
  /** Log of the engagement once it has earned all it will. */
  log: number;
  /** Gets no likes, only reach. */
  isSilent: boolean;
  measured?: Measured;
}

/** The post as the platform shows it at `at`: a reading at the end of each day. */
export function detail({ id, format, publishedAt, log, isSilent }: Post, at: number): PostDetail {
  const story = format === "story";
  const lifetime = (story ? 4 : 12) * HOUR;
  const snapshots = [];
  for (let day = 1; day <= 4; day++) {
    const read = Math.floor(publishedAt / DAY) * DAY + day * DAY - HOUR / 2;
    const end = story ? Math.min(read, publishedAt + DAY) : read;
    if (end > at) break;
    const earned = Math.round(Math.exp(log) * (1 - Math.exp(-(end - publishedAt) / lifetime)));
    snapshots.push({
      views: earned * 20,
      impressions: earned * 20,
      reach: earned * 15,
      likes: isSilent ? 0 : earned,
      comments: 0,
      shares: 0,
      saves: null,
      clicks: null,
      engagementRate: 0.05,
      capturedAt: iso(end),
    });
  }
  return {
    id,
    platform: "instagram",
    format: POST_FORMAT[format] ?? "image",
    title: null,
    url: "https://instagram.example/p/1",
    caption: "",
    hashtags: [],
    thumbnailUrl: null,
    mediaUrls: [],
    publishedAt: iso(publishedAt),
    metrics: snapshots.at(-1)!,
    snapshots,
  };
}
