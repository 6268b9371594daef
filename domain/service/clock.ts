/**
 * One clock for all domain time: real time plus an offset that only a rehearsal (`SANDBOX=on` with
 * `CLOCK`) sets. On one store it never runs backwards.
 */
import { type Now, systemNow } from "../foundation/calendar.ts";
import { transact } from "../kv/transact.ts";
import type { Settings } from "../foundation/settings.ts";

/** What a process leaves in the store, so that a later start or `admin` continues its time. */
interface ClockMark {
  /** Domain instant last seen, ms. */
  instant: number;
  /** Domain time minus machine time, ms. */
  offset: number;
  /** Machine instant of a running service's mark, ms; null for the last mark of a process. */
  markedAt: number | null;
}

const KEY = ["clock"];
const MARK_EVERY_MS = 1_000;
/** What a process may have seen after its last mark, ms. */
const UNMARKED_MS = 1_500;
const RUNNING_WITHIN_MS = 5_000;

/**
 * Starts the clock at the later of `CLOCK` and the last instant that the store has seen. A
 * rehearsal renews its mark for as long as the process lives; processes that rehearse on one store
 * share the latest of their times.
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
  // A mark that fails is written a second later; the store may also be closed by now.
  Deno.unrefTimer(setInterval(() => void write().catch(() => {}), MARK_EVERY_MS));
  return now;
}

/** A clock beside the service's. */
export interface JoinedClock {
  now: Now;
  /** Stores the instant that was reached, so that the next process continues from it. */
  leave(): Promise<void>;
}

/** The running service's clock, or one that starts at the later of `start` and the last instant. */
export async function joinClock(kv: Deno.Kv, start: number | null): Promise<JoinedClock> {
  const mark = (await kv.get<ClockMark>(KEY)).value;
  const machine = systemNow();
  const offset = mark !== null && isFresh(mark, machine)
    ? mark.offset
    : Math.max(start ?? machine, reached(mark, machine)) - machine;
  const now = () => systemNow() + offset;
  const leave = () =>
    transact(kv, async (commit) => {
      const last = await commit.get<ClockMark>(KEY);
      // Without a rehearsal the clock is the machine's, which needs no mark.
      if (last === null && offset === 0) return;
      const instant = Math.max(now(), last?.instant ?? 0);
      const running = last !== null && isFresh(last, systemNow());
      commit.set(KEY, running ? { ...last, instant } : { instant, offset, markedAt: null });
    });
  return { now, leave };
}

/** Whether the process that left the mark is still running. */
function isFresh(mark: ClockMark, machine: number): boolean {
  return mark.markedAt !== null && machine - mark.markedAt < RUNNING_WITHIN_MS;
}

/** The store's time by now; no earlier than any instant that the store has seen. */
function reached(mark: ClockMark | null, machine: number): number {
  if (mark === null) return 0;
  if (isFresh(mark, machine)) return machine + mark.offset;
  return mark.instant + (mark.markedAt === null ? 1 : UNMARKED_MS);
}
