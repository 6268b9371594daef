/** The scheduled passes: when each is due, and what is known of the last one. */
import { DAY, HOUR, MINUTE, WEEK } from "../foundation/calendar.ts";
import { getEach, transact } from "./transact.ts";

export const PASS_NAMES = ["metrics", "series", "digest"] as const;
export type PassName = typeof PASS_NAMES[number];

/** The epoch was a Thursday; the first Monday 08:00 UTC after it. */
const FIRST_MONDAY_8 = 4 * DAY + 8 * HOUR;

interface Schedule {
  /** A pass is due at `anchor` and every `period` from it; an instant and a length in ms. */
  period: number;
  anchor: number;
  /** The pass whose results it reports: it waits while that one is under way. */
  after?: PassName;
}

export const SCHEDULE: Record<PassName, Schedule> = {
  metrics: { period: 30 * MINUTE, anchor: 0 },
  series: { period: 15 * MINUTE, anchor: 0 },
  digest: { period: WEEK, anchor: FIRST_MONDAY_8, after: "metrics" },
};

/** How long a pass waits for its jobs, and how long others wait for a pass, at most; ms. */
export const LONGEST = 25 * MINUTE;
/** Adding a pass's jobs takes seconds; after this, the process that began it counts as dead. */
const CLAIM = 5 * MINUTE;

/** Instants, ms. */
interface PassRecord {
  /** When it was begun for the latest time at which it was due; null before the first. */
  lastStartedAt: number | null;
  /** When one over all brands ended; null before the first. */
  lastFinishedAt: number | null;
  /** While its jobs are being added: from when on another process may add them. */
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
 * Marks a due pass as begun. Returns false when it isn't due, when another process has begun it, or
 * while the pass that it comes after is under way. A pass whose process was killed or failed before
 * it had added its jobs can be claimed again, because adding jobs twice changes nothing.
 */
export function claimPass(kv: Deno.Kv, name: PassName, at: number): Promise<boolean> {
  return transact(kv, async (commit) => {
    const read = async (of: PassName) => await commit.get<PassRecord>(passKey(of)) ?? NEVER;
    const record = await read(name);
    if (!isDue(name, record, at)) return false;
    const { after } = SCHEDULE[name];
    if (after !== undefined && isUnderWay(await read(after), at)) return false;
    const lastStartedAt = isBegun(name, record, at) ? record.lastStartedAt : at;
    const claimed: PassRecord = { ...record, lastStartedAt, claimedUntil: at + CLAIM };
    commit.set(passKey(name), claimed);
    return true;
  });
}

/** Passes that may be claimed now, found in one read. */
export async function duePasses(kv: Deno.Kv, at: number): Promise<PassName[]> {
  const records = await getEach<PassRecord>(kv, PASS_NAMES.map(passKey));
  return PASS_NAMES.filter((name, nth) => isDue(name, records[nth] ?? NEVER, at));
}

function isDue(name: PassName, record: PassRecord, at: number): boolean {
  return !isBegun(name, record, at) || at >= (record.claimedUntil ?? Infinity);
}

function isBegun(name: PassName, { lastStartedAt }: PassRecord, at: number): boolean {
  return lastStartedAt !== null && lastStartedAt >= scheduledBefore(name, at);
}

function isUnderWay({ lastStartedAt, lastFinishedAt }: PassRecord, at: number): boolean {
  return lastStartedAt !== null && (lastFinishedAt ?? 0) < lastStartedAt &&
    at - lastStartedAt < LONGEST;
}

/** Records that all jobs of the pass are added, so that nobody begins it again. */
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

/** Whether the pass has missed two periods since it last finished, or since this process started. */
export function isOverdue(
  name: PassName,
  { lastFinishedAt }: PassRecord,
  startedAt: number,
  at: number,
): boolean {
  return at - Math.max(lastFinishedAt ?? 0, startedAt) > 2 * SCHEDULE[name].period;
}
