/**
 * One clock for all domain time. It runs on in real time from an offset that only a rehearsal
 * (`SANDBOX=on` with `CLOCK`) sets, and on one store it never runs backwards.
 */
import { transact } from "./kv.ts";
import type { Settings } from "./settings.ts";

/** Milliseconds since the Unix epoch. */
export type Now = () => number;

/** The running service's mark in the store, so that a later start or `admin` continues its time. */
interface ClockMark {
  /** Domain instant last seen, ms. */
  instant: number;
  /** Domain time minus machine time, ms. */
  offset: number;
  /** Machine instant of the mark, ms. */
  markedAt: number;
}

const KEY = ["clock"];
const MARK_EVERY_MS = 1_000;
/** What a process may have seen after its last mark, ms. */
const UNMARKED_MS = 1_500;
const RUNNING_WITHIN_MS = 5_000;

/** The machine's own clock. */
export const systemNow: Now = () => Date.now();

/**
 * Starts the clock at the later of `CLOCK` and the last instant that the store has seen. A
 * rehearsal's mark is kept fresh for as long as the process lives; processes that rehearse on one
 * store keep one time, the latest of theirs.
 */
export async function startClock(
  kv: Deno.Kv,
  { CLOCK, SANDBOX }: Pick<Settings, "CLOCK" | "SANDBOX">,
): Promise<Now> {
  const mark = (await kv.get<ClockMark>(KEY)).value;
  const machine = systemNow();
  let offset = Math.max(CLOCK ?? machine, reached(mark, machine)) - machine;
  if (!SANDBOX && offset === 0) return systemNow;

  const now = () => systemNow() + offset;
  const write = () =>
    transact(kv, async (commit) => {
      const last = await commit.get<ClockMark>(KEY);
      if (last !== null && isFresh(last, systemNow())) offset = Math.max(offset, last.offset);
      const instant = Math.max(now(), last?.instant ?? 0);
      commit.set(KEY, { instant, offset, markedAt: systemNow() } satisfies ClockMark);
    });
  await write();
  // A missed mark is made up a second later; the store may also be closed by now.
  Deno.unrefTimer(setInterval(() => void write().catch(() => {}), MARK_EVERY_MS));
  return now;
}

/** The running service's clock, or one that starts at the later of `start` and the last instant. */
export async function joinClock(kv: Deno.Kv, start: number | null): Promise<Now> {
  const mark = (await kv.get<ClockMark>(KEY)).value;
  const machine = systemNow();
  const offset = mark !== null && isFresh(mark, machine)
    ? mark.offset
    : Math.max(start ?? machine, reached(mark, machine)) - machine;
  return () => systemNow() + offset;
}

/** Whether the process that left the mark is still running. */
function isFresh(mark: ClockMark, machine: number): boolean {
  return machine - mark.markedAt < RUNNING_WITHIN_MS;
}

/** What the store's clock says by now; no earlier than any instant that the store has seen. */
function reached(mark: ClockMark | null, machine: number): number {
  if (mark === null) return 0;
  return isFresh(mark, machine) ? machine + mark.offset : mark.instant + UNMARKED_MS;
}
