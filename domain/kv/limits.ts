/** What a store takes in one commit and one read. */
import { remoteOf } from "./remote.ts";

export interface StoreLimits {
  /** Values that one commit may check. */
  readonly checks: number;
  /** Writes of one commit. */
  readonly mutations: number;
  /** Size of one commit, keys included. */
  readonly bytes: number;
  /** Keys or ranges of one read. */
  readonly ranges: number;
}

/** KV Connect's limits, `proto/limits.rs` of denokv. Documented for Deploy: 100 checks. */
const REMOTE: StoreLimits = { checks: 10, mutations: 1_000, bytes: 819_200, ranges: 10 };
/** The embedded store's limits, measured on Deno 2.9. */
const EMBEDDED: StoreLimits = { ...REMOTE, checks: 100 };

/** Embedded stores of production, where a commit past KV Connect's limits still works. */
const lenient = new WeakSet<Deno.Kv>();

/**
 * Lets an embedded store take what it can. Every other store is held to KV Connect's limits, so the
 * tests and `dev` find a commit that would fail over the network.
 */
export function allowEmbeddedLimits(kv: Deno.Kv): void {
  lenient.add(kv);
}

export function limitsOf(kv: Deno.Kv): StoreLimits {
  return lenient.has(kv) && remoteOf(kv) === null ? EMBEDDED : REMOTE;
}
