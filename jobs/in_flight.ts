/** The jobs that one worker is running right now. */
import type { Job } from "../domain/kv/jobs/job.ts";
import type { JobKind } from "../domain/kv/jobs/kinds.ts";

interface Running {
  kind: JobKind;
  brandId: string;
  /** In whose turn it was started; undefined: its kind takes no turns. */
  turn: string | undefined;
  ended: Promise<void>;
  abort: AbortController;
}

export class InFlight {
  readonly #jobs = new Map<string, Running>();
  #changes = 0;

  /** Jobs started and jobs ended so far. */
  get changes(): number {
    return this.#changes;
  }

  get size(): number {
    return this.#jobs.size;
  }

  has(id: string): boolean {
    return this.#jobs.has(id);
  }

  /** How many of a kind are running, of one brand, of one turn, or of all. */
  count(kind: JobKind, { brandId, turn }: { brandId?: string; turn?: string } = {}): number {
    let count = 0;
    for (const job of this.#jobs.values()) {
      const isMeant = (brandId ?? job.brandId) === job.brandId && (turn ?? job.turn) === job.turn;
      if (job.kind === kind && isMeant) count++;
    }
    return count;
  }

  /** Runs a job; `execute` must not reject. */
  start(
    { id, kind, brandId }: Job,
    turn: string | undefined,
    execute: (abort: AbortController) => Promise<void>,
    onEnd: () => void,
  ): void {
    this.#changes++;
    const abort = new AbortController();
    const ended = execute(abort).finally(() => {
      this.#jobs.delete(id);
      this.#changes++;
      onEnd();
    });
    this.#jobs.set(id, { kind, brandId, turn, ended, abort });
  }

  abort(reason: unknown): void {
    for (const { abort } of this.#jobs.values()) abort.abort(reason);
  }

  /** Resolves when one of the running jobs has ended. */
  async oneEnded(): Promise<void> {
    await Promise.race(this.#promises());
  }

  /** Resolves when all running jobs have ended. */
  async allEnded(): Promise<void> {
    await Promise.all(this.#promises());
  }

  #promises(): Promise<void>[] {
    return [...this.#jobs.values()].map(({ ended }) => ended);
  }
}
