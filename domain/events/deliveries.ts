/** Deliveries to a brand's webhook: durable, retried, each id at least once. Switches a dead webhook off. */
import { DAY, HOUR, iso, MINUTE, SECOND } from "../foundation/calendar.ts";
import { type Message, payloadOf, postWebhook, type Sent } from "./discord.ts";
import { isWebhook, readKit, type StoredKit, switchWebhookOff, webhookOf } from "../brands/kit.ts";
import type { Commit } from "../kv/transact.ts";
import { inWebhookTurn } from "./webhook_pause.ts";
import type { Service } from "../service/service.ts";

/** `failed`: all tries are used up and `error` says why; its job can be retried. */
type DeliveryState = "waiting" | "delivered" | "switchedOff" | "failed";

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

/** Waits between the tries, ms (DECISIONS "Brand kit"). */
export const RETRIES: readonly number[] = [
  10 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
];
/** A delivery is kept this long, so that its id is not sent again. */
const KEPT = 90 * DAY;
/** A message that Discord keeps rate-limiting is given up after this. */
const PATIENCE = DAY;

const deliveryKey = (brandId: string, id: string): Deno.KvKey => ["delivery", brandId, id];

/** Whether there is a webhook to deliver to. */
export function isOn({ webhook, webhookStatus }: StoredKit): boolean {
  return webhook !== null && webhookStatus === "on";
}

/** Adds a message in `commit`. Returns null without a webhook, and when the id was used before. */
export async function addDelivery(
  service: Service,
  commit: Commit,
  brandId: string,
  id: string,
  message: Message,
): Promise<Delivery | null> {
  if (!isOn(await readKit(commit, brandId))) return null;
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

/** Whether the message can still be sent. */
export function isOpen({ state }: Delivery): boolean {
  return state === "waiting" || state === "failed";
}

/** One try. The caller stores a final outcome with `endDelivery`, in the commit that ends the job. */
export async function send(
  service: Service,
  kit: StoredKit,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Sent> {
  if (!isOn(kit)) return { state: "off" };
  const url = await webhookOf(service.secrets, delivery.brandId, kit).catch(() => null);
  if (url === null) {
    return {
      state: "refused",
      reason: "The webhook's address can't be read with this SECRET_KEY.",
    };
  }
  if (!isWebhook(url, service.settings)) {
    return { state: "refused", reason: "The webhook's address is not allowed." };
  }
  const payload = payloadOf(delivery.message, delivery.id, delivery.createdAt);
  const sent = await inWebhookTurn(
    service,
    url,
    () => postWebhook(service, url, payload, signal),
  );
  const age = service.now() - Date.parse(delivery.createdAt);
  if (sent.state === "limited" && age + sent.retryAfter > PATIENCE) {
    return { state: "refused", reason: "Discord rate-limited the webhook for more than a day." };
  }
  return sent;
}

/** Outcomes that end a delivery. After any other it is tried again or given up. */
type Ended = Extract<Sent, { state: "delivered" | "off" | "dead" }>;

/** Stores how a delivery ended, and switches a dead webhook off. */
export async function endDelivery(
  commit: Commit,
  kit: StoredKit,
  delivery: Delivery,
  sent: Ended,
): Promise<void> {
  if (sent.state === "dead" && kit.webhook !== null) {
    await switchWebhookOff(commit, delivery.brandId, kit.webhook);
  }
  writeDelivery(commit, {
    ...delivery,
    state: sent.state === "delivered" ? "delivered" : "switchedOff",
    messageId: sent.state === "delivered" ? sent.messageId : null,
    error: sent.state === "dead" ? sent.reason : null,
  });
}

/** Marks a delivery as failed and stores why. Does nothing if it has ended or was never added. */
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
