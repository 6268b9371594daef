/**
 * The indexes of jobs. A waiting or running job is listed by kind, and by brand where brands take
 * turns, in the order in which it needs attention; a dead one is listed among the dead.
 */
import type { Job, JobState } from "./job.ts";
import { type JobKind, takesTurns } from "./kinds.ts";

export function indexKeys({ id, kind, brandId, state, dueAt }: Job): Deno.KvKey[] {
  if (state === "dead") return [["dead", id]];
  const due = ["due", kind, dueAt, id];
  return takesTurns(kind) ? [due, ["brandDue", kind, brandId, dueAt, id]] : [due];
}

/**
 * Ids of a kind's jobs that are due at an instant (`Infinity`: all), earliest first, `batchSize` a
 * read; with a brand only its own, for kinds for which brands take turns.
 */
export async function* dueIds(
  kv: Deno.Kv,
  kind: JobKind,
  at: number,
  { brandId, batchSize }: { brandId?: string; batchSize: number },
): AsyncGenerator<string> {
  const prefix = brandId === undefined ? ["due", kind] : ["brandDue", kind, brandId];
  const due = kv.list({ prefix, end: [...prefix, at + 1] }, { batchSize });
  for await (const { key } of due) yield String(key.at(-1));
}

/**
 * When the first of all jobs is or was due, or its lease expires; Infinity without any. One read for each
 * kind that has jobs, also for kinds that only another version of the service knows.
 */
export async function earliestDue(kv: Deno.Kv): Promise<number> {
  let earliest = Infinity;
  let start: Deno.KvKey = ["due"];
  for (;;) {
    const [first] = await Array.fromAsync(kv.list({ start, end: ["due", true] }, { limit: 1 }));
    if (first === undefined) return earliest;
    const [, kind, dueAt] = first.key as [string, string, number];
    earliest = Math.min(earliest, dueAt);
    start = ["due", kind, true];
  }
}

/** Brands with due jobs of a kind, each once: those after `last` first, `last` itself at the end. */
export async function* brandsInTurn(
  kv: Deno.Kv,
  kind: JobKind,
  at: number,
  last: string,
): AsyncGenerator<string> {
  yield* brandsWithin(kv, at, after(kind, last), after(kind));
  yield* brandsWithin(kv, at, ["brandDue", kind], after(kind, last));
}

/** One read a brand, however many jobs it has. */
async function* brandsWithin(
  kv: Deno.Kv,
  at: number,
  start: Deno.KvKey,
  end: Deno.KvKey,
): AsyncGenerator<string> {
  for (;;) {
    const [first] = await Array.fromAsync(kv.list({ start, end }, { limit: 1 }));
    if (first === undefined) return;
    const [, kind, brandId, dueAt] = first.key as [string, string, string, number];
    if (dueAt <= at) yield brandId;
    start = after(kind, brandId);
  }
}

/** After all of a kind's jobs, or its brand's: `true` sorts after every string and number. */
const after = (kind: string, ...brandId: string[]) => ["brandDue", kind, ...brandId, true];

export interface JobCounts extends Record<JobState, number> {
  /** When the first of the waiting jobs is or was due, instant in ms; null when none waits. */
  oldestDue: number | null;
}

/** How many jobs are in each state, and since when the oldest has waited. */
export async function countJobs(kv: Deno.Kv): Promise<JobCounts> {
  const counts: JobCounts = { waiting: 0, running: 0, dead: 0, oldestDue: null };
  for (const prefix of [["due"], ["dead"]]) {
    for await (const { key, value } of kv.list<JobState | null>({ prefix }, { batchSize: 500 })) {
      // No value: written by an earlier version that still runs beside this one.
      const state = value ?? "waiting";
      counts[state]++;
      if (state !== "waiting") continue;
      counts.oldestDue = Math.min(counts.oldestDue ?? Infinity, key[2] as number);
    }
  }
  return counts;
}
