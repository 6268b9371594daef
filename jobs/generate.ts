/** The job that paints a creation: when a model's fault is worth another try, and when it is final. */
import { SECOND } from "../domain/calendar.ts";
import { failGeneration, generate, type Generation } from "../domain/creations/generate.ts";
import { retryCost, type StoredCreation } from "../domain/creations/shape.ts";
import { transact } from "../domain/kv.ts";
import type { Job } from "../domain/jobs.ts";
import { ModelError } from "../domain/models/model.ts";
import { StorageError } from "../domain/storage/storage.ts";
import type { Handler } from "./queue.ts";

/** Tries beside the first for a fault that may pass, all begun within the window. */
const BACKOFF_MS = [2 * SECOND, 8 * SECOND, 30 * SECOND];
const MOST_TRIES = 1 + BACKOFF_MS.length;
const WINDOW_MS = 100 * SECOND;

/** Two keep this machine's cores busy and leave room for requests. */
const EMBEDDED = 2;
/** A remote model lets us wait, 10 to 120 s a picture, and costs this machine little. */
const REMOTE = 16;

export const generateHandler: Handler = {
  concurrency: ({ settings }) => settings.OPENAI_API_KEY === undefined ? EMBEDDED : REMOTE,
  // Calls that hang for one brand leave room for the others.
  perBrand: REMOTE / 2,
  maxAttempts: MOST_TRIES,
  backoff,
  async run(service, run) {
    const target = targetOf(run.job);
    try {
      await generate(service, target, run);
    } catch (error) {
      const known = error instanceof ModelError || error instanceof StorageError;
      if (!known || run.signal.aborted) throw error;
      if (worthAnotherTry(error, run.job, service.now())) throw error;
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
  async bury(service, commit, job) {
    await failGeneration(
      service,
      commit,
      targetOf(job),
      (failed) => `The service met an unexpected fault while generating. ${retryCost(failed)}`,
    );
  },
};

/** Milliseconds until the next try: what the server asked for, at least the usual. */
function backoff(attempt: number, reason?: unknown): number {
  const usual = BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length) - 1]!;
  const asked = reason instanceof ModelError ? (reason.retryAfter ?? 0) * SECOND : 0;
  return Math.max(usual, asked);
}

function worthAnotherTry(error: ModelError | StorageError, job: Job, at: number): boolean {
  const attempt = job.attempts + 1;
  if (attempt >= MOST_TRIES) return false;
  if (error instanceof ModelError && (!error.transient || attempt >= (error.tries ?? MOST_TRIES))) {
    return false;
  }
  return at + backoff(attempt, error) <= (job.startedAt ?? at) + WINDOW_MS;
}

function targetOf({ brandId, subject }: Job): Generation {
  const { creationId = "", generation } = subject;
  return { brandId: brandId ?? "", creationId, generation: Number(generation) };
}
