/** A brand's published posts of the last months, as they would have been read: for pages full of numbers. */
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import { normal, pick, seededRandom } from "../../domain/foundation/chance.ts";
import type { IncomingPost, Platform, PostFormat, Reading } from "../../domain/posts/shape.ts";

const CAPTIONS = [
  "The harbour wakes up, and so do we. First cup is at six.",
  "Three beans, three farms, one table: join us on Saturday.",
  "Rain outside, oat latte inside. What are you reading today?",
  "We roast on Tuesdays. Come by and smell for yourself.",
  "Meet Mia, who has pulled our shots for six years.",
  "Cold brew is back, twenty hours slow, two ingredients.",
  "Croissants at seven, gone by nine. You have been warned.",
  "How we dial in a new espresso, in four pictures.",
  "Der Hafen im Nebel, und ein Flat White dazu.",
  "A quiet corner, a good lamp, and no hurry at all.",
];
const TAGS = ["coffee", "harbour", "slowmorning", "barista", "croissant", "weekend"];
const FORMATS: Record<Platform, readonly PostFormat[]> = {
  instagram: ["carousel", "image", "reel", "story"],
  linkedin: ["image", "carousel", "video"],
  youtube: ["video", "reel"],
};
/** What a format and a tag truly do, so that some verdicts are certain. */
const LIFTS: Record<string, number> = {
  carousel: 0.45,
  image: -0.25,
  slowmorning: 0.35,
  weekend: -0.2,
};
const HOURS = [7, 8, 8, 9, 9, 12, 12, 17, 18, 20];
const AGES = [1, 2, 4, 8, 12, 18].map((hours) => hours * HOUR);

interface Past {
  /** Instant, ms. */
  now: number;
  posts: number;
  /** Over how many days they were published. */
  days: number;
  /** For how many days each was read. */
  readFor?: number;
  /** Addresses of pictures to choose from. */
  pictures?: readonly string[];
}

export function pastPosts({ now, posts, days, readFor = 30, pictures = [] }: Past): IncomingPost[] {
  const random = seededRandom("past");
  return Array.from({ length: posts }, (_, nth): IncomingPost => {
    const platform = pick(random, ["instagram", "instagram", "linkedin", "youtube"] as const);
    const format = pick(random, FORMATS[platform]);
    const day = Math.floor((now - DAY) / DAY) - Math.floor(nth * days / posts);
    const published = day * DAY + pick(random, HOURS) * HOUR + Math.floor(random() * 50) * 60_000;
    const hashtags = TAGS.filter(() => random() < 0.3);
    const lift = [format, ...hashtags].reduce((sum, name) => sum + (LIFTS[name] ?? 0), 0);
    const end = Math.exp(5.4 + lift + 0.35 * normal(random));
    const picture = pictures[nth % Math.max(1, pictures.length)] ?? null;
    const read = (age: number) => reading(platform, format, end, published, age);
    const aged = (age: number) => published + age <= now;
    const dailyAges = Array.from({ length: readFor }, (_, at) => (at + 1) * DAY);
    const caption = pick(random, CAPTIONS);
    return {
      externalId: `past-${nth}`,
      platform,
      format,
      title: platform === "youtube" ? caption.slice(0, 60) : null,
      url: `https://example.com/past/${nth}`,
      caption,
      hashtags,
      thumbnailUrl: picture,
      mediaUrls: picture === null ? [] : [picture],
      publishedAt: iso(published),
      readings: [Math.min(DAY, Math.max(HOUR, now - published)), ...dailyAges.slice(1)]
        .filter(aged).map(read),
      earlyReadings: AGES.filter(aged).map(read),
    };
  });
}

/** Most comes in the first two days. */
function reading(
  platform: Platform,
  format: PostFormat,
  end: number,
  published: number,
  age: number,
): Reading {
  const part = 1 - Math.exp(-Math.sqrt(age / DAY) * 1.1);
  const likes = Math.round(end * part);
  const views = Math.round(end * part * 14);
  return {
    views,
    impressions: Math.round(views * 1.3),
    reach: platform === "youtube" ? null : Math.round(views * 0.8),
    likes,
    comments: Math.round(likes * 0.12),
    shares: Math.round(likes * 0.07),
    saves: platform === "instagram" ? Math.round(likes * 0.15) : null,
    clicks: platform === "linkedin" || format === "story" ? Math.round(likes * 0.2) : null,
    capturedAt: iso(published + age),
  };
}
