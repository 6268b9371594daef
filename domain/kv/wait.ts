/** Waiting for an entry to change: this process's commits wake the wait, others' are looked up. */
import { SECOND } from "../foundation/calendar.ts";

/** How often the entry is looked up, because a commit of another process wakes no watch here. */
const LOOK_EVERY_MS = SECOND;

/** Waits of one brand in this process: each holds a connection and looks once a second. */
const MOST_EACH = 100;
const waiting = new Map<string, number>();

export interface WaitOptions {
  /** Real time, ms. */
  waitMs: number;
  /** Ends the wait: the client is gone, or the service stops. */
  signal: AbortSignal;
  /** The brand among whose waits it counts; past the most it is over at once. */
  brandId?: string;
  /** Throws once the caller may no longer have the answer; called after each look but the first. */
  requireStill?: () => Promise<void>;
}

/** What `look` finds under `key` once `isOver` says so, or at the end of the wait. */
export async function awaitEntry<T>(
  kv: Deno.Kv,
  key: Deno.KvKey,
  look: () => Promise<T>,
  isOver: (found: T) => boolean,
  { waitMs, signal, brandId, requireStill }: WaitOptions,
): Promise<T> {
  const endsAt = performance.now() + waitMs;
  const keepsWaiting = (found: T) =>
    !isOver(found) && performance.now() < endsAt && !signal.aborted;
  let found = await look();
  const others = brandId === undefined ? 0 : waiting.get(brandId) ?? 0;
  if (!keepsWaiting(found) || others >= MOST_EACH) return found;
  count(brandId, 1);
  const changes = kv.watch([key]).getReader();
  try {
    let change = changes.read();
    while (keepsWaiting(found)) {
      const changed = await Promise.race([
        change.then(() => true),
        pause(Math.min(LOOK_EVERY_MS, endsAt - performance.now()), signal),
      ]);
      if (changed) change = changes.read();
      found = await look();
      await requireStill?.();
    }
    return found;
  } finally {
    count(brandId, -1);
    await changes.cancel();
  }
}

function count(brandId: string | undefined, by: number): void {
  if (brandId === undefined) return;
  const left = (waiting.get(brandId) ?? 0) + by;
  if (left === 0) waiting.delete(brandId);
  else waiting.set(brandId, left);
}

/** Resolves to false after `ms`, or at once when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<false> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      done(false);
    };
    const timer = setTimeout(end, Math.max(0, ms));
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
