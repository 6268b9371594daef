/** The one interface that every platform's connector implements, and what passes through it. */
import type { IncomingPost, Reading } from "../../posts/shape.ts";
import type { Identity, Tokens } from "../accounts.ts";
import type { Auth, PlatformClient } from "./client.ts";
import type { SeriesFormat } from "./format.ts";
import type { PlatformError } from "./wire.ts";

/** The application's credentials at a platform. */
export interface App {
  clientId: string;
  clientSecret: string;
}

/** A post as the platform lists it, before it is measured. */
export interface Found {
  post: Omit<IncomingPost, "readings">;
  /** Only this platform's `measure` reads them. */
  hints: Hints;
}

/** Facts from the listing that replace metrics the platform does not report. */
export interface Hints {
  /** The platform's own kind: `FEED`, `REELS`, `STORY`, `video`, `share`. */
  kind: string;
  /** What the platform decides by which metrics it reports, in words for people: "reels". */
  product: string;
  views?: number | undefined;
  likes?: number | undefined;
  comments?: number | undefined;
  hasLink?: boolean;
  /** YouTube: short enough for a Short. */
  mayBeShort?: boolean;
  isVideo?: boolean;
}

/** Numbers as the platform reported them; undefined where it reported none this time. */
export type Measured = {
  [Field in Exclude<keyof Reading, "capturedAt">]?: number | null | undefined;
};

/** The result of measuring one post: its numbers, or why there are none. */
export type Measurement =
  | WholeOrPart
  | { found: Found; error: Error };

interface WholeOrPart {
  found: Found;
  measured: Measured;
  /** Why some of the numbers are missing this time; null when they are complete. */
  fault: PlatformError | null;
  /** Whether the platform refuses some of the numbers. */
  isRefused: boolean;
}

interface PublishImage {
  /** The image's key in the file storage. */
  key: string;
  altText: string;
}

export interface PublishAttempt {
  /** At most one public post results from one id, however often the attempt is repeated. */
  attemptId: string;
  brandId: string;
  accountId: string;
  format: SeriesFormat;
  /** The whole public text. */
  text: string;
  images: PublishImage[];
  /** The text printed on the first image; absent or null: none. */
  coverText?: string | null;
  /** When the attempt was first claimed, ms. */
  claimedAt: number;
  /** After this instant, ms, nothing more is sent; whether the post is public is still looked up. */
  goodUntil: number;
}

/** A post on its way to a platform, its files prepared. */
export interface OutgoingPost {
  format: SeriesFormat;
  text: string;
  files: OutgoingFile[];
  claimedAt: number;
}

export interface OutgoingFile {
  /** An address from which the platform can fetch the file. */
  url: string;
  /** Reads the bytes when they are needed. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  altText: string;
}

/** What the platform has of the post so far. Stored after every step, so a crash can resume. */
export interface Progress {
  /** The files' containers (Instagram) or image URNs (LinkedIn), in order. */
  files: string[];
  /** Instagram's container of the post itself. */
  container: string | null;
  /** When the first of these was made, ms. */
  begunAt: number | null;
  /** When the irreversible call was made, ms; null once the platform is known to have refused it. */
  committedAt: number | null;
  /** How many irreversible calls were made. */
  commits: number;
}

export interface Published {
  externalPostId: string | null;
  url: string | null;
  publishedAt: string;
}

/** What a search for the post told: it is public, it is not, or nobody can tell yet. */
export type Verdict =
  | { is: "published"; post: Published }
  | { is: "absent" }
  | { is: "unseen"; message: string };

/** Stores `change` in the attempt's record before it resolves. */
export type Keep = (change: Partial<Progress>) => Promise<void>;

export interface ListOptions {
  /** Posts older than this instant may be left out, ms; null lists all. */
  since: number | null;
}

/** An account that a person has connected. */
export interface Grant {
  identity: Identity;
  tokens: Tokens;
}

export interface Connector extends Auth {
  /** How many posts one call of `measure` takes; their readings are written in one batch. */
  readonly pageSize: number;
  /** The account's posts, newest first, in pages. */
  list(client: PlatformClient, options: ListOptions): AsyncIterable<Found[]>;
  /** Reads the numbers of one page of posts. @throws PlatformError when all fail alike */
  measure(client: PlatformClient, found: Found[]): Promise<Measurement[]>;
  /** Sends what `progress` lacks, then makes the post public. */
  publish(
    client: PlatformClient,
    outgoing: OutgoingPost,
    progress: Progress,
    keep: Keep,
  ): Promise<Published>;
  /** Looks whether a `publish` with an unknown outcome made the post public. */
  reconcile(client: PlatformClient, outgoing: OutgoingPost, progress: Progress): Promise<Verdict>;
}

/** The OAuth dialogue by which a person connects an account. */
export interface SignIn {
  /** The scopes that Marquee needs. */
  readonly scopes: readonly string[];
  /**
   * Where the browser is sent.
   * @param challenge of PKCE (RFC 7636, S256), which platforms without it are not sent
   */
  authorizeUrl(redirectUri: string, state: string, challenge: string): string;
  /**
   * Exchanges a code for tokens and the scopes that were granted.
   * @param verifier the secret from which the challenge was made
   */
  exchange(
    code: string,
    redirectUri: string,
    verifier: string,
  ): Promise<{ tokens: Tokens; granted: string[] }>;
  /** The accounts that these tokens give access to. */
  identify(tokens: Tokens): Promise<Grant[]>;
  /** Ends the access that these tokens give. Absent where the platform has no call for it. */
  revoke?(tokens: Tokens): Promise<void>;
}
