/** Posts one event to one webhook, once. */
import { reader } from "../../kv/transact.ts";
import type { StoredEvent } from "../../kv/event_types.ts";
import { eventKey } from "../../kv/outbox.ts";
import type { Service } from "../../service/service.ts";
import { bodyFor } from "./body.ts";
import type { Outcome } from "./deliveries.ts";
import type { StoredDelivery, StoredWebhook } from "./shape.ts";
import { signedHeaders } from "./signature.ts";
import { readWebhook, signingSecrets } from "./store.ts";

const GONE = 410;

/** What a delivery names; a text instead: why it can't be sent any more. */
export async function readMessage(
  { kv }: Pick<Service, "kv">,
  { brandId, webhookId, eventId }: StoredDelivery,
): Promise<{ webhook: StoredWebhook; event: StoredEvent } | string> {
  const [webhook, { value: event }] = await Promise.all([
    readWebhook(reader(kv), brandId, webhookId),
    kv.get<StoredEvent>(eventKey(brandId, eventId)),
  ]);
  if (webhook === null) return "The webhook was deleted.";
  if (!webhook.active) return "The webhook is switched off.";
  return event === null ? "The event has expired." : { webhook, event };
}

/** @throws only when `signal` aborts */
export async function sendEvent(
  { secrets, now, postPublic, settings }: Service,
  webhook: StoredWebhook,
  event: StoredEvent,
  signal: AbortSignal,
): Promise<Outcome> {
  const keys = await signingSecrets(secrets, webhook, now()).catch(() => null);
  if (keys === null) {
    return { status: null, error: "The webhook's secret can't be read with this SECRET_KEY." };
  }
  const body = bodyFor(settings, webhook.url, event);
  const headers = await signedHeaders(keys, event.id, now(), body);
  const answer = await postPublic(webhook.url, { headers, body, signal });
  signal.throwIfAborted();
  if ("error" in answer) return { status: null, error: answer.error };
  const { status } = answer;
  if (status >= 200 && status < 300) return { status, error: null };
  return { status, error: `The receiver answered ${status}.`, isGone: status === GONE };
}
