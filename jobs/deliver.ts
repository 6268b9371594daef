/** Delivers one message to a brand's webhook. */
import {
  type Delivery,
  endDelivery,
  failDelivery,
  isOpen,
  readDelivery,
  RETRIES,
  send,
} from "../domain/events/deliveries.ts";
import { readKit } from "../domain/brands/kit.ts";
import { reader, transact } from "../domain/kv/transact.ts";
import type { Service } from "../domain/service/service.ts";
import { type Handler, listed, NonRetryableError, Snooze, UndeliveredError } from "./handler.ts";
import type { JobRun } from "./job_run.ts";

export const deliver: Handler<"deliver"> = {
  concurrency: 8,
  maxAttempts: RETRIES.length + 1,
  backoff: listed(RETRIES),
  async run(service, run) {
    const { brandId, subject } = run.job;
    const delivery = await transact(
      service.kv,
      (commit) => readDelivery(commit, brandId, subject.deliveryId),
    );
    if (delivery !== null && isOpen(delivery)) await deliverNow(service, run, delivery);
  },
  onDead: (_, commit, { brandId, subject }, reason) =>
    failDelivery(commit, brandId, subject.deliveryId, reason),
};

/**
 * Sends once and finishes the job in the commit that records it.
 * @throws when it should be tried again
 */
export async function deliverNow(
  service: Service,
  run: JobRun<"deliver" | "digest">,
  delivery: Delivery,
): Promise<void> {
  const kit = await readKit(reader(service.kv), delivery.brandId);
  const sent = await send(service, kit, delivery, run.signal);
  if (sent.state === "refused") throw new NonRetryableError(sent.reason);
  if (sent.state === "failed") throw new UndeliveredError(sent.reason);
  if (sent.state === "limited") throw new Snooze(service.now() + sent.retryAfter);
  if (run.job.kind === "digest") run.count(sent.state === "delivered" ? "sent" : "skipped");
  await transact(service.kv, async (commit) => {
    await endDelivery(commit, kit, delivery, sent);
    await run.finish(commit);
  });
}
