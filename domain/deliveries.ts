/** Deliveries to a brand's webhook: durable, each id at least once, retried; a dead webhook is switched off. */
import { DAY, HOUR, iso, MINUTE, SECOND } from "./calendar.ts";
import { type Message, payloadOf, postWebhook, type Sent } from "./discord.ts";
import { isWebhook, requireKit, type StoredKit, switchWebhookOff } from "./kit.ts";
import type { Commit } from "./kv.ts";
import type { Service } from "./service.ts";

/** What became of a message. `failed`: given up, `error` says why; its job can be retried. */
export type DeliveryState = "waiting" | "delivered" | "switchedOff" | "failed";

export interface Delivery {
  id: string;
  brandId: string;
  message: Message;
  state: DeliveryState;
  createdAt: string;
  /** Discord's id of the message. */
  messageId: string | null;
  error: string | null;
}

/** Waits between the tries (DECISIONS, fine print "Brand kit"), ms. */
export const RETRIES: readonly number[] = [
  10 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
];
/** The log of what was sent keeps an id from being sent again for as long. */
const KEPT = 90 * DAY;
/** A webhook that only ever says "later" is given up after this. */
const PATIENCE = DAY;

const deliveryKey = (brandId: string, id: string): Deno.KvKey => ["delivery", brandId, id];

/** Whether there is a webhook to deliver to. */
export function isOn({ discordWebhookUrl, webhookStatus }: StoredKit): boolean {
  return discordWebhookUrl !== null && webhookStatus === "on";
}

/** Adds a message to be delivered in `commit`; nothing when there is no webhook or the id was used. */
export async function addDelivery(
  service: Service,
  commit: Commit,
  brandId: string,
  id: string,
  message: Message,
): Promise<Delivery | null> {
  if (!isOn(await requireKit(commit, brandId))) return null;
  if (await readDelivery(commit, brandId, id) !== null) return null;
  const delivery: Delivery = {
    id,
    brandId,
    message,
    state: "waiting",
    createdAt: iso(service.now()),
    messageId: null,
    error: null,
  };
  writeDelivery(commit, delivery);
  return delivery;
}

export function readDelivery(
  commit: Commit,
  brandId: string,
  id: string,
): Promise<Delivery | null> {
  return commit.get(deliveryKey(brandId, id));
}

/** Whether the message may still be sent. */
export function isOpen({ state }: Delivery): boolean {
  return state === "waiting" || state === "failed";
}

/** One try. The answer is to be written by `settleDelivery`, in the commit that ends the job. */
export async function send(
  service: Service,
  kit: StoredKit,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Sent> {
  const url = kit.discordWebhookUrl;
  if (url === null || !isOn(kit)) return { state: "off" };
  if (!isWebhook(url, service.settings)) {
    return { state: "refused", reason: "The webhook's address is not allowed." };
  }
  const sent = await postWebhook(
    service,
    url,
    payloadOf(delivery.message, delivery.id, delivery.createdAt),
    signal,
  );
  const age = service.now() - Date.parse(delivery.createdAt);
  if (sent.state === "limited" && age + sent.retryAfter > PATIENCE) {
    return { state: "refused", reason: "Discord kept on limiting the rate for a day." };
  }
  return sent;
}

/** What ends a delivery; after any other answer it is tried again or given up. */
export type Settled = Extract<Sent, { state: "delivered" | "off" | "dead" }>;

/** Writes how a delivery ended; a dead webhook is switched off with it. */
export async function settleDelivery(
  commit: Commit,
  kit: StoredKit,
  delivery: Delivery,
  sent: Settled,
): Promise<void> {
  if (sent.state === "dead") {
    await switchWebhookOff(commit, delivery.brandId, kit.discordWebhookUrl!);
  }
  writeDelivery(commit, {
    ...delivery,
    state: sent.state === "delivered" ? "delivered" : "switchedOff",
    messageId: sent.state === "delivered" ? sent.messageId : null,
    error: sent.state === "dead" ? sent.reason : null,
  });
}

/** Gives up a delivery, if there is one by now, and lets it say why. */
export async function failDelivery(
  commit: Commit,
  brandId: string,
  id: string,
  reason: string,
): Promise<void> {
  const delivery = await readDelivery(commit, brandId, id);
  if (delivery === null || !isOpen(delivery)) return;
  writeDelivery(commit, { ...delivery, state: "failed", error: reason });
}

function writeDelivery(commit: Commit, delivery: Delivery): void {
  commit.set(deliveryKey(delivery.brandId, delivery.id), delivery, { expireIn: KEPT });
}
