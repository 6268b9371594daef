/** The operations on webhooks, and on what was sent to them. */
import { z } from "zod";
import {
  listDeliveries,
  replayDelivery,
  replaySince,
  sendTest,
} from "../events/webhooks/deliveries.ts";
import {
  Delivery,
  NewWebhook,
  shownWebhook,
  Webhook,
  WebhookChange,
  WebhookWithSecret,
} from "../events/webhooks/shape.ts";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  requireWebhook,
  rotateSecret,
} from "../events/webhooks/store.ts";
import { reader } from "../kv/transact.ts";
import { type Context, operation } from "./operation.ts";

/** What all of these operations have in common. */
const COMMON = { group: "Events", scopes: ["createWrite"], costs: "request" } as const;
const ById = z.object({ id: z.string() });

const find = ({ kv, brand }: Context, id: string) => requireWebhook(reader(kv), brand.id, id);

export const listAllWebhooks = operation({
  ...COMMON,
  id: "listWebhooks",
  summary: "List the brand's webhooks, oldest first.",
  errors: [],
  input: z.object({}),
  output: z.object({ data: z.array(Webhook) }),
  run: async ({ kv, brand }) => ({ data: await listWebhooks(kv, brand.id) }),
});

export const addWebhook = operation({
  ...COMMON,
  id: "createWebhook",
  summary: "Add a webhook: events are posted to its address as they happen.",
  description: "Messages are signed as [Standard Webhooks](https://www.standardwebhooks.com) has " +
    "it. The answer has the `secret` by which the receiver knows them; it is not shown again. A " +
    "message that is not answered with 2xx within 10 seconds is tried again after 5 s, 5 min, " +
    "30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h. A webhook that nothing has reached for 5 days " +
    "is switched off. A brand may have 10.",
  errors: [],
  input: NewWebhook,
  output: WebhookWithSecret,
  isSecret: true,
  run: (context, input) => createWebhook(context, context.brand.id, input),
});

export const getWebhook = operation({
  ...COMMON,
  id: "getWebhook",
  summary: "Read one webhook.",
  errors: ["notFound"],
  input: ById,
  output: Webhook,
  run: async (context, { id }) => shownWebhook(await find(context, id)),
});

export const updateWebhook = operation({
  ...COMMON,
  id: "updateWebhook",
  summary: "Change a webhook, or switch it off and on; what is left out stays as it is.",
  errors: ["notFound"],
  input: WebhookChange.extend(ById.shape),
  output: Webhook,
  run: (context, { id, ...change }) => changeWebhook(context, context.brand.id, id, change),
});

export const removeWebhook = operation({
  ...COMMON,
  id: "deleteWebhook",
  summary: "Delete a webhook.",
  errors: ["notFound"],
  input: ById,
  output: null,
  run: (context, { id }) => deleteWebhook(context, context.brand.id, id),
});

export const testWebhook = operation({
  ...COMMON,
  id: "testWebhook",
  summary: "Send a test event of the type `webhook.test`.",
  description:
    "It goes to this webhook only and is in no feed. The deliveries tell what came of it.",
  errors: ["notFound", "conflict"],
  input: ById,
  output: Delivery,
  run: (context, { id }) => sendTest(context, context.brand.id, id),
});

export const rotateWebhook = operation({
  ...COMMON,
  id: "rotateWebhook",
  summary: "Give a webhook a new secret.",
  description: "For 24 hours messages carry two signatures, by the new secret and by the one " +
    "before, so the receiver can change over without losing any.",
  errors: ["notFound"],
  input: ById,
  output: WebhookWithSecret,
  isSecret: true,
  run: (context, { id }) => rotateSecret(context, context.brand.id, id),
});

export const listWebhookDeliveries = operation({
  ...COMMON,
  id: "listWebhookDeliveries",
  summary: "List what was sent to a webhook, newest event first: the newest 100.",
  errors: ["notFound"],
  input: ById,
  output: z.object({ data: z.array(Delivery) }),
  run: async (context, { id }) => ({
    data: await listDeliveries(context.kv, await find(context, id)),
  }),
});

export const replayWebhookDelivery = operation({
  ...COMMON,
  id: "replayWebhookDelivery",
  summary: "Send a delivery's event to the webhook once more.",
  description: "The message has the same `webhook-id` as before: the event's id.",
  errors: ["notFound", "conflict"],
  input: ById.extend({ deliveryId: z.string() }),
  output: Delivery,
  run: (context, { id, deliveryId }) => replayDelivery(context, context.brand.id, id, deliveryId),
});

export const replayWebhook = operation({
  ...COMMON,
  id: "replayWebhook",
  summary: "Send all events since an instant to the webhook once more.",
  description: "Those of its types, of at most 30 days. For after a failure of the receiver.",
  errors: ["notFound", "conflict"],
  input: ById.extend({ since: z.iso.datetime() }),
  output: z.object({ since: z.iso.datetime() }),
  run: async (context, { id, since }) => {
    await replaySince(context, context.brand.id, id, since);
    return { since };
  },
});
