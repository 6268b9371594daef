/**
 * Durable jobs: work nobody waits for. The record in KV is the truth. It is added in the same commit
 * as the fact that needs it and deleted in the same commit as its effect; `jobs/` runs it.
 */
import { DAY, iso, type Now } from "../../foundation/calendar.ts";
import { ServiceError } from "../../foundation/errors.ts";
import { newId } from "../../foundation/ids.ts";
import { audit, type By } from "../audit.ts";
import { type Commit, transact } from "../transact.ts";
import { countJobs, type JobCounts } from "./indexes.ts";
import type { Job, JobState } from "./job.ts";
import type { JobKind, JobSubject } from "./kinds.ts";
import { afresh, listJobs, readJob, writeJob } from "./records.ts";

export interface NewJob<Kind extends JobKind> {
  kind: Kind;
  brandId: string;
  subject: JobSubject<Kind>;
  /** Instant, ms; at once when absent. */
  dueAt?: number;
  /** A fixed id makes the job unique: while it exists, adding it again changes nothing. */
  id?: string;
  /**
   * What the job looks at has changed. So a job of that id that waits for a later time starts afresh
   * now, and one that is running, and may have looked before, runs once more.
   */
  hurry?: boolean;
}

interface Listener {
  wake(): void;
  /** The store's queue can't be listened to. */
  failed(error: unknown): void;
}

const ofStores = new WeakMap<Deno.Kv, Jobs>();

/** The jobs of a store, for code that has only a commit at hand; null before any were made. */
export function jobsOf(kv: Deno.Kv): Jobs | null {
  return ofStores.get(kv) ?? null;
}

/** Adds, lists and retries jobs, and wakes those who run them. */
export class Jobs {
  readonly #kv: Deno.Kv;
  readonly #now: Now;
  /** Whether KV queues exist on this store, so that commits also enqueue a wake-up message. */
  readonly #hasQueue: boolean;
  readonly #listeners = new Set<Listener>();
  #listensToQueue = false;

  constructor(kv: Deno.Kv, now: Now, options: { queue: boolean }) {
    this.#kv = kv;
    this.#now = now;
    this.#hasQueue = options.queue;
    ofStores.set(kv, this);
  }

  /** Adds a job to the commit of the fact that needs it; returns its id. */
  async add<Kind extends JobKind>(commit: Commit, input: NewJob<Kind>): Promise<string> {
    const at = this.#now();
    const id = input.id ?? newId("job", at);
    const alive = input.id === undefined ? null : await readJob(commit, id);
    const { kind, brandId, subject, dueAt = at, hurry = false } = input;
    if (alive?.state === "running") {
      if (hurry) writeJob(commit, alive, { ...alive, again: { subject, dueAt } });
      return id;
    }
    if (alive?.state === "waiting" && !hurry) return id;
    const job = afresh({ id, kind, brandId, createdAt: iso(at) }, { subject, dueAt });
    writeJob(commit, alive, job);
    if (this.#hasQueue) commit.enqueue({ job: id }, { delay: delayUntil(dueAt, at) });
    commit.after(() => this.wake());
    return id;
  }

  /**
   * Calls `listener.wake` whenever this process has added a job, or another one has and the store
   * has queues. Returns how to stop; a stopped listener is called no more.
   */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.#listenToQueue();
    return () => this.#listeners.delete(listener);
  }

  /** A message only says that there is work; the record in KV says what. */
  #listenToQueue(): void {
    if (!this.#hasQueue || this.#listensToQueue) return;
    this.#listensToQueue = true;
    const failed = (error: unknown) => {
      for (const listener of this.#listeners) listener.failed(error);
    };
    this.#kv.listenQueue(() => this.wake()).catch(failed);
  }

  /** Tells every listener that there may be work. */
  wake(): void {
    for (const listener of this.#listeners) listener.wake();
  }

  /** Every job, oldest first. */
  async list(state?: JobState): Promise<Job[]> {
    const jobs = await listJobs(this.#kv);
    return state === undefined ? jobs : jobs.filter((job) => job.state === state);
  }

  count(): Promise<JobCounts> {
    return countJobs(this.#kv);
  }

  /** Gives a dead job a fresh set of attempts. */
  retry(by: By, id: string): Promise<Job> {
    return transact(this.#kv, async (commit) => {
      const job = await readJob(commit, id);
      if (job === null) throw new ServiceError("notFound", "No job with that id.");
      if (job.state !== "dead") {
        throw new ServiceError("conflict", "Only a dead job can be retried.");
      }
      const next = afresh(job, { subject: job.subject, dueAt: this.#now() });
      writeJob(commit, job, next);
      const { brandId } = job;
      audit(commit, { now: this.#now, by }, { action: "job.retried", of: brandId, subject: id });
      commit.after(() => this.wake());
      return next;
    });
  }
}

/** A KV queue carries a message at most 30 days; the worker's sweep finds what is due later. */
const LONGEST_DELAY_MS = 30 * DAY;

function delayUntil(dueAt: number, at: number): number {
  return Math.min(LONGEST_DELAY_MS, Math.max(0, dueAt - at));
}
