/** Alerts to the brand's chat webhook: what happened and what a person should do about it. */
import type { Brand } from "../brands/brands.ts";
import { isPrivate } from "../foundation/addresses.ts";
import { iso, monthOf, startOfNextMonth } from "../foundation/calendar.ts";
import { localTime } from "../foundation/local_time.ts";
import { type Debit, reachedShare } from "../brands/credits.ts";
import { readKit } from "../brands/kit.ts";
import { timeZoneOf } from "../brands/time_zone.ts";
import { addDelivery, isOn } from "./deliveries.ts";
import type { Message } from "./discord.ts";
import { brandPage, link } from "./pages.ts";
import { emit } from "../kv/outbox.ts";
import type { Commit } from "../kv/transact.ts";
import type { Service } from "../service/service.ts";

export type AlertKind =
  | "publishFailed"
  | "publishForbidden"
  | "slotHeld"
  | "accountReconnect"
  | "versionOver"
  | "webhookOff"
  | "credits";

interface Alert {
  brandId: string;
  kind: AlertKind;
  /** Names the event. Each id is raised once. */
  id: string;
  /** What happened and what to do about it, as Discord's markdown, with times in the brand's zone. */
  text: string | ((timeZone: string) => string | Promise<string>);
  /** The page that helps; absent: the brand's. */
  page?: string;
}

interface Look extends Pick<Message, "title" | "color"> {
  /** The words of the link to the page. */
  open: string;
}

const [RED, ORANGE, YELLOW] = [0xc0392b, 0xe67e22, 0xf1c40f];
const LOOKS: Record<AlertKind, Look> = {
  publishFailed: { title: "A post could not be published", color: RED, open: "Open the post" },
  publishForbidden: {
    title: "A post could not be published: reconnect the account",
    color: RED,
    open: "Reconnect the account",
  },
  slotHeld: {
    title: "A scheduled post is held until you decide",
    color: ORANGE,
    open: "Open the post",
  },
  accountReconnect: {
    title: "Reconnect an account",
    color: RED,
    open: "Reconnect the account",
  },
  versionOver: {
    title: "A platform refuses the service's version of its API",
    color: RED,
    open: "Open the brand",
  },
  webhookOff: { title: "A webhook was switched off", color: ORANGE, open: "Open the brand" },
  credits: { title: "Image credits are running out", color: YELLOW, open: "Open the brand" },
};

/**
 * Raises an alert in the commit that stores its cause, as one durable job. Each id is raised once and
 * delivered at least once. Does nothing without a webhook.
 */
export async function raiseAlert(service: Service, commit: Commit, alert: Alert): Promise<void> {
  const { brandId, kind, id, text, page = brandPage(service.settings, brandId) } = alert;
  const kit = await readKit(commit, brandId);
  if (!isOn(kit)) return;
  const words = typeof text === "string" ? text : await text(timeZoneOf(kit));
  const { open, ...look } = LOOKS[kind];
  const message: Message = {
    ...look,
    text: `${words}\n\n${link(open, page)}`,
    fields: [],
    // Discord refuses a message whose title leads to a private address; its text may.
    ...(isPrivate(page) ? {} : { url: page }),
  };
  const delivery = await addDelivery(service, commit, brandId, id, message);
  if (delivery === null) return;
  await service.jobs.add(commit, { kind: "deliver", brandId, subject: { deliveryId: id } });
}

/** Raises an alert and an event when a debit reaches 80 % or all of the month's credits. */
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
  emit(commit, {
    ...{ brandId: brand.id, at, type: share === 100 ? "credits.exhausted" : "credits.low" },
    data: { ...debit.after, renewsAt: iso(startOfNextMonth(at)) },
  });
  const [gone, all] = [used, allowance].map((credits) => credits.toLocaleString("en-US"));
  const text = (timeZone: string) => {
    const renewed = `New credits come on ${localTime(startOfNextMonth(at), timeZone)}, or at ` +
      "once with a larger plan.";
    return share === 100
      ? `${brand.name} has used all ${all} image credits of this month. Until there are new ones, ` +
        `no image is made and scheduled posts that need images are held. ${renewed}`
      : `${brand.name} has used ${gone} of this month's ${all} image credits, which is ` +
        `${share}% or more. When they run out, scheduled posts that need images are held. ${renewed}`;
  };
  // The allowance is part of the id, because credits granted within the month can run out again.
  const id = `credits:${monthOf(at)}:${share}:${allowance}`;
  await raiseAlert(service, commit, { brandId: brand.id, kind: "credits", id, text });
}
