/**
 * One clock for all domain time. It runs on in real time from an offset that only a rehearsal
 * (`SANDBOX=on` with `CLOCK`) sets, and on one store it never runs backwards.
 */
import { transact } from "./kv.ts";

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
const RUNNING_WITHIN_MS = 5_000;

export interface ServiceClock {
  now: Now;
  /** Keeps a rehearsal's mark fresh; call the returned function to stop. */
  keep(): () => Promise<void>;
}

export function systemNow(): number {
  return Date.now();
}

/** Starts the clock at the later of `start` and the last instant that the store has seen. */
export async function startClock(kv: Deno.Kv, start: number | null): Promise<ServiceClock> {
  const mark = (await kv.get<ClockMark>(KEY)).value;
  const machine = systemNow();
  const offset = Math.max(start ?? machine, mark?.instant ?? 0) - machine;
  const rehearsal = start !== null || offset > 0;
  if (!rehearsal) return { now: systemNow, keep: () => () => Promise.resolve() };

  const now = () => systemNow() + offset;
  const write = () =>
    transact(kv, async (commit) => {
      const last = await commit.get<ClockMark>(KEY);
      const instant = Math.max(now(), last?.instant ?? 0);
      commit.set(KEY, { instant, offset, markedAt: systemNow() } satisfies ClockMark);
    });
  await write();
  return {
    now,
    keep() {
      const timer = setInterval(() => void write().catch(() => {}), MARK_EVERY_MS);
      Deno.unrefTimer(timer);
      return async () => {
        clearInterval(timer);
        await write();
      };
    },
  };
}

/** The running service's clock, or one that starts at the later of `start` and the last instant. */
export async function joinClock(kv: Deno.Kv, start: number | null): Promise<Now> {
  const mark = (await kv.get<ClockMark>(KEY)).value;
  const machine = systemNow();
  const running = mark !== null && machine - mark.markedAt < RUNNING_WITHIN_MS;
  const offset = running ? mark.offset : Math.max(start ?? machine, mark?.instant ?? 0) - machine;
  return () => systemNow() + offset;
}
