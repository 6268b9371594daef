/** Deletes files that were reserved but that no record came to own. */
import { HOUR, MINUTE } from "../domain/foundation/calendar.ts";
import { sweepFiles } from "../domain/media/storage/reservations.ts";
import { exponential, type Handler } from "./handler.ts";

export const sweepFilesHandler: Handler<"sweepFiles"> = {
  concurrency: 4,
  maxAttempts: 10,
  backoff: exponential(MINUTE, HOUR),
  run: (service, run) =>
    sweepFiles(
      service,
      run.job.brandId,
      run.job.subject.reservationId,
      (commit) => run.finish(commit),
    ),
};
