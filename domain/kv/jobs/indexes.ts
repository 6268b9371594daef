/**
 * The indexes of jobs. A waiting or running job is listed by kind, and by turn where jobs take turns,
 * in the order in which it needs attention; a dead one is listed among the dead.
 */
import type { Job, JobState } from "./job.ts";
import { type JobKind, turnOf } from "./kinds.ts";

export function indexKeys(job: Job): Deno.KvKey[] {
  const { id, kind, state, dueAt } = job;
  if (state === "dead") return [["dead", id]];
  const turn = turnOf(job);
  const due = ["due", kind, dueAt, id];
  return turn === undefined ? [due] : [due, turnKey(kind, turn, dueAt, id)];
}

/**
 * Ids of a kind's jobs that are due at an instant (`Infinity`: all), earliest first, `batchSize` a
 * read.
 */
export async function* dueIds(
  kv: Deno.Kv,
  kind: JobKind,
  at: number,
  options: { batchSize: number },
): AsyncGenerator<string> {
  for await (const entry of dueEntries(kv, kind, at, options)) yield jobIdOf(entry);
}

/** Like `dueIds`, but the entries' keys; with a turn only that turn's, for kinds that take turns. */
export async function* dueEntries(
  kv: Deno.Kv,
  kind: JobKind,
  at: number,
  { turn, batchSize }: { turn?: string | undefined; batchSize: number },
): AsyncGenerator<Deno.KvKey> {
  const prefix = turn === undefined ? ["due", kind] : turnKey(kind, turn);
  const due = kv.list({ prefix, end: [...prefix, at + 1] }, { batchSize });
  for await (const { key } of due) yield key;
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

export const jobIdOf = (entry: Deno.KvKey): string => String(entry.at(-1));

/**
 * Whether an entry is not one of its job's, because a version of the service in which jobs took other
 * turns has added it.
 */
export function isStray(entry: Deno.KvKey, job: Job | null): boolean {
  const isEntry = (key: Deno.KvKey) =>
    key.length === entry.length && key.every((part, nth) => part === entry[nth]);
  return job === null || !indexKeys(job).some(isEntry);
}

/** Turns with due jobs of a kind, each once: those after `last` first, `last` itself at the end. */
export async function* turnsInOrder(
  kv: Deno.Kv,
  kind: JobKind,
  at: number,
  last: string,
): AsyncGenerator<string> {
  const [first, afterLast, end] = [turnKey(kind), turnKey(kind, last, true), turnKey(kind, true)];
  yield* turnsWithin(kv, at, afterLast, end);
  yield* turnsWithin(kv, at, first, afterLast);
}

/** One read a turn, however many jobs it has. */
async function* turnsWithin(
  kv: Deno.Kv,
  at: number,
  start: Deno.KvKey,
  end: Deno.KvKey,
): AsyncGenerator<string> {
  for (;;) {
    const [first] = await Array.fromAsync(kv.list({ start, end }, { limit: 1 }));
    if (first === undefined) return;
    const [, kind, turn, dueAt] = first.key as [string, string, string, number];
    if (dueAt <= at) yield turn;
    start = turnKey(kind, turn, true);
  }
}

/**
 * `true` at its end sorts after every turn, or after all jobs of one. The name of the index is of the
 * time when every turn was a brand's.
 */
function turnKey(kind: string, ...parts: (string | number | true)[]): Deno.KvKey {
  return ["brandDue", kind, ...parts];
}

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
