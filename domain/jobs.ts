/**
 * Durable jobs: work nobody waits for. The record in KV is the truth; it is added in the same
 * commit as the fact that needs it and removed in the same commit as its effect. `jobs/` runs them.
 */
import { z } from "zod";
import type { Now } from "./clock.ts";
import { DAY, iso } from "./calendar.ts";
import { ServiceError } from "./errors.ts";
import { newId } from "./ids.ts";
import { type Commit, listValues, transact } from "./kv.ts";

export const JobState = z.enum(["waiting", "running", "dead"]);
export type JobState = z.output<typeof JobState>;

export interface Job {
  id: string;
  /** Which handler runs it. */
  kind: string;
  brandId: string | null;
  /** Ids only: the handler re-reads what they name. */
  subject: Record<string, string>;
  state: JobState;
  /** When it runs next; while running, when its lease runs out. Instant, ms. */
  dueAt: number;
  /** Failed attempts so far. */
  attempts: number;
  /** How often a worker vanished while it ran this: killed, or stalled beyond its lease. */
  lapses: number;
  /** When it first ran. Instant, ms. */
  startedAt: number | null;
  /** Token of the worker that runs it. */
  lease: string | null;
  /** Why the last attempt failed. */
  error: string | null;
  createdAt: string;
  /** It was asked for while it ran: it runs once more when that has ended, as asked. */
  again?: Ask;
}

/** What a run is to do, and from when on. */
export interface Ask {
  subject: Record<string, string>;
  /** Instant, ms. */
  dueAt: number;
}

export interface NewJob {
  kind: string;
  brandId: string | null;
  subject: Record<string, string>;
  /** Instant, ms; at once when absent. */
  dueAt?: number;
  /** A fixed id makes the job unique: while it lives, adding it again changes nothing. */
  id?: string;
  /**
   * What it looks at has changed: a job of that id that waits for a later time starts afresh now, and
   * one that runs, and may have looked before, runs once more.
   */
  hurry?: boolean;
}

export const jobKey = (id: string): Deno.KvKey => ["job", id];
/** Kinds for which brands take turns, so that nobody waits behind another brand's pile. */
const TURNS: ReadonlySet<string> = new Set(["generate"]);

export const takesTurns = (kind: string): boolean => TURNS.has(kind);

/**
 * Where a job stands. A waiting or running one: by kind, and by brand where brands take turns, in the
 * order in which they need attention. A dead one: among the dead.
 */
function indexKeys(job: Job | null): Deno.KvKey[] {
  if (job === null) return [];
  const { kind, brandId, dueAt, id } = job;
  if (job.state === "dead") return [["dead", id]];
  const due = ["due", kind, dueAt, id];
  return takesTurns(kind) ? [due, ["brandDue", kind, brandId ?? "", dueAt, id]] : [due];
}

/** A job that waits for the first of its attempts. */
export function afresh(
  { id, kind, brandId, createdAt }: Pick<Job, "id" | "kind" | "brandId" | "createdAt">,
  ask: Ask,
): Job {
  const untried = { attempts: 0, lapses: 0, startedAt: null, lease: null, error: null };
  return { id, kind, brandId, ...ask, state: "waiting", ...untried, createdAt };
}

/** Writes `next` in place of `previous` (null: none, or gone), with its indexes. */
export function writeJob(commit: Commit, previous: Job | null, next: Job | null): void {
  for (const key of indexKeys(previous)) commit.delete(key);
  const { id } = (next ?? previous)!;
  if (next === null) return commit.delete(jobKey(id));
  commit.set(jobKey(id), next);
  // With the state, so that they can be counted without a look at each record.
  for (const key of indexKeys(next)) commit.set(key, next.state);
}

/** Jobs that are written in one commit, which takes 100 checks. */
const BATCH = 50;

/** Writes every job's indexes anew, which an earlier version knew fewer of; may run twice. */
export async function indexJobs(kv: Deno.Kv): Promise<void> {
  const keys = (await listValues<Job>(kv, ["job"])).map(({ id }) => jobKey(id));
  for (let at = 0; at < keys.length; at += BATCH) {
    await transact(kv, async (commit) => {
      for (const job of await commit.getMany<Job>(keys.slice(at, at + BATCH))) {
        if (job !== null) writeJob(commit, job, job);
      }
    });
  }
}

/**
 * Ids of a kind's jobs that are due at an instant, earliest first, `batchSize` a read; with a brand
 * only its own, for kinds for which brands take turns.
 */
