/** What each platform takes of a post's text and shape (PLATFORMS A.6, B.5, C.6). */
import type { Platform } from "../posts/shape.ts";
import { lengthOf } from "../text.ts";
import type { PublishAttempt } from "./publishing.ts";

export interface Limits {
  /** Code points of the public text. */
  text: number;
  hashtags: number;
  /** Hashtags that we write ourselves: Instagram is reported to enforce 5 since 2026. */
  ownHashtags: number;
  mentions: number;
  /** UTF-16 units. */
  altText: number;
  carousel: { min: number; max: number };
  story: boolean;
}

/** Null: the platform takes no posts of ours. What it does not take is refused before any call. */
export const PUBLISH_LIMITS: Record<"instagram" | "linkedin", Limits> & { youtube: null } = {
  instagram: {
    text: 2_200,
    hashtags: 30,
    ownHashtags: 5,
    mentions: 20,
    altText: 1_000,
    carousel: { min: 2, max: 10 },
    story: true,
  },
  linkedin: {
    text: 3_000,
    hashtags: Infinity,
    ownHashtags: 5,
    mentions: Infinity,
    altText: 4_086,
    carousel: { min: 2, max: 20 },
    story: false,
  },
  youtube: null,
};

/** What is said where `PUBLISH_LIMITS` has null. */
export const READ_ONLY = "YouTube accounts are read-only: image posts cannot be published.";
/** What is said where a platform's `story` is false. */
export const NO_STORIES = "LinkedIn has no stories.";

/** Why the platform would refuse this post, or null. */
export function refusalOf(
  platform: Platform,
  { format, text, images }: Pick<PublishAttempt, "format" | "text" | "images">,
): string | null {
  const limits = PUBLISH_LIMITS[platform];
  if (limits === null) return READ_ONLY;
  if (format === "story") {
    if (!limits.story) return NO_STORIES;
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
