/** Posts for tests: a generated corpus in many scripts, and real ones where the data set is beside the project. */
import { pick, seededRandom } from "../../domain/foundation/chance.ts";
import type { IncomingPost, Reading } from "../../domain/posts/shape.ts";

const DATA = new URL("../../../shared/data/youtube_us.jsonl.gz", import.meta.url);

/** What a test's name says where the real posts are absent. */
export const REAL_POSTS = await Deno.stat(DATA).then(() => true, () => false);

interface Channel {
  channel: string;
  videos: {
    videoId: string;
    title: string;
    publishedAt: string;
    durationSec: number;
    tags: string[];
    readings: [capturedAt: string, views: number, likes: number, comments: number][];
  }[];
}

/** The first `limit` real posts; what YouTube does not tell is made up from the id, the same each time. */
export async function realPosts(limit: number): Promise<IncomingPost[]> {
  const file = await Deno.open(DATA);
  const text = await new Response(file.readable.pipeThrough(new DecompressionStream("gzip")))
    .text();
  const posts: IncomingPost[] = [];
  for (const line of text.trim().split("\n")) {
    const { channel, videos } = JSON.parse(line) as Channel;
    for (const video of videos) posts.push(realPost(channel, video));
    if (posts.length >= limit) break;
  }
  return posts.slice(0, limit);
}

function realPost(channel: string, video: Channel["videos"][number]): IncomingPost {
  const random = seededRandom(video.videoId);
  const platform = pick(random, ["youtube", "youtube", "instagram", "linkedin"] as const);
  return {
    externalId: video.videoId,
    platform,
    format: video.durationSec < 90 ? "reel" : pick(random, ["video", "image", "carousel"] as const),
    title: platform === "instagram" ? null : video.title,
    url: `https://www.youtube.com/watch?v=${video.videoId}`,
    caption: `${video.title} by ${channel}`,
    coverText: random() < 0.2 ? channel : null,
    hashtags: video.tags,
    thumbnailUrl: `https://i.ytimg.com/vi/${video.videoId}/hqdefault.jpg`,
    mediaUrls: [],
    publishedAt: utc(video.publishedAt),
    readings: video.readings.map(([capturedAt, views, likes, comments]) => ({
      ...numbers(random, views),
      likes,
      comments,
      capturedAt: utc(capturedAt),
    })),
  };
}

const PHRASES = [
  "Morning coffee in the harbour",
  "Café crème à l'été",
  "قهوة الصباح في المرفأ",
  "朝のコーヒーと港の猫",
  "Утренний кофе в гавани",
  "Ο καφές της ΟΔΟΣ",
  "काफ़ी सुबह की",
  "커피 한 잔",
  "咖啡與貓 50% off!",
  "🔥🔥 new drop 🧁",
  "𝐁𝐨𝐥𝐝 news, C++ & C#",
  "İstanbul'da ÇAY",
];
const TAGS = ["coffee", "CAFÉ", "猫", "قهوة", "кофе", "new_drop", "🔥", "50off"];

/** `length` posts that need no file: many scripts, few instants and few values, so that ties abound. */
export function madePosts(length: number, seed = "posts"): IncomingPost[] {
  const random = seededRandom(seed);
  return Array.from({ length }, (_, at): IncomingPost => {
    const platform = pick(random, ["instagram", "linkedin", "youtube"] as const);
    const publishedAt = Date.UTC(2026, 0, 1) + Math.floor(random() * 60) * 12 * 3_600_000;
    return {
      externalId: `made-${seed}-${at}`,
      platform,
      format: pick(random, ["carousel", "image", "reel", "story", "video"] as const),
      title: platform === "instagram" ? null : pick(random, PHRASES),
      url: `https://example.com/p/${at}`,
      caption: `${pick(random, PHRASES)} ${pick(random, PHRASES)}`,
      coverText: random() < 0.3 ? pick(random, PHRASES) : null,
      hashtags: TAGS.filter(() => random() < 0.3),
      thumbnailUrl: random() < 0.5 ? null : `https://example.com/p/${at}.jpg`,
      mediaUrls: random() < 0.5 ? [] : [`https://example.com/p/${at}.jpg`],
      publishedAt: new Date(publishedAt).toISOString(),
      readings: [1, 2, 3].map((day) => ({
        ...numbers(random, Math.floor(random() * 6) * 10),
        likes: Math.floor(random() * 3),
        comments: Math.floor(random() * 3),
        capturedAt: new Date(publishedAt + day * 86_400_000).toISOString(),
      })),
    };
  });
}

function numbers(
  random: () => number,
  views: number,
): Omit<Reading, "likes" | "comments" | "capturedAt"> {
  return {
    views,
    impressions: random() < 0.1 ? 0 : views * 2,
    reach: views,
    shares: Math.floor(random() * 3),
    saves: Math.floor(random() * 3),
    clicks: random() < 0.4 ? null : Math.floor(random() * 4),
  };
}

function utc(instant: string): string {
  return new Date(instant).toISOString();
}
