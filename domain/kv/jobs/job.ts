/** A durable job: one piece of work that survives the process, and the states it can be in. */
import { z } from "zod";
import type { JobKind, JobSubject } from "./kinds.ts";

/**
 * `waiting`: runs when it is due. `running`: a worker holds its lease. `dead`: given up; stays visible
 * until somebody retries it. A job that has succeeded is deleted.
 */
export const JobState = z.enum(["waiting", "running", "dead"]);
export type JobState = z.output<typeof JobState>;

export interface Job<Kind extends JobKind = JobKind> {
  id: string;
  /** Which handler runs it. */
  kind: Kind;
  brandId: string;
  subject: JobSubject<Kind>;
  state: JobState;
  /** When it runs next; while running, when its lease expires. Instant, ms. */
  dueAt: number;
  /** Failed attempts so far. */
  attempts: number;
  /** How often a worker lost its lease while it ran this: it was killed, or stalled for too long. */
  lostLeases: number;
  /** When it first ran. Instant, ms. */
  startedAt: number | null;
  /** Token of the worker that runs it. */
  lease: string | null;
  /** Why the last attempt failed. */
  error: string | null;
  createdAt: string;
  /** It was asked for while it ran, so it runs once more after that, as asked. */
  again?: Ask<Kind>;
}

/** What a run is to do, and from when on. */
export interface Ask<Kind extends JobKind = JobKind> {
  subject: JobSubject<Kind>;
  /** Instant, ms. */
  dueAt: number;
}

export function isOf<Kind extends JobKind>(kind: Kind, job: Job): job is Job<Kind> {
  return job.kind === kind;
}
