/** What the brand of the examples had before its story, and what it makes. */
import { DAY, iso } from "../../domain/foundation/calendar.ts";
import type { IncomingPost } from "../../domain/posts/shape.ts";
import { NOON } from "./service.ts";

/** What the brand had published before the story begins. */
const PUBLISHED: [IncomingPost["format"], string, string[]][] = [
  ["carousel", "Three beans, three mornings: how this week's harvest tastes.", [
    "coffee",
    "harvest",
  ]],
  ["image", "The harbour at six. The first batch is already cooling.", ["coffee", "harbour"]],
  ["image", "Small batch, slow roast: why we never roast more than 4 kg.", [
    "coffee",
    "smallbatch",
  ]],
  ["carousel", "From cherry to cup in six pictures.", ["harvest", "washed"]],
];

export function post(at: number): IncomingPost {
  const [format, caption, hashtags] = PUBLISHED[at % PUBLISHED.length]!;
  const publishedAt = NOON - (2 + at * 3) * DAY;
  const likes = (format === "carousel" ? 240 : 110) + 7 * (at % 5);
  const reading = (age: number, share: number) => ({
    capturedAt: iso(publishedAt + age * DAY),
    views: Math.round(likes * 12 * share),
    impressions: Math.round(likes * 14 * share),
    reach: Math.round(likes * 9 * share),
    likes: Math.round(likes * share),
    comments: Math.round(9 * share) + at % 3,
    shares: Math.round(14 * share),
    saves: Math.round(21 * share),
    clicks: null,
  });
  return {
    externalId: `1790${at}`,
    platform: "instagram",
    format,
    title: null,
    url: `https://www.instagram.com/p/lanternfold${at}/`,
    caption,
    hashtags,
    thumbnailUrl: null,
    mediaUrls: [],
    publishedAt: iso(publishedAt),
    readings: [reading(0.5, 0.45), reading(1, 0.7), reading(2, 1)],
  };
}

export const IMAGE = {
  prompt: "A cup of filter coffee on a wooden counter, steam in low morning light",
  idea: "The first cup of the day",
  aspectRatio: "portrait",
};
export const OVERLAY = { template: "lowerThird", text: "Tasting on Saturday" };
export const WEEKLY = {
  name: "Bean of the week",
  mode: "manual",
  theme: "One bean, where it grows and what it tastes of",
  format: "post",
  cadenceDays: 1,
  hourUtc: 14,
};
export const AUTOPILOT = {
  name: "A cup a day",
  mode: "autopilot",
  goal: "Bring people from the neighbourhood to our Saturday tastings",
  guidance: "Friendly, no exclamation marks.",
  formats: ["post", "carousel"],
  postsPerWeek: 3,
};
