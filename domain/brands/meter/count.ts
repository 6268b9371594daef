/** The arithmetic of the meter, as pure functions of a brand's counters. */
import { SECOND, startOfNextMonth } from "../../foundation/calendar.ts";
import { ServiceError } from "../../foundation/errors.ts";
import type { PlanLimits } from "../plans.ts";

/**
 * The limits that an operation counts against: `request` those of the second and the month, `credit`
 * that of the second, `nothing` none (its key is still checked).
 */
export type Cost = "request" | "credit" | "nothing";

/** The numbers of the five rate limit headers. */
export interface Limits {
  perSecond: number;
  leftThisSecond: number;
  /** Unix second at which the window resets. */
  resetsAt: number;
  perMonth: number;
  leftThisMonth: number;
}

/** A brand's counters, in one value so that a throttled request never costs quota. */
export interface Count {
  /** Unix second of the window. */
  second: number;
  inSecond: number;
  /** yyyymm, as a number. */
  month: number;
  inMonth: number;
  /**
   * Grows with each change of the brand or its keys: while it is the same, only requests were counted.
   * Null where that is not known.
   */
  changes: number | null;
}

/** Numbers of a packed count. Earlier versions packed one less, which left an even number of numbers. */
export const COUNT_NUMBERS = 5;

/**
 * A stored count: five unsigned 32-bit numbers, then pairs (`marks.ts`). It is written for nearly every request, and storing
 * an object would take longer than all of the meter's arithmetic.
 */
export type PackedCount = Uint8Array<ArrayBuffer>;

export function pack({ second, inSecond, month, inMonth, changes }: Count): PackedCount {
  return new Uint8Array(Uint32Array.of(second, inSecond, month, inMonth, changes ?? 0).buffer);
}

/** The count of a stored value. Null gives the count of a brand without requests. */
export function unpack(packed: PackedCount | null): Count {
  if (packed === null) return UNUSED;
  const numbers = new Uint32Array(packed.slice().buffer);
  const [second = 0, inSecond = 0, month = 0, inMonth = 0, changes = 0] = numbers;
  return { second, inSecond, month, inMonth, changes: isEarlier(numbers) ? null : changes };
}

/** Whether an earlier version packed the count. */
export function isEarlier(numbers: Uint32Array): boolean {
  return numbers.length % 2 === 0;
}

export const countPrefix: Deno.KvKey = ["meter"];
export const countKey = (brandId: string): Deno.KvKey => [...countPrefix, brandId];

const UNUSED: Count = { second: 0, inSecond: 0, month: 0, inMonth: 0, changes: null };

/** How far another process's clock may run ahead of this one, seconds. */
const MOST_AHEAD = 5;

/**
 * The count in the window of `at`. A count that a faster clock has written keeps its later window,
 * unless that clock had jumped: then the brand would wait until this clock gets there. The month stays.
 */
export function turn(count: Count, at: number): Count {
  const own = Math.floor(at / SECOND);
  if (count.second === own) return count;
  const isAhead = count.second > own && count.second - own <= MOST_AHEAD;
  const month = monthNumber(at);
  if (isAhead && count.month >= month) return count;
  return {
    ...count,
    second: isAhead ? count.second : own,
    inSecond: isAhead ? count.inSecond : 0,
    month: month > count.month ? month : count.month,
    inMonth: count.month >= month ? count.inMonth : 0,
  };
}

function monthNumber(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1;
}

export interface Decision {
  /** The counters afterwards: the same object if nothing was counted. */
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
        `The plan allows ${plan.requestsPerSecond} requests a second. Retry after one second.`,
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
        `The plan's ${plan.requestsPerMonth.toLocaleString("en-US")} requests of this month are ` +
          "used up. Wait for the next month, or change to a larger plan.",
        { retryAfter },
      ),
    );
  }
  return answer({ ...count, inSecond, inMonth: count.inMonth + 1 }, null);
}