export async function* dueIds(
  kv: Deno.Kv,
  kind: string,
  at: number,
  { brandId, batchSize }: { brandId?: string; batchSize: number },
): AsyncGenerator<string> {
  const prefix = brandId === undefined ? ["due", kind] : ["brandDue", kind, brandId];
  const due = kv.list({ prefix, end: [...prefix, at + 1] }, { batchSize });
  for await (const { key } of due) yield String(key.at(-1));
}

/** Brands with due jobs of a kind, each once: those behind `last` first, `last` itself at the end. */
export async function* brandsInTurn(
  kv: Deno.Kv,
  kind: string,
  at: number,
  last: string,
): AsyncGenerator<string> {
  yield* brandsWithin(kv, at, behind(kind, last), behind(kind));
  yield* brandsWithin(kv, at, ["brandDue", kind], behind(kind, last));
}

/** One read a brand, however much it has piled up. */
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
    start = behind(kind, brandId);
  }
}

/** Behind all of a kind's jobs, or of its brand's: `true` sorts after every string and number. */
const behind = (kind: string, ...brandId: string[]) => ["brandDue", kind, ...brandId, true];

export interface JobCounts extends Record<JobState, number> {
  /** When the first of the waiting jobs is or was due, instant in ms; null when none waits. */
  oldestDue: number | null;
}

/** The context's door to jobs. */
export class Jobs {
  readonly #kv: Deno.Kv;
  readonly #now: Now;
  /** Whether commits also enqueue a wake-up message (KV queues exist on this store). */
  readonly #enqueue: boolean;
  readonly #listeners = new Set<() => void>();

  constructor(kv: Deno.Kv, now: Now, options: { enqueue: boolean }) {
    this.#kv = kv;
    this.#now = now;
    this.#enqueue = options.enqueue;
  }

  /** Adds a job to the commit of the fact that needs it; answers its id. */
  async add(commit: Commit, input: NewJob): Promise<string> {
    const at = this.#now();
    const id = input.id ?? newId("job", at);
    const alive = input.id === undefined ? null : await commit.get<Job>(jobKey(id));
    const { kind, brandId, subject, dueAt = at, hurry = false } = input;
    if (alive?.state === "running") {
      if (hurry) writeJob(commit, alive, { ...alive, again: { subject, dueAt } });
      return id;
    }
    if (alive?.state === "waiting" && !hurry) return id;
    const job = afresh({ id, kind, brandId, createdAt: iso(at) }, { subject, dueAt });
    writeJob(commit, alive, job);
    if (this.#enqueue) commit.enqueue({ job: id }, { delay: delayUntil(dueAt, at) });
    commit.after(() => this.wake());
    return id;
  }

  /** Calls `listener` whenever this process has added work; returns how to stop. */
  onWake(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  wake(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Every job, oldest first. */
  async list(state?: JobState): Promise<Job[]> {
    const jobs = await listValues<Job>(this.#kv, ["job"]);
    return state === undefined ? jobs : jobs.filter((job) => job.state === state);
  }

  /** How many jobs stand where, as the indexes tell, and since when the oldest has waited. */
  async count(): Promise<JobCounts> {
    const counts: JobCounts = { waiting: 0, running: 0, dead: 0, oldestDue: null };
    for (const prefix of [["due"], ["dead"]]) {
      const entries = this.#kv.list<JobState | null>({ prefix }, { batchSize: 500 });
      for await (const { key, value } of entries) {
        // None: of an earlier version that still runs beside this one.
        const state = value ?? "waiting";
        counts[state]++;
        if (state !== "waiting") continue;
        counts.oldestDue = Math.min(counts.oldestDue ?? Infinity, key[2] as number);
      }
    }
    return counts;
  }

  /** Gives a dead job a fresh set of attempts. */
  retry(id: string): Promise<Job> {
    return transact(this.#kv, async (commit) => {
      const job = await commit.get<Job>(jobKey(id));
      if (job === null) throw new ServiceError("notFound", "No job with that id.");
      if (job.state !== "dead") {
        throw new ServiceError("conflict", "Only a dead job can be retried.");
      }
      const next = afresh(job, { subject: job.subject, dueAt: this.#now() });
      writeJob(commit, job, next);
      commit.after(() => this.wake());
      return next;
    });
  }
}

/** A KV queue carries a message at most 30 days; the sweep finds what is due later. */
const LONGEST_DELAY_MS = 30 * DAY;

function delayUntil(dueAt: number, at: number): number {
  return Math.min(LONGEST_DELAY_MS, Math.max(0, dueAt - at));
}
