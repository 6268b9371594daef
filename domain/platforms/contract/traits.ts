/** What differs between the platforms: one record each, which the compiler demands of a new one. */
import { z } from "zod";
import type { Settings } from "../../foundation/settings.ts";
import type { Platform } from "../../posts/shape.ts";
import { linkedInVersionEnd } from "../connectors/linkedin/version.ts";
import type { SeriesFormat } from "./format.ts";

export const AccountKind = z.enum(["professional", "organization", "member", "channel"]);
export type AccountKind = z.output<typeof AccountKind>;

/** Takes the place of a fact that a platform doesn't have: why not, in words for people. */
interface Refused {
  refusal: string;
}

/** What a platform takes of a post's text. */
export interface TextLimits {
  /** Code points of the whole public text. */
  characters: number;
  hashtags: number;
  /** Hashtags in a caption that Marquee writes: fewer than the platform takes read better. */
  ownHashtags: number;
  mentions: number;
  /** UTF-16 units of one image's alternative text. */
  altText: number;
}

/** Aspect ratios, width by height. */
export interface Ratios {
  feed: { narrowest: number; widest: number; words: string };
  story: number;
}

/** Image files that a platform takes as they are; Marquee makes copies of all others. */
export interface ImageRules {
  /** As sharp names them. */
  types: readonly string[];
  maxBytes: number;
  /** Pixels. Wider images are taken, but a copy is made no wider than `maxWidth`. */
  minWidth: number;
  maxWidth: number;
  maxPixels: number;
  /** Null where the platform shows every ratio. A carousel keeps the ratio of its first image. */
  ratios: Ratios | null;
}

export interface PublishRules {
  /** How many images a post of the format has. */
  formats: Record<SeriesFormat, { min: number; max: number } | Refused>;
  text: TextLimits;
  images: ImageRules;
  /** Posts that an account may publish by API in 24 hours. */
  postsEachDay: number;
}

interface PlatformTraits {
  /** As people write it. */
  name: string;
  /** The settings that are about it. */
  settings: { url: keyof Settings; version: keyof Settings; clientId: keyof Settings };
  /** When a version of its API ends, ms; null where no end is known. */
  versionEnd: ((version: string) => number) | null;
  /** The kinds of account that a brand can connect, as people call them. */
  kinds: Partial<Record<AccountKind, string>>;
  /** Whether a person must sign in again when the refresh token reaches its end. */
  signInEnds: boolean;
  /** Whether it fetches the images of a post from an address, so that the address must be public. */
  fetchesImages: boolean;
  /** How many accounts the quota for reading allows in each metrics pass, of all brands together. */
  accountsEachPass: number;
  publishing: PublishRules | Refused;
}

const MIB = 1024 * 1024;

export const TRAITS: Record<Platform, PlatformTraits> = {
  // PLATFORMS A.6
  instagram: {
    name: "Instagram",
    settings: {
      url: "INSTAGRAM_API_URL",
      version: "INSTAGRAM_API_VERSION",
      clientId: "INSTAGRAM_CLIENT_ID",
    },
    versionEnd: null,
    kinds: { professional: "Instagram" },
    signInEnds: true,
    fetchesImages: true,
    accountsEachPass: Infinity,
    publishing: {
      formats: {
        post: { min: 1, max: 1 },
        carousel: { min: 2, max: 10 },
        story: { min: 1, max: 1 },
      },
      // Instagram documents 30 hashtags; since 2026 it is reported to enforce 5.
      text: { characters: 2_200, hashtags: 30, ownHashtags: 5, mentions: 20, altText: 1_000 },
      images: {
        types: ["jpeg"],
        maxBytes: 8 * MIB,
        minWidth: 320,
        maxWidth: 1440,
        maxPixels: Infinity,
        ratios: {
          feed: { narrowest: 4 / 5, widest: 1.91, words: "from 4:5 to 1.91:1" },
          story: 9 / 16,
        },
      },
      // Documented as 50 in one place and 100 in another.
      postsEachDay: 50,
    },
  },
  // PLATFORMS B.5
  linkedin: {
    name: "LinkedIn",
    settings: {
      url: "LINKEDIN_API_URL",
      version: "LINKEDIN_API_VERSION",
      clientId: "LINKEDIN_CLIENT_ID",
    },
    versionEnd: linkedInVersionEnd,
    kinds: { organization: "LinkedIn Page", member: "LinkedIn profile" },
    signInEnds: true,
    fetchesImages: false,
    accountsEachPass: Infinity,
    publishing: {
      formats: {
        post: { min: 1, max: 1 },
        carousel: { min: 2, max: 20 },
        story: { refusal: "LinkedIn has no stories." },
      },
      text: {
        characters: 3_000,
        hashtags: Infinity,
        ownHashtags: 5,
        mentions: Infinity,
        altText: 4_086,
      },
      images: {
        types: ["jpeg", "png"],
        maxBytes: Infinity,
        minWidth: 1,
        maxWidth: Infinity,
        maxPixels: 36_152_319,
        ratios: null,
      },
      postsEachDay: 150,
    },
  },
  // PLATFORMS C.1, C.2 and C.6
  youtube: {
    name: "YouTube",
    settings: {
      url: "YOUTUBE_API_URL",
      version: "YOUTUBE_API_VERSION",
      clientId: "YOUTUBE_CLIENT_ID",
    },
    versionEnd: null,
    kinds: { channel: "YouTube" },
    signInEnds: false,
    fetchesImages: false,
    // A Google project has 10,000 units a day. A channel of 500 videos takes 114 of them in 48
    // passes: 20 for the pass that lists every video, 2 for each of the others.
    accountsEachPass: 80,
    publishing: {
      refusal: "YouTube accounts are read-only: image posts cannot be published there. Choose an " +
        "account on another platform.",
    },
  },
};
