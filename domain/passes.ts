/** The scheduled passes: when each is due, and what is known of the last one. */
import { DAY, HOUR, MINUTE, WEEK } from "./calendar.ts";
import { transact } from "./kv.ts";

export const PASS_NAMES = ["metrics", "series", "digest"] as const;
export type PassName = typeof PASS_NAMES[number];

/** The epoch was a Thursday; the first Monday 08:00 UTC after it. */
const FIRST_MONDAY_8 = 4 * DAY + 8 * HOUR;

/** A pass is due at `anchor` and every `period` from it; instants and lengths in ms. */
export const SCHEDULE: Record<PassName, { period: number; anchor: number }> = {
  metrics: { period: 30 * MINUTE, anchor: 0 },
  series: { period: 15 * MINUTE, anchor: 0 },
  digest: { period: WEEK, anchor: FIRST_MONDAY_8 },
};

export interface PassRecord {
  /** Instants, ms; null before the first. */
  lastStartedAt: number | null;
  lastFinishedAt: number | null;
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

/** Marks a due pass as started; false when it isn't due, or another process was faster. */
export function claimPass(kv: Deno.Kv, name: PassName, at: number): Promise<boolean> {
  return transact(kv, async (commit) => {
    const record = await commit.get<PassRecord>(passKey(name)) ?? NEVER;
    if (record.lastStartedAt !== null && record.lastStartedAt >= scheduledBefore(name, at)) {
      return false;
    }
    commit.set(passKey(name), { ...record, lastStartedAt: at } satisfies PassRecord);
    return true;
  });
}

export function finishPass(kv: Deno.Kv, name: PassName, at: number): Promise<void> {
  return transact(kv, async (commit) => {
    const record = await commit.get<PassRecord>(passKey(name)) ?? NEVER;
    commit.set(passKey(name), { ...record, lastFinishedAt: at } satisfies PassRecord);
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
