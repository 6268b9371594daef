/** Delivers one message to a brand's webhook. */
import {
  type Delivery,
  failDelivery,
  isOpen,
  readDelivery,
  RETRIES,
  send,
  settleDelivery,
} from "../domain/deliveries.ts";
import { readKit } from "../domain/kit.ts";
import { transact } from "../domain/kv.ts";
import type { Service } from "../domain/service.ts";
import { type Handler, Hopeless, type JobRun, Postponed } from "./queue.ts";

export const deliver: Handler = {
  concurrency: 4,
  maxAttempts: RETRIES.length + 1,
  backoff: (attempt) => RETRIES[attempt - 1] ?? RETRIES.at(-1)!,
  run: async (service, run) => {
    const { brandId, subject } = run.job;
    const delivery = await transact(
      service.kv,
      (commit) => readDelivery(commit, brandId!, subject["deliveryId"]!),
    );
    if (delivery !== null && isOpen(delivery)) await deliverNow(service, run, delivery);
  },
  bury: (_, commit, { brandId, subject }, reason) =>
    failDelivery(commit, brandId!, subject["deliveryId"]!, reason),
};

/**
 * One try, finished in one commit with the job; answers whether it was delivered.
 * @throws when it should be tried again
 */
export async function deliverNow(
  service: Service,
  run: JobRun,
  delivery: Delivery,
): Promise<boolean> {
  const kit = await readKit(service.kv, delivery.brandId);
  const sent = await send(service, kit, delivery, run.signal);
  if (sent.state === "refused") throw new Hopeless(sent.reason);
  if (sent.state === "failed") throw new Error(sent.reason);
  if (sent.state === "limited") throw new Postponed(service.now() + sent.retryAfter);
  const delivered = sent.state === "delivered";
  if (run.job.kind === "digest") run.count(delivered ? "sent" : "skipped");
  await transact(service.kv, async (commit) => {
    await settleDelivery(commit, kit, delivery, sent);
    await run.finish(commit);
  });
  return delivered;
}
