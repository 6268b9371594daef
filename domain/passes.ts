/** The scheduled passes: when each is due, and what is known of the last one. */
import { DAY, HOUR, MINUTE, WEEK } from "./calendar.ts";
import { transact } from "./kv.ts";

export const PASS_NAMES = ["metrics", "series", "digest"] as const;
export type PassName = typeof PASS_NAMES[number];

/** The epoch was a Thursday; the first Monday 08:00 UTC after it. */
const FIRST_MONDAY_8 = 4 * DAY + 8 * HOUR;

interface Schedule {
  /** A pass is due at `anchor` and every `period` from it; an instant and a length in ms. */
  period: number;
  anchor: number;
  /** The pass of whose work it tells: it waits while that one is under way. */
  after?: PassName;
}

export const SCHEDULE: Record<PassName, Schedule> = {
  metrics: { period: 30 * MINUTE, anchor: 0 },
  series: { period: 15 * MINUTE, anchor: 0 },
  digest: { period: WEEK, anchor: FIRST_MONDAY_8, after: "metrics" },
};

/** A pass waits no longer for its jobs, and nothing waits longer for a pass, ms. */
export const LONGEST = 25 * MINUTE;
/** Adding a pass's jobs takes seconds; after this, whoever began it is taken for dead. */
const CLAIM = 5 * MINUTE;

/** Instants, ms. */
export interface PassRecord {
  /** When it was begun for the latest time at which it was due; null before the first. */
  lastStartedAt: number | null;
  /** When one over all brands ended; null before the first. */
  lastFinishedAt: number | null;
  /** While its jobs are being added: when others may do it instead. */
  claimedUntil?: number | null;
}

const passKey = (name: PassName): Deno.KvKey => ["pass", name];
const NEVER: PassRecord = { lastStartedAt: null, lastFinishedAt: null };

export async function readPass(kv: Deno.Kv, name: PassName): Promise<PassRecord> {
  return (await kv.get<PassRecord>(passKey(name))).value ?? NEVER;
}

/** The latest scheduled instant at or before `at`. */
export function scheduledBefore(name: PassName, at: number): number {
  const { period, anchor } = SCHEDULE[name];
  return anchor + Math.floor((at - anchor) / period) * period;
}

/**
 * Marks a due pass as begun; false when it isn't due, when another process has begun it, or while the
 * one that it comes after is under way. One that was begun but never added its jobs, as its process
 * was killed or met a fault, can be claimed again: to add them twice changes nothing.
 */
export function claimPass(kv: Deno.Kv, name: PassName, at: number): Promise<boolean> {
  return transact(kv, async (commit) => {
    const read = async (of: PassName) => await commit.get<PassRecord>(passKey(of)) ?? NEVER;
    const record = await read(name);
    const { lastStartedAt, claimedUntil } = record;
    const begun = lastStartedAt !== null && lastStartedAt >= scheduledBefore(name, at);
    if (begun && at < (claimedUntil ?? Infinity)) return false;
    const { after } = SCHEDULE[name];
    if (after !== undefined && isUnderWay(await read(after), at)) return false;
    const startedAt = begun ? lastStartedAt : at;
    const claimed: PassRecord = { ...record, lastStartedAt: startedAt, claimedUntil: at + CLAIM };
    commit.set(passKey(name), claimed);
    return true;
  });
}

function isUnderWay({ lastStartedAt, lastFinishedAt }: PassRecord, at: number): boolean {
  return lastStartedAt !== null && (lastFinishedAt ?? 0) < lastStartedAt &&
    at - lastStartedAt < LONGEST;
}

/** Notes that all jobs of the pass are added: it is not to be begun again. */
export function notePassAdded(kv: Deno.Kv, name: PassName): Promise<void> {
  return changePass(kv, name, { claimedUntil: null });
}

export function finishPass(kv: Deno.Kv, name: PassName, at: number): Promise<void> {
  return changePass(kv, name, { lastFinishedAt: at });
}

function changePass(kv: Deno.Kv, name: PassName, change: Partial<PassRecord>): Promise<void> {
  return transact(kv, async (commit) => {
    const record = await commit.get<PassRecord>(passKey(name)) ?? NEVER;
    commit.set(passKey(name), { ...record, ...change } satisfies PassRecord);
  });
}

/**
 * Whether the pass has missed two periods, counted from the start of the process: before it, nobody
 * could have run the pass.
 */
export function isOverdue(
  name: PassName,
  { lastFinishedAt }: PassRecord,
  startedAt: number,
  at: number,
): boolean {
  return at - Math.max(lastFinishedAt ?? 0, startedAt) > 2 * SCHEDULE[name].period;
}
