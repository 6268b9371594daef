/** How the local platforms differ from one another: one record each. */
import { HOUR } from "../../foundation/calendar.ts";
import type { Platform } from "../../posts/shape.ts";
import { escapeLittleText } from "./little_text.ts";
import type { PostKind } from "./shape.ts";

type KindShare = readonly [PostKind, number];

export interface SandboxTraits {
  /** How often each kind occurs in a made-up history; the shares add up to 1. */
  kinds: readonly [KindShare, ...KindShare[]];
  /** Ages of the stories that end a made-up history and are still public, ms. */
  storyAges: readonly number[];
  /** Pixels of a cover, `{width}x{height}`; of any kind that is not named: `usual`. */
  covers: Partial<Record<PostKind, string>> & { usual: string };
  /** Whether posts of every kind have a title. */
  hasTitles: boolean;
  /** The share of made-up posts with a link, apart from articles, which always have one. */
  linkShare: number;
  /** The share of made-up posts whose comments are switched off. */
  commentsOffShare: number;
  /** Of so many posts, one that is a video is shorter than three minutes; null: none is. */
  shortVideoEach: number | null;
  /** A made-up caption as the API returns it, where that differs from what people read. */
  wireText(caption: string): string | null;
  /** @param place the post's serial (5 digits) and the image's place in it (2 digits) */
  imageId(accountNumber: number, place: string): string;
  /** Whether times of publication have milliseconds. */
  hasMilliseconds: boolean;
  /** Whether handles of the real sample open a real channel. */
  hasSample: boolean;
  /** Whether a handle that begins with `member-` is a person. */
  hasMembers: boolean;
  /** Whether sign-ins have a refresh token, and whether it expires at a known time. */
  refreshToken: "none" | "expires" | "lasts";
}

const TALL = "540x960";

export const SANDBOX_TRAITS: Record<Platform, SandboxTraits> = {
  instagram: {
    kinds: [["image", 0.45], ["carousel", 0.3], ["reel", 0.25]],
    storyAges: [14 * HOUR, 5 * HOUR],
    covers: { usual: "540x675", reel: TALL, story: TALL },
    hasTitles: false,
    linkShare: 0,
    commentsOffShare: 0,
    shortVideoEach: null,
    wireText: () => null,
    // The id of a carousel's child.
    imageId: (number, place) => `17${number}${place}`,
    hasMilliseconds: false,
    hasSample: false,
    hasMembers: false,
    refreshToken: "none",
  },
  linkedin: {
    kinds: [
      ["image", 0.35],
      ["carousel", 0.2],
      ["text", 0.2],
      ["article", 0.15],
      ["document", 0.05],
      ["video", 0.05],
    ],
    storyAges: [],
    covers: { usual: "600x400" },
    hasTitles: false,
    linkShare: 0.25,
    commentsOffShare: 0,
    shortVideoEach: null,
    wireText: escapeLittleText,
    imageId: (number, place) => `urn:li:image:C4E10AQ${number}${place}`,
    hasMilliseconds: true,
    hasSample: false,
    hasMembers: true,
    refreshToken: "expires",
  },
  youtube: {
    kinds: [["video", 0.6], ["reel", 0.4]],
    storyAges: [],
    covers: { usual: "480x360" },
    hasTitles: true,
    linkShare: 0.25,
    commentsOffShare: 0.03,
    shortVideoEach: 4,
    wireText: () => null,
    imageId: (number, place) => `${number}${place}`,
    hasMilliseconds: false,
    hasSample: true,
    hasMembers: false,
    refreshToken: "lasts",
  },
};
