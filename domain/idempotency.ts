/** Idempotency keys: the same request sent again gets what the first one made, and makes nothing. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { DAY } from "./calendar.ts";
import { ServiceError } from "./errors.ts";
import type { Commit, Reader } from "./kv.ts";

export const IdempotencyKey = z.string()
  .regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters without blanks")
  .describe("Makes a repeated request safe: it is answered with what the first one made.");

/** A request that bears a key. */
export interface KeyedRequest {
  brandId: string;
  /** The operation's id: two operations never share a replay. */
  operation: string;
  key: string;
  /** The validated input without the key. */
  input: unknown;
  /** Instant, ms. */
  at: number;
}

interface Recorded {
  /** Of the input's canonical JSON. */
  hash: string;
  /** What the first request made. */
  madeId: string;
  expiresAt: number;
}

const LIVES_MS = DAY;

const recordKey = ({ brandId, key }: KeyedRequest): Deno.KvKey => ["idempotency", brandId, key];

/**
 * The id of what the first request with this key made; null when this is the first.
 * @throws ServiceError `conflict` when the key came with another request
 */
export async function replayOf(from: Reader, request: KeyedRequest): Promise<string | null> {
  const recorded = await from.get<Recorded>(recordKey(request));
  if (recorded === null || recorded.expiresAt <= request.at) return null;
  if (recorded.hash === hashOf(request)) return recorded.madeId;
  throw new ServiceError(
    "conflict",
    "This Idempotency-Key was sent with another request within 24 hours; use a new one.",
  );
}

/** Remembers in `commit` what a first request made. */
export function recordMade(commit: Commit, request: KeyedRequest, madeId: string): void {
  const recorded: Recorded = {
    hash: hashOf(request),
    madeId,
    expiresAt: request.at + LIVES_MS,
  };
  // The store forgets late: the record's own instant decides.
  commit.set(recordKey(request), recorded, { expireIn: LIVES_MS });
}

function hashOf({ operation, input }: KeyedRequest): string {
  return createHash("sha256").update(canonicalJson({ operation, input })).digest("hex");
}

/** JSON with sorted names: equal for equal values. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => a < b ? -1 : 1));
  });
}
