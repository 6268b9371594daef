/** Webhooks: adds a delivery for each event and webhook, and tries each until it arrives. */
import {
  deliverAgain,
  deliverOnce,
  endDelivery,
  noteAttempt,
  readDelivery,
  WAITS,
} from "../domain/events/webhooks/deliveries.ts";
import { readMessage, sendEvent } from "../domain/events/webhooks/send.ts";
import { readWebhook } from "../domain/events/webhooks/store.ts";
import { MINUTE, SECOND } from "../domain/foundation/calendar.ts";
import { idsFrom } from "../domain/foundation/ids.ts";
import { type StoredEvent, TEST_TYPE } from "../domain/kv/event_types.ts";
import type { Job } from "../domain/kv/jobs/job.ts";
import { eventKey, EVENTS_KEPT_MS, isWanted, wantedKey, type Wants } from "../domain/kv/outbox.ts";
import { getEach, reader, transact } from "../domain/kv/transact.ts";
import type { Service } from "../domain/service/service.ts";
import { exponential, type Handler, listed, UndeliveredError } from "./handler.ts";

/** Adds a delivery for each event and each webhook that wants it. */
export const fanOut: Handler<"fanOut"> = {
  concurrency: 8,
  // A replay of 30 days is long work, and must not hold up what others are told now.
  perBrand: 2,
  maxAttempts: 10,
  backoff: exponential(SECOND, MINUTE),
  async run(service, { job, signal }) {
    const { subject } = job;
    if ("eventIds" in subject) await addEvents(service, job.brandId, subject.eventIds, signal);
    else await replay(service, job, subject, signal);
  },
};

async function addEvents(
  service: Service,
  brandId: string,
  eventIds: string[],
  signal: AbortSignal,
): Promise<void> {
  const { kv } = service;
  const events = await getEach<StoredEvent>(kv, eventIds.map((id) => eventKey(brandId, id)));
  const wants = (await kv.get<Wants>(wantedKey(brandId))).value ?? {};
  for (const event of events) {
    if (event === null || event.type === TEST_TYPE) continue;
    for (const [id, types] of Object.entries(wants)) {
      signal.throwIfAborted();
      if (isWanted(types, event.type)) await deliverOnce(service, { id, brandId }, event.id);
    }
  }
}

/** Sends all that the webhook wants of what happened since an instant, once more. */
async function replay(
  service: Service,
  { id: round, brandId, createdAt }: Pick<Job, "id" | "brandId" | "createdAt">,
  { webhookId, since }: { webhookId: string; since: string },
  signal: AbortSignal,
): Promise<void> {
  const { kv } = service;
  const webhook = await readWebhook(reader(kv), brandId, webhookId);
  if (webhook === null) return;
  // Nothing is kept for longer, and before 1970 there are no ids.
  const from = Math.max(Date.parse(since), Date.parse(createdAt) - EVENTS_KEPT_MS);
  const start = eventKey(brandId, idsFrom("event", from));
  const events = kv.list<StoredEvent>({ prefix: start.slice(0, -1), start }, { batchSize: 100 });
  for await (const { value: { id, type, createdAt: at } } of events) {
    signal.throwIfAborted();
    // An id may be of a later instant than its event. What happens from now on is sent by itself.
    const isDue = Date.parse(at) >= from && at <= createdAt;
    if (type === TEST_TYPE || !isDue || !isWanted(webhook.types, type)) continue;
    await deliverAgain(service, webhook, id, round);
  }
}

export const deliverEvent: Handler<"deliverEvent"> = {
  // A receiver that hangs takes 10 seconds a try, and must not take the others' places. Waiting costs
  // little, so there are places for many brands with such receivers.
  concurrency: 128,
  perBrand: 8,
  // A turn is a webhook's.
  perTurn: 4,
  maxAttempts: WAITS.length + 1,
  backoff: listed(WAITS),
  async run(service, run) {
    const { kv } = service;
    const { brandId, subject: { webhookId, deliveryId } } = run.job;
    const delivery = await readDelivery(kv, brandId, webhookId, deliveryId);
    if (delivery === null || delivery.isOver) return;
    const message = await readMessage(service, delivery);
    if (typeof message === "string") {
      await transact(kv, async (commit) => {
        await endDelivery(commit, delivery, message);
        await run.finish(commit);
      });
      return;
    }
    const outcome = await sendEvent(service, message.webhook, message.event, run.signal);
    const { isOver, turned } = await transact(kv, async (commit) => {
      const noted = await noteAttempt(service, commit, delivery, outcome);
      // A job that dies is the operator's; that a receiver does not answer is its owner's.
      if (noted.isOver) await run.finish(commit);
      else await run.requireLease(commit);
      return noted;
    });
    const { error } = outcome;
    if (turned !== null) service.log.info(`webhook.${turned}`, { brandId, webhookId, error });
    if (!isOver) throw new UndeliveredError(error ?? "not delivered");
  },
  onDead: (_, commit, { brandId, subject: { webhookId, deliveryId: id } }, reason) =>
    endDelivery(commit, { brandId, webhookId, id }, reason),
};
