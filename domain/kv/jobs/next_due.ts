/**
 * The one value by which a process without work knows that there is still none: no job is due before
 * it. A commit that adds a job, or moves one to an earlier instant, lowers it. Lowering reads nothing,
 * so these commits don't disturb each other. A worker raises it once it has looked.
 */
import { Commit, retryWhileLocked } from "../transact.ts";
import { earliestDue } from "./indexes.ts";

const KEY = ["nextDue"];
/** A KV value holds no infinity. */
const NEVER = Number.MAX_SAFE_INTEGER;

export interface NextDue {
  /** Instant, ms. It may be too early, never too late. */
  at: number;
  versionstamp: string | null;
}

/** An earlier version of the service stored none; then a job may be due. */
export async function readNextDue(kv: Deno.Kv): Promise<NextDue> {
  const { value, versionstamp } = await kv.get<Deno.KvU64>(KEY);
  return { at: value === null ? 0 : Number(value.value), versionstamp };
}

/** Notes in `commit` that a job is due at an instant, ms. */
export function noteDue(commit: Commit, at: number): void {
  commit.min(KEY, Math.max(0, Math.floor(at)));
}

/**
 * Returns when the first job is due, and stores it in place of `seen` unless a commit has lowered that
 * meanwhile.
 */
export async function correctNextDue(kv: Deno.Kv, seen: NextDue): Promise<number> {
  const at = Math.min(await earliestDue(kv), NEVER);
  if (at !== seen.at) {
    const commit = new Commit(kv);
    commit.check({ key: KEY, versionstamp: seen.versionstamp });
    commit.set(KEY, new Deno.KvU64(BigInt(at)));
    await retryWhileLocked(() => commit.run());
  }
  return at;
}
