/** The arithmetic of the meter: pure functions from a brand's counters to a decision. */
import { SECOND, startOfNextMonth } from "../calendar.ts";
import { ServiceError } from "../errors.ts";
import type { Commit } from "../kv.ts";
import type { PlanLimits } from "../plans.ts";

/**
 * What an operation counts against: `request` the second and the month, `credit` the second only,
 * `nothing` neither (the key is still checked).
 */
export type Cost = "request" | "credit" | "nothing";

/** The five headers' numbers after a decision. */
export interface Limits {
  perSecond: number;
  leftThisSecond: number;
  /** Unix second at which the window resets. */
  resetsAt: number;
  perMonth: number;
  leftThisMonth: number;
}

/** A brand's counters: one value, so a throttled request can't cost quota. */
export interface Count {
  /** Unix second of the window. */
  second: number;
  inSecond: number;
  /** yyyymm, as a number. */
  month: number;
  inMonth: number;
}

/**
 * A count in the store: four unsigned 32-bit numbers. One is written for nearly every request, and
 * turning an object into what the store keeps would cost more than all of the meter's arithmetic.
 */
export type PackedCount = Uint8Array<ArrayBuffer>;

export function pack({ second, inSecond, month, inMonth }: Count): PackedCount {
  return new Uint8Array(Uint32Array.of(second, inSecond, month, inMonth).buffer);
}

/** The count of a brand that was never counted, for null. */
export function unpack(packed: PackedCount | null): Count {
  if (packed === null) return UNUSED;
  const [second, inSecond, month, inMonth] = new Uint32Array(packed.slice().buffer);
  return { second: second!, inSecond: inSecond!, month: month!, inMonth: inMonth! };
}

export const countPrefix: Deno.KvKey = ["meter"];
export const countKey = (brandId: string): Deno.KvKey => [...countPrefix, brandId];

/** Lets every meter that relied on what `commit` changes (a key, a plan) look again. */
export async function touchCount(commit: Commit, brandId: string): Promise<void> {
  const key = countKey(brandId);
  commit.set(key, await commit.get<PackedCount>(key) ?? pack(UNUSED));
}

export const UNUSED: Count = { second: 0, inSecond: 0, month: 0, inMonth: 0 };

/** The count in the window of `at`; a process whose clock is ahead keeps its later window. */
export function turn(count: Count, at: number): Count {
  const second = Math.floor(at / SECOND);
  if (count.second === second) return count;
  const month = monthNumber(at);
  if (count.second >= second && count.month >= month) return count;
  return {
    second: Math.max(second, count.second),
    inSecond: count.second >= second ? count.inSecond : 0,
    month: month > count.month ? month : count.month,
    inMonth: count.month >= month ? count.inMonth : 0,
  };
}

function monthNumber(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1;
}

export interface Decision {
  /** The counters afterwards; the very same object when nothing was counted. */
  count: Count;
  limits: Limits;
  refusal: ServiceError | null;
}

/** Counts one request at the instant `at`, or refuses it. */
export function decide(count: Count, plan: PlanLimits, cost: Cost, at: number): Decision {
  const answer = (after: Count, refusal: ServiceError | null) => ({
    count: after,
    refusal,
    limits: {
      perSecond: plan.requestsPerSecond,
      leftThisSecond: Math.max(0, plan.requestsPerSecond - after.inSecond),
      resetsAt: after.second + 1,
      perMonth: plan.requestsPerMonth,
      leftThisMonth: Math.max(0, plan.requestsPerMonth - after.inMonth),
    },
  });
  if (cost === "nothing") return answer(count, null);
  if (count.inSecond >= plan.requestsPerSecond) {
    return answer(
      count,
      new ServiceError(
        "rateLimitExceeded",
        `The plan allows no more than ${plan.requestsPerSecond} a second; wait one second.`,
        { retryAfter: 1 },
      ),
    );
  }
  const inSecond = count.inSecond + 1;
  if (cost === "credit") return answer({ ...count, inSecond }, null);
  if (count.inMonth >= plan.requestsPerMonth) {
    const retryAfter = Math.ceil((startOfNextMonth(at) - at) / SECOND);
    return answer(
      { ...count, inSecond },
      new ServiceError(
        "quotaExceeded",
        `The plan's ${plan.requestsPerMonth.toLocaleString("en-US")} requests of this month ` +
          "are used up.",
        { retryAfter },
      ),
    );
  }
  return answer({ ...count, inSecond, inMonth: count.inMonth + 1 }, null);
}
