/** OpenAPI's section of webhooks: what is posted to a receiver, one payload for each type of event. */
import { z } from "zod";
import { EVENT_KINDS, TEST_TYPE } from "../domain/kv/event_types.ts";
import type { SchemaBook } from "./schemas.ts";

const HEADERS = {
  "webhook-id": "The event's id: the same at each try, so a receiver can leave out what it has.",
  "webhook-timestamp": "When this try was made, Unix time in seconds.",
  "webhook-signature":
    "`v1,` and base64 of the HMAC-SHA256 of `{id}.{timestamp}.{body}`; two with a blank between " +
    "them for a day after a rotation.",
};

const TEST = {
  when: "Somebody has tested the webhook.",
  data: z.object({ webhookId: z.string() }),
};

export function describeWebhooks(book: SchemaBook): Record<string, object> {
  const kinds = Object.entries({ ...EVENT_KINDS, [TEST_TYPE]: TEST });
  return Object.fromEntries(kinds.map(([type, { when, data }]) => {
    const payload = z.object({
      id: z.string(),
      type: z.literal(type),
      createdAt: z.iso.datetime(),
      brandId: z.string(),
      data,
    });
    const post = {
      operationId: `on${type.replaceAll(/(?:^|\.)(\w)/g, (_, first) => first.toUpperCase())}`,
      tags: ["Events"],
      summary: when,
      security: [],
      parameters: Object.entries(HEADERS).map(([name, description]) => ({
        ...{ name, in: "header", required: true, description },
        schema: { type: "string" },
      })),
      requestBody: {
        required: true,
        content: { "application/json": { schema: book.schemaOf(payload) } },
      },
      responses: {
        "2XX": { description: "Taken." },
        "410": { description: "No more events are wanted: the webhook is switched off." },
        "default": { description: "Not taken: it is tried again." },
      },
    };
    return [type, { post }];
  }));
}
