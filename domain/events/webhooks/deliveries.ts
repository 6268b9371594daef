/** What is sent to webhooks: a record for each event and webhook, whose job tries until it arrives. */
import { DAY, HOUR, iso, MINUTE, SECOND } from "../../foundation/calendar.ts";
import { notFound } from "../../foundation/errors.ts";
import { idOf, instantOf, isId, newId } from "../../foundation/ids.ts";
import type { Acting } from "../../kv/audit.ts";
import { type StoredEvent, TEST_TYPE } from "../../kv/event_types.ts";
import { eventKey, EVENTS_KEPT_MS } from "../../kv/outbox.ts";
import { type Commit, getEach, listValues, transact } from "../../kv/transact.ts";
import type { Service } from "../../service/service.ts";
import { raiseAlert } from "../alerts.ts";
import { type Delivery, shownDelivery, type StoredDelivery, type StoredWebhook } from "./shape.ts";
import { note, readWebhook, requireActive, writeWebhook } from "./store.ts";

/** Waits before the second and each later try, ms. After the last one the delivery is dead. */
export const WAITS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** A webhook that nothing has reached for so long is switched off. */
const PATIENCE_MS = 5 * DAY;
/** Deliveries that a list shows. */
const SHOWN = 100;

const deliveryKey = (brandId: string, webhookId: string, id: string): Deno.KvKey => [
  "webhookDelivery",
  brandId,
  webhookId,
  id,
];

type Target = Pick<StoredWebhook, "id" | "brandId">;
type Named = Pick<StoredDelivery, "brandId" | "webhookId" | "id">;
type Adder = Pick<Service, "now" | "jobs">;

/** The same id for the same words, so that work which is done again adds nothing. */
async function idFor(eventId: string, ...words: string[]): Promise<string> {
  const text = new TextEncoder().encode([eventId, ...words].join(" "));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return idOf("delivery", instantOf(eventId), hash);
}

/** Adds the delivery of an event to a webhook, once however often it is called. */
export async function deliverOnce(
  service: Service,
  webhook: Target,
  eventId: string,
): Promise<void> {
  const id = await idFor(eventId, webhook.id);
  await transact(service.kv, async (commit) => {
    const key = deliveryKey(webhook.brandId, webhook.id, id);
    if (await commit.get(key) === null) await add(service, commit, webhook, eventId, id);
  });
}

/**
 * Has an event delivered once more, now. All replays share one delivery an event, and one job, so that
 * many of them to a receiver that does not answer make no pile.
 * @param round names the replay; called again with it, this adds nothing
 */
export async function deliverAgain(
  service: Service,
  webhook: Target,
  eventId: string,
  round: string,
): Promise<void> {
  const id = await idFor(eventId, webhook.id, "replay");
  await transact(service.kv, async (commit) => {
    const key = deliveryKey(webhook.brandId, webhook.id, id);
    if ((await commit.get<StoredDelivery>(key))?.round === round) return;
    await add(service, commit, webhook, eventId, id, round);
  });
}

async function add(
  { now, jobs }: Adder,
  commit: Commit,
  { id: webhookId, brandId }: Target,
  eventId: string,
  id: string,
  round?: string,
): Promise<StoredDelivery> {
  const at = iso(now());
  const delivery: StoredDelivery = {
    ...{ id, webhookId, brandId, eventId, attempt: 0, status: null, error: null, at, nextAt: at },
    ...{ isOver: false, ...round === undefined ? {} : { round } },
  };
  write(commit, delivery);
  await jobs.add(commit, {
    kind: "deliverEvent",
    brandId,
    subject: { webhookId, deliveryId: id },
    ...round === undefined ? {} : { id: `deliver:${id}`, hurry: true },
  });
  return delivery;
}

function write(commit: Commit, delivery: StoredDelivery): void {
  const { brandId, webhookId, id } = delivery;
  commit.set(deliveryKey(brandId, webhookId, id), delivery, { expireIn: EVENTS_KEPT_MS });
}

function readStored(
  commit: Commit,
  { brandId, webhookId, id }: Named,
): Promise<StoredDelivery | null> {
  return commit.get(deliveryKey(brandId, webhookId, id));
}

export async function readDelivery(
  kv: Deno.Kv,
  brandId: string,
  webhookId: string,
  id: string,
): Promise<StoredDelivery | null> {
  if (!isId("delivery", id)) return null;
  return (await kv.get<StoredDelivery>(deliveryKey(brandId, webhookId, id))).value;
}

/** The webhook's newest deliveries, newest first. */
export async function listDeliveries(
  kv: Deno.Kv,
  { brandId, id }: Target,
): Promise<Delivery[]> {
  const prefix = ["webhookDelivery", brandId, id];
  const options = { reverse: true, limit: SHOWN };
  const stored = await listValues<StoredDelivery>(kv, prefix, options);
  const keys = stored.map(({ eventId }) => eventKey(brandId, eventId));
  const events = await getEach<StoredEvent>(kv, keys);
  return stored.map((delivery, n) => shownDelivery(delivery, events[n] ?? null));
}

