/** Why a platform would refuse a post, told before anything is sent to it. */
import type { Size } from "../../media/images/pixels.ts";
import { Platform } from "../../posts/shape.ts";
import { lengthOf } from "../../foundation/text.ts";
import type { SeriesFormat } from "./format.ts";
import type { PublishAttempt } from "./platform.ts";
import { type PublishRules, type TextLimits, TRAITS } from "./traits.ts";

const HASHTAG = /(?<![\p{L}\p{N}_])#[\p{L}\p{N}_]/gu;
const MENTION = /(?<![\p{L}\p{N}_])@[\p{L}\p{N}_]/gu;

/** Why nothing can be published on the platform, or null. */
export function readOnlyRefusal(platform: Platform): string | null {
  const { publishing } = TRAITS[platform];
  return "refusal" in publishing ? publishing.refusal : null;
}

/** Why nothing of this format can be published on the platform, or null. */
export function formatRefusal(platform: Platform, format: SeriesFormat): string | null {
  const { publishing } = TRAITS[platform];
  if ("refusal" in publishing) return publishing.refusal;
  const images = publishing.formats[format];
  return "refusal" in images ? images.refusal : null;
}

/** Why the platform's feed doesn't show images of this size, or null. */
export function feedRefusal(platform: Platform, { width, height }: Size): string | null {
  const rules = rulesOf(platform);
  if (rules?.images.ratios == null) return null;
  const { narrowest, widest, words } = rules.images.ratios.feed;
  const ratio = width / height;
  if (ratio >= narrowest && ratio <= widest) return null;
  return `${TRAITS[platform].name}'s feed takes aspect ratios ${words}.`;
}

/** Why the platform would refuse this post, with the cure, or null. */
export function postRefusal(
  platform: Platform,
  { format, text, images }: Pick<PublishAttempt, "format" | "text" | "images">,
): string | null {
  const { name, publishing } = TRAITS[platform];
  if ("refusal" in publishing) return publishing.refusal;
  const counts = publishing.formats[format];
  if ("refusal" in counts) return counts.refusal;
  const { min, max } = counts;
  if (images.length < min || images.length > max) {
    const range = min === max ? `${min}` : `${min} to ${max}`;
    return `A ${format} on ${name} takes ${range} image${max === 1 ? "" : "s"}, and this one has ` +
      `${images.length}.`;
  }
  // A story shows no text beside its image.
  return format === "story" ? null : textRefusal(name, publishing.text, text);
}

function textRefusal(name: string, limits: TextLimits, text: string): string | null {
  const counts = [
    { what: "characters", count: lengthOf(text), limit: limits.characters },
    { what: "hashtags", count: countOf(text, HASHTAG), limit: limits.hashtags },
    { what: "mentions", count: countOf(text, MENTION), limit: limits.mentions },
  ];
  const over = counts.find(({ count, limit }) => count > limit);
  if (over === undefined) return null;
  const { what, count, limit } = over;
  return `${name} takes at most ${limit} ${what} in a post, and this text has ${count}. Shorten ` +
    "the caption.";
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Null where the platform takes no posts. */
function rulesOf(platform: Platform): PublishRules | null {
  const { publishing } = TRAITS[platform];
  return "refusal" in publishing ? null : publishing;
}

/** The platform's limits. Where the platform is not known or takes no posts: the strictest of all. */
export function textLimitsOf(platform: Platform | null): TextLimits {
  return (platform === null ? null : rulesOf(platform)?.text) ?? strictest();
}

function strictest(): TextLimits {
  const all = Platform.options.flatMap((platform) => rulesOf(platform)?.text ?? []);
  const least = (name: keyof TextLimits) => Math.min(...all.map((limits) => limits[name]));
  return {
    characters: least("characters"),
    hashtags: least("hashtags"),
    ownHashtags: least("ownHashtags"),
    mentions: least("mentions"),
    altText: least("altText"),
  };
}

/** Cuts an alternative text to the platform's limit without cutting a character in two. */
export function altTextFor(platform: Platform, text: string): string {
  const cut = text.slice(0, rulesOf(platform)?.text.altText ?? 0);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
