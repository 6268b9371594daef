/** The whole REST API on one screen: verb, path, operation, status. Data only. */
import { createAsset, deleteAsset, listAssets, startUpload } from "../domain/operations/assets.ts";
import {
  createCastMember,
  deleteCastMember,
  getCastMember,
  listCastMembers,
  updateCastMember,
} from "../domain/operations/cast.ts";
import {
  createCreation,
  deleteCreation,
  getCreation,
  listCreations,
  overlayCreation,
  retryCreation,
} from "../domain/operations/creations.ts";
import { getCredits } from "../domain/operations/credits.ts";
import {
  exportPostReadings,
  exportPostsCsv,
  exportPostsNdjson,
  exportReadings,
} from "../domain/operations/exports.ts";
import {
  getComparison,
  getReadings,
  getStanding,
  getSummary,
  getTimeline,
  getWhen,
} from "../domain/operations/insights.ts";
import { getBrandKit, getLogoColors, putBrandKit } from "../domain/operations/kit.ts";
import { composeCreation } from "../domain/operations/compose.ts";
import {
  adoptReview,
  createReview,
  createSeries,
  deleteSeries,
  getSeries,
  listAllSeries,
  simulateSeries,
  updateSeries,
} from "../domain/operations/series.ts";
import {
  captionItem,
  captionItemById,
  explainItem,
  explainItemById,
  regenerateItem,
  regenerateItemById,
  skipItem,
  skipItemById,
} from "../domain/operations/items.ts";
import {
  createItem,
  deleteItem,
  getItem,
  listItems,
  updateItem,
} from "../domain/operations/calendar.ts";
import {
  approveItem,
  batchItems,
  unapproveItem,
  validateItem,
} from "../domain/operations/approval.ts";
import { generateItemById } from "../domain/operations/generate_item.ts";
import { publishItem, publishItemById } from "../domain/operations/publish_item.ts";
import { listAccounts } from "../domain/operations/accounts.ts";
import { getBrand } from "../domain/operations/brand.ts";
import { listEvents } from "../domain/operations/events.ts";
import { getKey } from "../domain/operations/key.ts";
import { POSTS } from "./posts_table.ts";
import { WEBHOOKS } from "./webhooks_table.ts";
import type { Row } from "./row.ts";

const IDEMPOTENCY_KEY = { name: "Idempotency-Key", field: "idempotencyKey" } as const;
/** The content that a client has looked at. */
const SEEN = {
  header: { name: "If-Match", field: "expectedHash", orBody: true },
  optionalBody: true,
} as const;

export const TABLE: readonly Row[] = [
  ...POSTS,
  ["GET", "/v1/posts.csv", exportPostsCsv, 200],
  ["GET", "/v1/posts.ndjson", exportPostsNdjson, 200],
  ["GET", "/v1/readings.ndjson", exportReadings, 200],
  ["GET", "/v1/posts/{id}/readings", getReadings, 200],
  ["GET", "/v1/posts/{id}/readings.csv", exportPostReadings, 200],
  ["GET", "/v1/posts/{id}/standing", getStanding, 200],

  ["GET", "/v1/insights/summary", getSummary, 200],
  ["GET", "/v1/insights/timeline", getTimeline, 200],
  ["GET", "/v1/insights/when", getWhen, 200],
  ["GET", "/v1/insights/compare", getComparison, 200],

  ["GET", "/v1/brand", getBrand, 200],
  ["GET", "/v1/brand/colors", getLogoColors, 200],
  ["GET", "/v1/accounts", listAccounts, 200],
  ["GET", "/v1/key", getKey, 200],

  ["GET", "/v1/events", listEvents, 200],
  ...WEBHOOKS,

  ["GET", "/v1/brand-kit", getBrandKit, 200],
  ["PUT", "/v1/brand-kit", putBrandKit, 200],
  ["GET", "/v1/credits", getCredits, 200],

  ["GET", "/v1/assets", listAssets, 200],
  ["POST", "/v1/assets", createAsset, 201],
  ["POST", "/v1/assets/uploads", startUpload, 201],
  ["DELETE", "/v1/assets/{id}", deleteAsset, 204],

  ["GET", "/v1/cast-members", listCastMembers, 200],
  ["POST", "/v1/cast-members", createCastMember, 201],
  ["GET", "/v1/cast-members/{id}", getCastMember, 200],
  ["PATCH", "/v1/cast-members/{id}", updateCastMember, 200],
  ["DELETE", "/v1/cast-members/{id}", deleteCastMember, 204],

  ["GET", "/v1/creations", listCreations, 200],
  ["POST", "/v1/creations", createCreation, 202, {
    header: IDEMPOTENCY_KEY,
    replayed: 200,
  }],
  ["POST", "/v1/creations/compose", composeCreation, 200],
  ["GET", "/v1/creations/{id}", getCreation, 200],
  ["POST", "/v1/creations/{id}/retry", retryCreation, 202],
  ["POST", "/v1/creations/{id}/overlay", overlayCreation, 200],
  ["DELETE", "/v1/creations/{id}", deleteCreation, 204],

  ["GET", "/v1/series", listAllSeries, 200],
  ["POST", "/v1/series", createSeries, 201],
  ["GET", "/v1/series/{id}", getSeries, 200],
  ["PATCH", "/v1/series/{id}", updateSeries, 200],
  ["DELETE", "/v1/series/{id}", deleteSeries, 204],
  ["POST", "/v1/series/{id}/reviews", createReview, 201],
  ["POST", "/v1/series/{id}/reviews/{reviewId}/adopt", adoptReview, 200],
  ["POST", "/v1/series/{id}/simulate", simulateSeries, 200],
  ["GET", "/v1/series/{id}/items/{itemId}/why", explainItem, 200],
  ["POST", "/v1/series/{id}/items/{itemId}/skip", skipItem, 204],
  ["POST", "/v1/series/{id}/items/{itemId}/regenerate", regenerateItem, 204],
  ["POST", "/v1/series/{id}/items/{itemId}/caption", captionItem, 200],
  ["POST", "/v1/series/{id}/items/{itemId}/publish", publishItem, 204, {
    header: { name: "If-Match", field: "expectedHash" },
    location: "url",
  }],

  ["GET", "/v1/items", listItems, 200],
  ["POST", "/v1/items", createItem, 201, { header: IDEMPOTENCY_KEY }],
  ["POST", "/v1/items/batch", batchItems, 200],
  ["GET", "/v1/items/{id}", getItem, 200],
  ["PATCH", "/v1/items/{id}", updateItem, 200],
  ["DELETE", "/v1/items/{id}", deleteItem, 204],
  ["GET", "/v1/items/{id}/why", explainItemById, 200],
  ["POST", "/v1/items/{id}/skip", skipItemById, 204],
  ["POST", "/v1/items/{id}/regenerate", regenerateItemById, 204],
  ["POST", "/v1/items/{id}/caption", captionItemById, 200],
  ["POST", "/v1/items/{id}/generate", generateItemById, 200, { header: IDEMPOTENCY_KEY }],
  ["POST", "/v1/items/{id}/validate", validateItem, 200],
  ["POST", "/v1/items/{id}/approve", approveItem, 200, SEEN],
  ["POST", "/v1/items/{id}/unapprove", unapproveItem, 200, SEEN],
  ["POST", "/v1/items/{id}/publish", publishItemById, 204, { ...SEEN, location: "url" }],
];
