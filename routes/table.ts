/** The whole REST API on one screen: verb, path, operation, status. Data only. */
import { createAsset, deleteAsset, listAssets, startUpload } from "../domain/assets/operations.ts";
import {
  createCastMember,
  deleteCastMember,
  getCastMember,
  listCastMembers,
  updateCastMember,
} from "../domain/cast.ts";
import {
  createCreation,
  deleteCreation,
  getCreation,
  listCreations,
  overlayCreation,
  retryCreation,
} from "../domain/creations/operations.ts";
import { getCredits } from "../domain/credits.ts";
import { getBrandKit, putBrandKit } from "../domain/kit.ts";
import { composeCreation } from "../domain/prompts.ts";
import {
  createReview,
  createSeries,
  deleteSeries,
  getSeries,
  listAllSeries,
  updateSeries,
} from "../domain/series/series.ts";
import { simulateSeries } from "../domain/series/simulate.ts";
import { captionItem, publishItem, regenerateItem, skipItem } from "../domain/series/slots.ts";
import { explainItem } from "../domain/series/why.ts";
import { POSTS } from "./posts_table.ts";
import type { Row } from "./row.ts";

export const TABLE: readonly Row[] = [
  ...POSTS,

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
    header: { name: "Idempotency-Key", field: "idempotencyKey" },
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
  ["POST", "/v1/series/{id}/simulate", simulateSeries, 200],
  ["GET", "/v1/series/{id}/items/{itemId}/why", explainItem, 200],
  ["POST", "/v1/series/{id}/items/{itemId}/skip", skipItem, 204],
  ["POST", "/v1/series/{id}/items/{itemId}/regenerate", regenerateItem, 204],
  ["POST", "/v1/series/{id}/items/{itemId}/caption", captionItem, 200],
  ["POST", "/v1/series/{id}/items/{itemId}/publish", publishItem, 204],
];
