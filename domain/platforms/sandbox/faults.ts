/** Faults that can be ordered: the next calls of an operation fail so, and later calls succeed again. */
import { z } from "zod";
import { MINUTE, type Now } from "../../foundation/calendar.ts";
import { transact } from "../../kv/transact.ts";
import type { Platform } from "../../posts/shape.ts";

/** `upload` is every call before `publish`, which makes a post public; `token` renews tokens. */
export const SandboxOperation = z.enum(["list", "metrics", "upload", "publish", "token"]);
export type SandboxOperation = z.output<typeof SandboxOperation>;

export const FaultName = z.enum([
  "timeoutAfterAccept",
  "timeout",
  "serverError",
  "rateLimited",
  "tokenExpired",
  "permission",
  "retiredMetric",
  "malformed",
]);
export type FaultName = z.output<typeof FaultName>;

export const Fault = z.object({
  operation: SandboxOperation,
  fault: FaultName,
  times: z.int().min(1).max(10_000),
  /** With `rateLimited`: every call is refused for so many minutes, and each of them adds as many. */
  windowMinutes: z.int().min(1).max(1_440).optional(),
});
export type Fault = z.output<typeof Fault>;

/** Keeps the list far below the 64 KiB that one KV value can hold. */
const MAX_WAITING = 200;

const faultsKey = (platform: Platform): Deno.KvKey => ["sandbox", platform, "faults"];

/** Appends a fault to the list; false when the list is full. */
export function orderFault(kv: Deno.Kv, platform: Platform, fault: Fault): Promise<boolean> {
  return transact(kv, async (commit) => {
    const waiting = await commit.get<Fault[]>(faultsKey(platform)) ?? [];
    if (waiting.length >= MAX_WAITING) return false;
    commit.set(faultsKey(platform), [...waiting, fault]);
    return true;
  });
}

export function clearFaults(kv: Deno.Kv, platform: Platform): Promise<void> {
  return transact(kv, (commit) => {
    commit.delete(faultsKey(platform));
    commit.delete(windowKey(platform));
  });
}

/** While it lasts, a platform refuses every call. */
interface ThrottleWindow {
  /** Instant, ms. */
  until: number;
  minutes: number;
}

const windowKey = (platform: Platform): Deno.KvKey => ["sandbox", platform, "throttleWindow"];

/** A call within the window lengthens it. Returns the minutes that are left; null outside. */
export async function lengthenWindow(
  kv: Deno.Kv,
  now: Now,
  platform: Platform,
): Promise<number | null> {
  const open = (await kv.get<ThrottleWindow>(windowKey(platform))).value;
  if (open === null || open.until <= now()) return null;
  return await transact(kv, async (commit) => {
    const { until, minutes } = await commit.get<ThrottleWindow>(windowKey(platform)) ?? open;
    const longer = { until: until + minutes * MINUTE, minutes };
    commit.set(windowKey(platform), longer satisfies ThrottleWindow);
    return Math.ceil((longer.until - now()) / MINUTE);
  });
}

/** Takes the first fault of `operation` from the list; null when there is none. */
export async function takeFault(
  kv: Deno.Kv,
  platform: Platform,
  operation: SandboxOperation,
): Promise<FaultName | null> {
  return (await takeOrdered(kv, () => 0, platform, operation))?.fault ?? null;
}

/** Like `takeFault`; opens the window that the fault was ordered with. */
export async function takeOrdered(
  kv: Deno.Kv,
  now: Now,
  platform: Platform,
  operation: SandboxOperation,
): Promise<Fault | null> {
  const seen = (await kv.get<Fault[]>(faultsKey(platform))).value;
  if (seen === null || !seen.some((fault) => fault.operation === operation)) return null;
  return await transact(kv, async (commit) => {
    const waiting = await commit.get<Fault[]>(faultsKey(platform)) ?? [];
    const at = waiting.findIndex((fault) => fault.operation === operation);
    const first = waiting[at];
    if (first === undefined) return null;
    const { times, windowMinutes: minutes } = first;
    const rest = waiting.toSpliced(at, 1, ...(times > 1 ? [{ ...first, times: times - 1 }] : []));
    if (rest.length === 0) commit.delete(faultsKey(platform));
    else commit.set(faultsKey(platform), rest);
    if (minutes !== undefined) {
      const until = now() + minutes * MINUTE;
      commit.set(windowKey(platform), { until, minutes } satisfies ThrottleWindow);
    }
    return first;
  });
}
