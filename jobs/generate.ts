/** The job that paints a creation: which of a model's faults are worth another attempt, and when. */
import { SECOND } from "../domain/foundation/calendar.ts";
import { failGeneration, generate, type Generation } from "../domain/creations/generate.ts";
import { retryCost, type StoredCreation } from "../domain/creations/shape.ts";
import { transact } from "../domain/kv/transact.ts";
import type { Job } from "../domain/kv/jobs/job.ts";
import { ModelError } from "../domain/models/model.ts";
import { StorageError } from "../domain/media/storage/storage.ts";
import { type Handler, listed } from "./handler.ts";

/** Waits before further attempts after a passing fault; each must begin within the window. */
const BACKOFF_MS = [2 * SECOND, 8 * SECOND, 30 * SECOND];
const MOST_ATTEMPTS = 1 + BACKOFF_MS.length;
const WINDOW_MS = 100 * SECOND;

/** Jobs of one brand at once. Calls that hang for one brand leave room for the others. */
const PER_BRAND = 8;

export const generateHandler: Handler<"generate"> = {
  concurrency: ({ imageModel }) => imageModel.atOnce,
  perBrand: PER_BRAND,
  maxAttempts: MOST_ATTEMPTS,
  backoff,
  async run(service, run) {
    const target = targetOf(run.job);
    try {
      await generate(service, target, run);
    } catch (error) {
      const known = error instanceof ModelError || error instanceof StorageError;
      if (!known || run.signal.aborted) throw error;
      if (isWorthAnother(error, run.job, service.now())) throw error;
      const reason = (failed: StoredCreation) =>
        error instanceof ModelError
          ? error.message
          : `The image store did not answer. ${retryCost(failed)}`;
      await transact(service.kv, async (commit) => {
        await failGeneration(service, commit, target, reason);
        await run.finish(commit);
      });
    }
  },
  async onDead(service, commit, job) {
    await failGeneration(
      service,
      commit,
      targetOf(job),
      (failed) => `An unexpected error stopped the generation. ${retryCost(failed)}`,
    );
  },
};

const usualBackoff = listed(BACKOFF_MS);

/** Milliseconds until the next attempt: what the server asked for, at least the usual. */
function backoff(attempt: number, reason?: unknown): number {
  const asked = reason instanceof ModelError ? (reason.retryAfter ?? 0) * SECOND : 0;
  return Math.max(usualBackoff(attempt), asked);
}

function isWorthAnother(error: ModelError | StorageError, job: Job, at: number): boolean {
  const attempt = job.attempts + 1;
  if (attempt >= MOST_ATTEMPTS) return false;
  if (
    error instanceof ModelError && (!error.transient || attempt >= (error.tries ?? MOST_ATTEMPTS))
  ) {
    return false;
  }
  return at + backoff(attempt, error) <= (job.startedAt ?? at) + WINDOW_MS;
}

function targetOf({ brandId, subject }: Job<"generate">): Generation {
  return { brandId, ...subject };
}