/** Sends an event that is in no feed. @throws ServiceError `notFound`; `conflict` if it is off */
export function sendTest(
  acting: Acting & Adder,
  brandId: string,
  webhookId: string,
): Promise<Delivery> {
  const { kv, now } = acting;
  return transact(kv, async (commit) => {
    const webhook = await requireActive(commit, brandId, webhookId);
    const event: StoredEvent = {
      ...{ id: newId("event", now()), type: TEST_TYPE, createdAt: iso(now()), brandId },
      data: { webhookId },
    };
    commit.set(eventKey(brandId, event.id), event, { expireIn: EVENTS_KEPT_MS });
    note(commit, acting, webhook, "webhook.tested");
    return shownDelivery(
      await add(acting, commit, webhook, event.id, newId("delivery", now())),
      event,
    );
  });
}

/** Sends a delivery's event once more, as a delivery of its own. @throws like `sendTest` */
export function replayDelivery(
  acting: Acting & Adder,
  brandId: string,
  webhookId: string,
  id: string,
): Promise<Delivery> {
  const { kv, now } = acting;
  return transact(kv, async (commit) => {
    const webhook = await requireActive(commit, brandId, webhookId);
    const former = await readDelivery(kv, brandId, webhookId, id);
    if (former === null) throw notFound("delivery");
    note(commit, acting, webhook, "webhook.replayed");
    const { value: event } = await kv.get<StoredEvent>(eventKey(brandId, former.eventId));
    return shownDelivery(
      await add(acting, commit, webhook, former.eventId, newId("delivery", now())),
      event,
    );
  });
}

/** Has all events since an instant sent once more. @throws like `sendTest` */
export function replaySince(
  acting: Acting & Adder,
  brandId: string,
  webhookId: string,
  since: string,
): Promise<void> {
  return transact(acting.kv, async (commit) => {
    const webhook = await requireActive(commit, brandId, webhookId);
    note(commit, acting, webhook, "webhook.replayed");
    const subject = { webhookId, since };
    await acting.jobs.add(commit, { kind: "fanOut", brandId, subject });
  });
}

/** What became of one try. */
export interface Outcome {
  /** What the receiver answered; null: nothing. */
  status: number | null;
  /** Null: it was delivered. */
  error: string | null;
  /** The receiver wants nothing more, ever. */
  isGone?: boolean;
}

/** What a try has changed. */
export interface Noted {
  /** It was the delivery's last try, or a replay begins afresh after it. */
  isOver: boolean;
  /** With this try the webhook began to fail, or was switched off. */
  turned: "failing" | "off" | null;
}

/** Stores what became of a try, and of the webhook if nothing reaches it any more. */
export async function noteAttempt(
  service: Service,
  commit: Commit,
  delivery: StoredDelivery,
  outcome: Outcome,
): Promise<Noted> {
  const { status, error, isGone = false } = outcome;
  const at = service.now();
  const attempt = delivery.attempt + 1;
  const wait = WAITS[delivery.attempt];
  const isOver = error === null || isGone || wait === undefined;
  const nextAt = isOver ? null : iso(at + wait);
  const stored = await readStored(commit, delivery);
  // A replay that was asked for during this try has written its own, which is still to be sent.
  const isReplaced = stored?.round !== delivery.round;
  if (!isReplaced) {
    write(commit, { ...delivery, attempt, status, error, at: iso(at), nextAt, isOver });
  }
  const webhook = await readWebhook(commit, delivery.brandId, delivery.webhookId);
  const turned = webhook === null ? null : await noteHealth(service, commit, webhook, outcome);
  return { isOver: isOver || isReplaced, turned };
}

/** Notes since when nothing has reached the webhook, and switches it off after 5 days. */
async function noteHealth(
  service: Service,
  commit: Commit,
  webhook: StoredWebhook,
  { error, isGone = false }: Outcome,
): Promise<Noted["turned"]> {
  // Switched off while this try was under way.
  if (!webhook.active) return null;
  const at = service.now();
  if (error === null) {
    if (webhook.failingSince !== null) {
      await writeWebhook(commit, { ...webhook, failingSince: null });
    }
    return null;
  }
  const failingSince = webhook.failingSince ?? iso(at);
  const isDead = isGone || at - Date.parse(failingSince) >= PATIENCE_MS;
  if (isDead) {
    await switchOff(service, commit, webhook, error, isGone);
    return "off";
  }
  if (webhook.failingSince !== null) return null;
  await writeWebhook(commit, { ...webhook, failingSince });
  return "failing";
}

async function switchOff(
  service: Service,
  commit: Commit,
  webhook: StoredWebhook,
  error: string,
  isGone: boolean,
): Promise<void> {
  const { id, brandId } = webhook;
  const disabledReason = isGone
    ? "The receiver answered 410: it wants no more events."
    : `No event could be delivered for 5 days. The last try: ${error}`;
  const disabledAt = iso(service.now());
  await writeWebhook(commit, {
    ...{ ...webhook, active: false, disabledAt, disabledReason, failingSince: null },
  });
  await raiseAlert(service, commit, {
    brandId,
    kind: "webhookOff",
    id: `webhookOff:${id}:${disabledAt}`,
    text: `The webhook to ${new URL(webhook.url).host} was switched off. ${disabledReason} ` +
      "Mend the receiver, switch the webhook on again, and replay what it has missed.",
  });
}

/** Gives a delivery up without another try. Does nothing if it is over already. */
export async function endDelivery(
  commit: Commit,
  delivery: Named,
  reason: string,
): Promise<void> {
  const stored = await readStored(commit, delivery);
  if (stored === null || stored.isOver) return;
  write(commit, { ...stored, nextAt: null, error: stored.error ?? reason, isOver: true });
}
