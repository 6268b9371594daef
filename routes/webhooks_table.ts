/** The rows of webhooks. Data only. */
import {
  addWebhook,
  getWebhook,
  listAllWebhooks,
  listWebhookDeliveries,
  removeWebhook,
  replayWebhook,
  replayWebhookDelivery,
  rotateWebhook,
  testWebhook,
  updateWebhook,
} from "../domain/operations/webhooks.ts";
import type { Row } from "./row.ts";

export const WEBHOOKS: readonly Row[] = [
  ["GET", "/v1/webhooks", listAllWebhooks, 200],
  ["POST", "/v1/webhooks", addWebhook, 201],
  ["GET", "/v1/webhooks/{id}", getWebhook, 200],
  ["PATCH", "/v1/webhooks/{id}", updateWebhook, 200],
  ["DELETE", "/v1/webhooks/{id}", removeWebhook, 204],
  ["POST", "/v1/webhooks/{id}/test", testWebhook, 202],
  ["POST", "/v1/webhooks/{id}/rotate", rotateWebhook, 200],
  ["POST", "/v1/webhooks/{id}/replay", replayWebhook, 202],
  ["GET", "/v1/webhooks/{id}/deliveries", listWebhookDeliveries, 200],
  ["POST", "/v1/webhooks/{id}/deliveries/{deliveryId}/replay", replayWebhookDelivery, 202],
];
