/** Waiting for a creation to become terminal: told within this process, looked up for the others. */
import { SECOND } from "../calendar.ts";
import { isTerminal, type StoredCreation } from "./shape.ts";
import { creationKey, readListed } from "./store.ts";

/** How often it is looked up: a commit of another process wakes no watch here. */
const LOOK_EVERY_MS = SECOND;

export interface WaitOptions {
  /** Real time, ms. */
  waitMs: number;
  /** Ends the wait. */
  signal: AbortSignal;
}

/** The creation once it is terminal or the wait has run out; null when there is none (any more). */
export async function awaitTerminal(
  kv: Deno.Kv,
  brandId: string,
  id: string,
  { waitMs, signal }: WaitOptions,
): Promise<StoredCreation | null> {
  const endsAt = performance.now() + waitMs;
  let creation = await readListed(kv, brandId, id);
  if (!goesOn(creation, endsAt, signal)) return creation;
  const changes = kv.watch([creationKey(brandId, id)]).getReader();
  try {
    let change = changes.read();
    while (goesOn(creation, endsAt, signal)) {
      const told = await Promise.race([
        change.then(() => true),
        pause(Math.min(LOOK_EVERY_MS, endsAt - performance.now()), signal),
      ]);
      if (told) change = changes.read();
      creation = await readListed(kv, brandId, id);
    }
    return creation;
  } finally {
    await changes.cancel();
  }
}

function goesOn(creation: StoredCreation | null, endsAt: number, signal: AbortSignal): boolean {
  return creation !== null && !isTerminal(creation) && performance.now() < endsAt &&
    !signal.aborted;
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
