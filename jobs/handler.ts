/** What a kind of job has to bring, and what its handler can throw. */
import type { Job } from "../domain/kv/jobs/job.ts";
import type { JobKind } from "../domain/kv/jobs/kinds.ts";
import type { Commit } from "../domain/kv/transact.ts";
import type { Service } from "../domain/service/service.ts";
import type { JobRun } from "./job_run.ts";

export interface Handler<Kind extends JobKind> {
  /** How many of this kind one process runs at once. */
  concurrency: number | ((service: Service) => number);
  /** How many of these may be one brand's, for kinds that take turns; absent: all. */
  perBrand?: number;
  /**
   * How many of these may be of one turn, for kinds in which a brand has several; absent: all. The first
   * one of a turn may always run, so a brand can have more than `perBrand` by its number of turns.
   */
  perTurn?: number;
  /** Failed attempts after which the job is dead. */
  maxAttempts: number;
  /** Milliseconds to wait after failed attempt number `attempt` (from 1); pure. */
  backoff(attempt: number, reason?: unknown): number;
  /**
   * @throws Snooze to run again later without spending an attempt; NonRetryableError when another
   *   attempt can't help; anything else counts as a failed attempt
   */
  run(service: Service, run: JobRun<Kind>): Promise<void>;
  /** Tells what the job was for why it failed, in the commit that makes the job dead. */
  onDead?(service: Service, commit: Commit, job: Job<Kind>, reason: string): Promise<void>;
}

/** One handler a kind: a kind without its handler does not compile. */
export type Handlers = { [Kind in JobKind]: Handler<Kind> };

/** Thrown by a handler to run again at an instant of its choice without spending an attempt. */
export class Snooze extends Error {
  override readonly name = "Snooze";
  readonly until: number;
  /** @param until instant, ms */
  constructor(until: number) {
    super("snoozed");
    this.until = until;
  }
}

/** Thrown by a handler when another attempt can't help. */
export class NonRetryableError extends Error {
  override readonly name = "NonRetryableError";
}

/**
 * Thrown by a handler when a brand's own address did not take what was sent: an ordinary failed attempt,
 * which is the brand's to mend. So the log has no stack of it, and nothing above debug.
 */
export class UndeliveredError extends Error {
  override readonly name = "UndeliveredError";
}

/** A back-off of listed waits in ms, the last of which holds for every later attempt. */
export function listed(waits: readonly number[]): (attempt: number) => number {
  return (attempt) => waits[Math.min(attempt, waits.length) - 1] ?? 0;
}

/** Exponential back-off from `first` ms, at most `most` ms. */
export function exponential(first: number, most: number): (attempt: number) => number {
  return (attempt) => Math.min(most, first * 2 ** (attempt - 1));
}
