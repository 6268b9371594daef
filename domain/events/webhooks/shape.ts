/** Webhooks: what they are on the wire, and as stored. */
import { z } from "zod";
import { EventType, type StoredEvent, TEST_TYPE } from "../../kv/event_types.ts";

export const MOST_URL = 1_000;

const Url = z.string().max(MOST_URL).describe("Where events are posted to: https, a public host.");
const Types = z.array(EventType).max(EventType.options.length).describe("Empty: all types.");
const Description = z.string().max(200);

export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  types: Types,
  description: z.string(),
  active: z.boolean(),
  createdAt: z.iso.datetime(),
  disabledAt: z.iso.datetime().nullable().describe("When Marquee switched it off."),
  disabledReason: z.string().nullable(),
  formerSecretUntil: z.iso.datetime().nullable().describe(
    "Until when the secret before the last rotation signs, too; null: it was never rotated.",
  ),
}).meta({ id: "Webhook" });
export type Webhook = z.output<typeof Webhook>;

export const WebhookWithSecret = Webhook.extend({
  secret: z.string().describe("`whsec_` and base64. Shown now and never again."),
}).meta({ id: "WebhookWithSecret" });
export type WebhookWithSecret = z.output<typeof WebhookWithSecret>;

export const NewWebhook = z.object({
  url: Url,
  types: Types.default([]),
  description: Description.default(""),
});
export type NewWebhook = z.output<typeof NewWebhook>;

export const WebhookChange = z.object({
  url: Url.optional(),
  types: Types.optional(),
  description: Description.optional(),
  active: z.boolean().optional().describe("True also switches on again what was switched off."),
});
export type WebhookChange = z.output<typeof WebhookChange>;

export const Delivery = z.object({
  id: z.string(),
  eventId: z.string(),
  type: z.enum([...EventType.options, TEST_TYPE]).nullable().describe(
    "The event's type; null: the event has expired.",
  ),
  attempt: z.int().describe("How often it was tried."),
  status: z.int().nullable().describe("What the receiver answered last; null: nothing."),
  error: z.string().nullable().describe("Why the last try failed; null after a success."),
  at: z.iso.datetime().describe("When it was tried last."),
  nextAt: z.iso.datetime().nullable().describe(
    "When it is tried again; null: it was delivered, or given up where `error` says why.",
  ),
}).meta({ id: "Delivery" });
export type Delivery = z.output<typeof Delivery>;

/** A secret before a rotation, sealed; it signs, too, until that instant. */
export interface FormerSecret {
  secret: string;
  until: string;
}

/** A webhook as stored. */
export interface StoredWebhook extends Omit<Webhook, "formerSecretUntil"> {
  brandId: string;
  /** Sealed. */
  secret: string;
  /** The secret before the last rotation. */
  former: FormerSecret | null;
  /** Those before rotations within a day of it, newest first; absent: there were none. */
  earlier?: FormerSecret[];
  /** Since when no delivery has succeeded; null after a success. */
  failingSince: string | null;
}

export interface StoredDelivery extends Omit<Delivery, "type"> {
  webhookId: string;
  brandId: string;
  /** Nothing more is tried: it was delivered, or given up. */
  isOver: boolean;
  /** The replay that had it sent last. */
  round?: string;
}

/** As shown: without what only the service needs. */
export function shownWebhook(stored: StoredWebhook): Webhook {
  const { id, url, types, description, active, createdAt, disabledAt, disabledReason } = stored;
  const formerSecretUntil = stored.former?.until ?? null;
  return {
    ...{ id, url, types, description, active, createdAt, disabledAt, disabledReason },
    formerSecretUntil,
  };
}

/** @param event what it delivers; null: it has expired */
export function shownDelivery(
  stored: StoredDelivery,
  event: Pick<StoredEvent, "type"> | null,
): Delivery {
  const { id, eventId, attempt, status, error, at, nextAt } = stored;
  return { id, eventId, type: event?.type ?? null, attempt, status, error, at, nextAt };
}
