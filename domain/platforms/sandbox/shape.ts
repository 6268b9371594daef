/** The sandbox's posts, as it stores them. */
import { SECOND } from "../../foundation/calendar.ts";

/** `text`, `article` and `document` occur on LinkedIn only. */
export type PostKind =
  | "image"
  | "carousel"
  | "reel"
  | "video"
  | "story"
  | "text"
  | "article"
  | "document";

export interface SandboxImage {
  /** LinkedIn's image URN, or the id of a child of an Instagram carousel. */
  id: string;
  /** An address; one of this service begins with `/`. */
  url: string;
  altText: string;
}

export interface SandboxPost {
  /** The platform's public id, which Marquee stores as externalPostId. */
  id: string;
  number: number;
  serial: number;
  /** Instant, ms. */
  publishedAt: number;
  kind: PostKind;
  /** The text that people read. */
  caption: string;
  /** The text that the API returns where it differs: LinkedIn's little text. */
  wireText: string | null;
  title: string | null;
  /** The address that the post links to. */
  link: string | null;
  images: SandboxImage[];
  durationSec: number | null;
  tags: string[];
  /** Whether the owner hides the likes. */
  likesHidden: boolean;
  /** Whether the owner has switched comments off. */
  commentsOff: boolean;
  /** A real video's `[instant ms, views, likes, comments]`, oldest first; null for others. */
  readings: [number, number, number, number][] | null;
}

export type NewPost = Omit<SandboxPost, "id" | "number" | "serial" | "publishedAt">;

/** Instagram and YouTube tell times without milliseconds. */
export const wholeSecond = (at: number): number => Math.floor(at / SECOND) * SECOND;
