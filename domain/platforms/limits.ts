/** What each platform takes of a post's text and shape; the rest is refused before any call. */
import type { Platform } from "../posts/shape.ts";
import { lengthOf } from "../text.ts";
import type { PublishAttempt } from "./publishing.ts";

interface Limits {
  /** Code points of the public text. */
  text: number;
  hashtags: number;
  mentions: number;
  /** UTF-16 units. */
  altText: number;
  carousel: { min: number; max: number };
  story: boolean;
}

/** Null: the platform takes no posts of ours. */
export const PUBLISH_LIMITS: Record<Platform, Limits | null> = {
  instagram: {
    text: 2_200,
    hashtags: 30,
    mentions: 20,
    altText: 1_000,
    carousel: { min: 2, max: 10 },
    story: true,
  },
  linkedin: {
    text: 3_000,
    hashtags: Infinity,
    mentions: Infinity,
    altText: 4_086,
    carousel: { min: 2, max: 20 },
    story: false,
  },
  youtube: null,
};

/** Why the platform would refuse this post, or null. */
export function refusalOf(
  platform: Platform,
  { format, text, images }: Pick<PublishAttempt, "format" | "text" | "images">,
): string | null {
  const limits = PUBLISH_LIMITS[platform];
  if (limits === null) {
    return "YouTube accounts are read-only: image posts cannot be published.";
  }
  if (format === "story") {
    if (!limits.story) return "LinkedIn has no stories.";
    return images.length === 1 ? null : "A story takes one image.";
  }
  const { min, max } = format === "carousel" ? limits.carousel : { min: 1, max: 1 };
  if (images.length < min || images.length > max) {
    return `A ${format} takes ${min === max ? min : `${min} to ${max}`} images on ${platform}.`;
  }
  if (lengthOf(text) > limits.text) {
    return `The text is longer than the ${limits.text} characters that ${platform} takes.`;
  }
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  if (count(/(?<![\p{L}\p{N}_])#[\p{L}\p{N}_]/gu) > limits.hashtags) {
    return `The text has more than the ${limits.hashtags} hashtags that ${platform} takes.`;
  }
  if (count(/(?<![\p{L}\p{N}_])@[\p{L}\p{N}_]/gu) > limits.mentions) {
    return `The text has more than the ${limits.mentions} mentions that ${platform} takes.`;
  }
  return null;
}

/** Text at most as long as the platform's alternative text may be, by either way of counting. */
export function altTextFor(platform: Platform, text: string): string {
  const most = PUBLISH_LIMITS[platform]?.altText ?? 0;
  const cut = text.slice(0, most);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
