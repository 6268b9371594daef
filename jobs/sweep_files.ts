/** Deletes files that were reserved and never found an owner. */
import { HOUR, MINUTE } from "../domain/calendar.ts";
import { sweepFiles } from "../domain/storage/reservations.ts";
import { exponential, type Handler } from "./queue.ts";

export const sweepFilesHandler: Handler = {
  concurrency: 4,
  maxAttempts: 10,
  backoff: exponential(MINUTE, HOUR),
  run: (service, run) =>
    sweepFiles(
      service,
      run.job.brandId!,
      run.job.subject["reservationId"]!,
      (commit) => run.finish(commit),
    ),
};
