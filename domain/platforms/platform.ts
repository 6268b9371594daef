/** The one interface that every platform's connector fills, and what passes through it. */
import type { IncomingPost, Platform, Reading } from "../posts/shape.ts";
import type { SeriesFormat } from "../series/format.ts";
import type { Identity, Tokens } from "../social.ts";
import type { Line } from "./line.ts";
import type { Classify, PlatformError, Wire, WireRequest } from "./wire.ts";

/** The application's credentials at a platform. */
export interface App {
  clientId: string;
  clientSecret: string;
}

/** A post as the platform lists it, before it is measured. */
export interface Found {
  post: Omit<IncomingPost, "readings">;
  /** What only this platform's `measure` understands. */
  hints: Hints;
}

/** Facts of the listing that stand in where a metric is not reported. */
export interface Hints {
  /** The platform's own kind: `FEED`, `REELS`, `STORY`, `video`, `share`. */
  kind: string;
  views?: number | undefined;
  likes?: number | undefined;
  comments?: number | undefined;
  hasLink?: boolean;
  isVideo?: boolean;
}

/** Numbers as the platform reported them: undefined where it did not, this time. */
export type Measured = {
  [Field in Exclude<keyof Reading, "capturedAt">]?: number | null | undefined;
};

/** How measuring one post ended: its numbers, or why there are none. */
export type Measurement =
  /** `fault`: what one of the numbers met in passing, while others are there. */
  | { found: Found; measured: Measured; fault: PlatformError | null }
  | { found: Found; error: Error };

/** What is to be made public. */
export interface Draft {
  format: SeriesFormat;
  text: string;
  files: DraftFile[];
  claimedAt: number;
}

export interface DraftFile {
  /** Where the platform can fetch it. */
  url: string;
  /** Its bytes, read when they are needed. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  altText: string;
}

/** What has happened at the platform so far: kept after every step, so that a crash resumes. */
export interface Progress {
  /** Containers (Instagram) or image URNs (LinkedIn) of the files, in order. */
  files: string[];
  /** Instagram's container of the post itself. */
  container: string | null;
  /** When the first of these was made, ms. */
  begunAt: number | null;
  /** When the irreversible call was made, ms; null when it is known not to have been taken. */
  committedAt: number | null;
  /** Irreversible calls made in all. */
  commits: number;
}

export interface Published {
  externalPostId: string | null;
  url: string | null;
  publishedAt: string;
}

/** What looking told: it is public, it is not, or that can't be seen (yet). */
export type Verdict =
  | { is: "published"; post: Published }
  | { is: "absent" }
  | { is: "unseen"; message: string };

/** Keeps `change` in the durable record before it answers. */
export type Keep = (change: Partial<Progress>) => Promise<void>;

export interface ListOptions {
  /** Posts older than this instant need not be listed, ms; null lists all. */
  since: number | null;
}

/** Who a finished sign-in lets us act for. */
export interface Grant {
  identity: Identity;
  tokens: Tokens;
}

export interface Connector {
  readonly platform: Platform;
  readonly classify: Classify;
  /** The request with the token (and what else every call bears) in it, never in its address. */
  authorize(request: WireRequest, token: string): WireRequest;
  /** Posts measured in one call of `measure`, and written in one batch. */
  readonly pageSize: number;
  /** The account's posts, newest first, in pages. */
  list(line: Line, options: ListOptions): AsyncIterable<Found[]>;
  /** The numbers of one page of posts. @throws PlatformError when all of them failed alike */
  measure(line: Line, found: Found[]): Promise<Measurement[]>;
  /** Prepares what is missing of `progress` at the platform and makes the post public. */
  publish(line: Line, draft: Draft, progress: Progress, keep: Keep): Promise<Published>;
  /** Looks whether a `publish` that ended unclear took place. */
  reconcile(line: Line, draft: Draft, progress: Progress): Promise<Verdict>;
  /** Renewed tokens, or null when they need no renewal yet. `force`: the platform refused them. */
  refresh(wire: Wire, tokens: Tokens, at: number, force: boolean): Promise<Tokens | null>;
}

/** The dialogue by which a person connects an account. */
export interface SignIn {
  /** Scopes without which we can't work. */
  readonly scopes: readonly string[];
  /** Where the browser is sent. */
  authorizeUrl(redirectUri: string, state: string): string;
  /** Code → tokens and the scopes that were granted. */
  exchange(code: string, redirectUri: string): Promise<{ tokens: Tokens; granted: string[] }>;
  /** The accounts that these tokens open. */
  identify(tokens: Tokens): Promise<Grant[]>;
}
