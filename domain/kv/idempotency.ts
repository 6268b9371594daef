/** Idempotency keys: the same request sent again returns what the first one made, and makes nothing. */
import { z } from "zod";
import { DAY, MINUTE } from "../foundation/calendar.ts";
import { ServiceError } from "../foundation/errors.ts";
import { sha256 } from "../foundation/secrets.ts";
import { type Commit, getEach, type Reader, transact } from "./transact.ts";

export const IdempotencyKey = z.string()
  .regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters without blanks")
  .describe("Makes a repeated request safe: it is answered with what the first one made.");

/** A request with an idempotency key. */
export interface KeyedRequest {
  brandId: string;
  key: string;
  /** Of operation and input. */
  hash: string;
  /** Instant, ms. */
  at: number;
}

/**
 * @param operation the operation's id: two operations never share a replay
 * @param input the validated input without the key
 */
export async function keyedRequest(
  caller: Pick<KeyedRequest, "brandId" | "at">,
  key: string,
  operation: string,
  input: unknown,
): Promise<KeyedRequest> {
  return { ...caller, key, hash: await sha256(canonicalJson({ operation, input })) };
}

interface Recorded {
  /** Of the first request. */
  hash: string;
  /** What the first request made; empty where its whole answer is kept. */
  madeId: string;
  expiresAt: number;
  /** Only of requests whose whole answer is kept. */
  work?: Work;
}

/** A request that is being worked on, or has been answered. */
interface Work {
  /** Names the request that works; another one with the same key may not end it. */
  token: string;
  /** While it is worked on: past this instant (ms) it was cut off. Null once it is answered. */
  until: number | null;
  /** Values into which the answer is cut; null: it is too large to be kept. */
  parts: number | null;
}

const LIVES_MS = DAY;

/** What `replayOf` reads. */
export const recordKey = ({ brandId, key }: KeyedRequest): Deno.KvKey => [
  "idempotency",
  brandId,
  key,
];

/**
 * The id of what the first request with this key made; null when this is the first.
 * @throws ServiceError `conflict` when the key came with another request
 */
export async function replayOf(from: Reader, request: KeyedRequest): Promise<string | null> {
  return (await recordOf(from, request))?.madeId ?? null;
}

/** The record of the first request with this key. @throws as `replayOf` */
async function recordOf(from: Reader, request: KeyedRequest): Promise<Recorded | null> {
  const recorded = await from.get<Recorded>(recordKey(request));
  if (recorded === null || recorded.expiresAt <= request.at) return null;
  if (recorded.hash === request.hash) return recorded;
  throw new ServiceError(
    "conflict",
    "This Idempotency-Key was sent with another request within 24 hours; use a new one.",
  );
}

/** Remembers in `commit` what a first request made. */
export function recordMade(commit: Commit, request: KeyedRequest, madeId: string): void {
  const recorded: Recorded = {
    hash: request.hash,
    madeId,
    expiresAt: request.at + LIVES_MS,
  };
  // The store expires entries late, so the record's own instant decides.
  commit.set(recordKey(request), recorded, { expireIn: LIVES_MS });
}

/** Longer than any request works. */
const LONGEST_MS = 2 * MINUTE;
/** Characters of one part of an answer; a value of the store holds 64 KiB. */
const PART = 16_000;
/** Larger answers don't fit into one commit. */
const MOST_PARTS = 12;

const answerKey = ({ brandId, key }: KeyedRequest, part: number): Deno.KvKey => [
  "idempotencyAnswer",
  brandId,
  key,
  part,
];

/** `value`: the first request's answer; null `token`: nothing is to be done. */
type Begun = { token: string } | { token: null; value: unknown };

/**
 * Lets one of all requests with the same key do the work; the others get its answer.
 * @throws ServiceError `conflict` for another request, and while the first one is worked on
 */
export async function beginOnce(kv: Deno.Kv, request: KeyedRequest): Promise<Begun> {
  const token = crypto.randomUUID();
  const first = await transact(kv, async (commit) => {
    const recorded = await recordOf(commit, request);
    if (recorded !== null) return recorded;
    writeWork(commit, request, { token, until: request.at + LONGEST_MS, parts: null });
    return null;
  });
  if (first === null) return { token };
  const { work } = first;
  if (work === undefined || work.until !== null) throw atWork(work, request.at);
  if (work.parts === null) {
    throw new ServiceError(
      "conflict",
      "The first request with this Idempotency-Key was answered, but its answer was too large to " +
        "be kept. Read what it made; use a new key for another.",
    );
  }
  const keys = Array.from({ length: work.parts }, (_, part) => answerKey(request, part));
  const text = (await getEach<string>(kv, keys)).join("");
  return { token: null, value: JSON.parse(text) };
}

function atWork(work: Work | undefined, at: number): ServiceError {
  return new ServiceError(
    "conflict",
    (work?.until ?? 0) > at
      ? "The first request with this Idempotency-Key is still being worked on. Try again shortly."
      : "The first request with this Idempotency-Key was cut off, so it is not known whether it " +
        "took effect. Look, and use a new key if it did not.",
  );
}

/** Keeps the answer of the request that `beginOnce` let work. */
export function endOnce(
  kv: Deno.Kv,
  request: KeyedRequest,
  token: string,
  value: unknown,
): Promise<void> {
  const text = JSON.stringify(value ?? null);
  const count = Math.ceil(text.length / PART);
  const parts = count <= MOST_PARTS ? count : null;
  return transact(kv, async (commit) => {
    if (!(await isOwn(commit, request, token))) return;
    writeWork(commit, request, { token, until: null, parts });
    for (let part = 0; part < (parts ?? 0); part++) {
      const piece = text.slice(part * PART, (part + 1) * PART);
      commit.set(answerKey(request, part), piece, { expireIn: LIVES_MS });
    }
  });
}

/** Forgets a request that was refused, so that it can be sent again with the same key. */
export function forgetOnce(kv: Deno.Kv, request: KeyedRequest, token: string): Promise<void> {
  return transact(kv, async (commit) => {
    if (await isOwn(commit, request, token)) commit.delete(recordKey(request));
  });
}

/** Notes that nobody knows whether the request took effect. */
export function breakOnce(kv: Deno.Kv, request: KeyedRequest, token: string): Promise<void> {
  return transact(kv, async (commit) => {
    if (await isOwn(commit, request, token)) {
      writeWork(commit, request, { token, until: request.at, parts: null });
    }
  });
}

async function isOwn(commit: Commit, request: KeyedRequest, token: string): Promise<boolean> {
  return (await commit.get<Recorded>(recordKey(request)))?.work?.token === token;
}

function writeWork(commit: Commit, request: KeyedRequest, work: Work): void {
  const expiresAt = request.at + LIVES_MS;
  const recorded: Recorded = { hash: request.hash, madeId: "", expiresAt, work };
  commit.set(recordKey(request), recorded, { expireIn: LIVES_MS });
}

/** JSON with sorted names: equal for equal values. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => a < b ? -1 : 1));
  });
}
