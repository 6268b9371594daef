/** Alerts to the brand's chat webhook: what needs a person now, in words that say the cure. */
import type { Brand } from "./brands.ts";
import { dayOf, monthOf, startOfNextMonth } from "./calendar.ts";
import { type Debit, reachedShare } from "./credits.ts";
import { addDelivery } from "./deliveries.ts";
import type { Message } from "./discord.ts";
import type { Commit } from "./kv.ts";
import type { Service } from "./service.ts";

export type AlertKind = "publishFailed" | "slotHeld" | "accountReconnect" | "credits";

export interface Alert {
  brandId: string;
  kind: AlertKind;
  /** Names the event: the same id is never raised twice. */
  id: string;
  /** What happened and what to do about it; plain text. */
  text: string;
}

const LOOKS: Record<AlertKind, Pick<Message, "title" | "color">> = {
  publishFailed: { title: "A post could not be published", color: 0xc0392b },
  slotHeld: { title: "A post is held and waits for you", color: 0xe67e22 },
  accountReconnect: { title: "An account must be connected again", color: 0xc0392b },
  credits: { title: "Image credits", color: 0xf1c40f },
};

/**
 * Raises an alert in the commit of the fact that needs it: one durable job, at least once, each id
 * once. Without a webhook nothing happens.
 */
export async function raiseAlert(service: Service, commit: Commit, alert: Alert): Promise<void> {
  const { brandId, kind, id, text } = alert;
  const message: Message = { ...LOOKS[kind], text, fields: [] };
  const delivery = await addDelivery(service, commit, brandId, id, message);
  if (delivery === null) return;
  await service.jobs.add(commit, { kind: "deliver", brandId, subject: { deliveryId: id } });
}

/** Alerts when a debit has reached 80 % or all of the month's credits. */
export async function creditAlert(
  service: Service,
  commit: Commit,
  brand: Brand,
  debit: Debit,
): Promise<void> {
  const share = reachedShare(debit);
  if (share === null) return;
  const at = service.now();
  const { used, allowance } = debit.after;
  const renewed = `New ones come on ${dayOf(startOfNextMonth(at))}, or at once with a larger plan.`;
  const text = share === 100
    ? `${brand.name} has used all ${allowance} image credits of this month. No more images are ` +
      `made until then; slots that need them are held. ${renewed}`
    : `${brand.name} has used ${used} of this month's ${allowance} image credits, ` +
      `${share}% or more. When they run out, slots that need images are held. ${renewed}`;
  // With the allowance in it: credits granted within the month can be used up anew.
  const id = `credits:${monthOf(at)}:${share}:${allowance}`;
  await raiseAlert(service, commit, { brandId: brand.id, kind: "credits", id, text });
}
