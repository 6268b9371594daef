/** Seals what is stored again, after SECRET_KEY was changed or by a version that did not seal it. */
import { HOUR, MINUTE } from "../domain/foundation/calendar.ts";
import { resealAll } from "../domain/platforms/sealed.ts";
import { exponential, type Handler, Snooze } from "./handler.ts";

export const reseal: Handler<"reseal"> = {
  concurrency: 1,
  maxAttempts: 10,
  backoff: exponential(MINUTE, HOUR),
  async run(service, run) {
    // Added by a process with a newer secret, which this one does not know.
    const isOurs = run.job.subject.keyId === service.secrets.keyId;
    if (!isOurs) throw new Snooze(service.now() + MINUTE);
    await resealAll(service, run.signal, (commit) => run.finish(commit));
  },
};
