/** Faults that a rehearsal orders: the next calls of an operation meet them, then all is well again. */
import { z } from "zod";
import { transact } from "../kv.ts";
import type { Platform } from "../posts/shape.ts";

/** `publish` makes a post public, `upload` comes before it, `token` is the refresh. */
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
});
export type Fault = z.output<typeof Fault>;

/** Keeps the waiting faults well below one value's 64 KiB. */
const MAX_WAITING = 200;

const faultsKey = (platform: Platform): Deno.KvKey => ["sandbox", platform, "faults"];

/** Orders a fault; it waits behind those ordered before. False when too many wait already. */
export function orderFault(kv: Deno.Kv, platform: Platform, fault: Fault): Promise<boolean> {
  return transact(kv, async (commit) => {
    const waiting = await commit.get<Fault[]>(faultsKey(platform)) ?? [];
    if (waiting.length >= MAX_WAITING) return false;
    commit.set(faultsKey(platform), [...waiting, fault]);
    return true;
  });
}

export function clearFaults(kv: Deno.Kv, platform: Platform): Promise<void> {
  return transact(kv, (commit) => commit.delete(faultsKey(platform)));
}

/** Uses up one waiting fault of `operation`; null when none waits. */
export async function takeFault(
  kv: Deno.Kv,
  platform: Platform,
  operation: SandboxOperation,
): Promise<FaultName | null> {
  const seen = (await kv.get<Fault[]>(faultsKey(platform))).value;
  if (seen === null || !seen.some((fault) => fault.operation === operation)) return null;
  return await transact(kv, async (commit) => {
    const waiting = await commit.get<Fault[]>(faultsKey(platform)) ?? [];
    const at = waiting.findIndex((fault) => fault.operation === operation);
    if (at < 0) return null;
    const { fault, times } = waiting[at]!;
    const rest = waiting.toSpliced(
      at,
      1,
      ...(times > 1 ? [{ operation, fault, times: times - 1 }] : []),
    );
    if (rest.length === 0) commit.delete(faultsKey(platform));
    else commit.set(faultsKey(platform), rest);
    return fault;
  });
}
