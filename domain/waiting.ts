/** Waiting for an entry to come to something: told within this process, looked up for the others. */
import { SECOND } from "./calendar.ts";

/** How often it is looked up: a commit of another process wakes no watch here. */
const LOOK_EVERY_MS = SECOND;

export interface WaitOptions {
  /** Real time, ms. */
  waitMs: number;
  /** Ends the wait: the client is gone, or the service stops. */
  signal: AbortSignal;
}

/** What `look` finds under `key` once it is over, or what it is when the wait has run out. */
export async function awaitEntry<T>(
  kv: Deno.Kv,
  key: Deno.KvKey,
  look: () => Promise<T>,
  isOver: (found: T) => boolean,
  { waitMs, signal }: WaitOptions,
): Promise<T> {
  const endsAt = performance.now() + waitMs;
  const goesOn = (found: T) => !isOver(found) && performance.now() < endsAt && !signal.aborted;
  let found = await look();
  if (!goesOn(found)) return found;
  const changes = kv.watch([key]).getReader();
  try {
    let change = changes.read();
    while (goesOn(found)) {
      const told = await Promise.race([
        change.then(() => true),
        pause(Math.min(LOOK_EVERY_MS, endsAt - performance.now()), signal),
      ]);
      if (told) change = changes.read();
      found = await look();
    }
    return found;
  } finally {
    await changes.cancel();
  }
}

/** Resolves to false after `ms`, or at once when `signal` aborts. */
function pause(ms: number, signal: AbortSignal): Promise<false> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      done(false);
    };
    const timer = setTimeout(end, Math.max(0, ms));
    signal.addEventListener("abort", end);
  });
}
