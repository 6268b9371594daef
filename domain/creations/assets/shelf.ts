/** Adds and deletes assets, and keeps their limit and the primary logo. */
import { iso } from "../../foundation/calendar.ts";
import { notFound } from "../../foundation/errors.ts";
import { newId } from "../../foundation/ids.ts";
import type { IngestedImage } from "../../media/images/ingest.ts";
import { audit } from "../../kv/audit.ts";
import { requireRoom } from "../../kv/live.ts";
import { type Commit, type Reader, transact } from "../../kv/transact.ts";
import type { Service } from "../../service/service.ts";
import {
  assetKey,
  type AssetKind,
  EMPTY_SHELF,
  listLive,
  removeAsset,
  requireAsset,
  type Shelf,
  shelfKey,
  type StoredAsset,
} from "./shape.ts";

/** Live assets of a brand (DECISIONS "Values"). */
const MAX_ASSETS = 1_000;
const LIMIT = { most: MAX_ASSETS, plural: "assets" };

export interface NewAsset {
  kind: AssetKind;
  name: string;
  isPrimary: boolean;
  /** Storage key of the image. */
  key: string;
  image: Omit<IngestedImage, "bytes">;
}

/** Adds an asset in `commit`. Its file must be stored already. */
export async function shelve(
  acting: Pick<Service, "now" | "by">,
  commit: Commit,
  brandId: string,
  { isPrimary, image: { contentType, width, height }, ...rest }: NewAsset,
): Promise<StoredAsset> {
  const now = acting.now();
  const shelf = await requireRoomFor(commit, brandId);
  const asset: StoredAsset = {
    id: newId("asset", now),
    ...rest,
    contentType,
    width,
    height,
    createdAt: iso(now),
    deletedAt: null,
  };
  const primary = asset.kind === "logo" && (isPrimary || shelf.primaryLogoId === null);
  commit.set(assetKey(brandId, asset.id), asset);
  commit.set(shelfKey(brandId), {
    live: shelf.live + 1,
    primaryLogoId: primary ? asset.id : shelf.primaryLogoId,
  });
  audit(commit, acting, { action: "asset.created", of: brandId, subject: asset.id });
  return asset;
}

/** Makes a live logo the one that overlays show. @throws ServiceError `notFound` */
export function choosePrimaryLogo(service: Service, brandId: string, id: string): Promise<void> {
  return transact(service.kv, async (commit) => {
    const asset = await requireAsset(commit, brandId, id);
    if (asset.kind !== "logo") throw notFound("logo");
    const shelf = await commit.get<Shelf>(shelfKey(brandId)) ?? EMPTY_SHELF;
    commit.set(shelfKey(brandId), { ...shelf, primaryLogoId: id });
    audit(commit, service, { action: "asset.changed", of: brandId, subject: id });
  });
}

/** Deletes an asset softly: its record and file stay, and its users continue without it (spec 4.4). */
export function retire(service: Service, brandId: string, id: string): Promise<void> {
  return transact(service.kv, async (commit) => {
    await retireIn(commit, service, brandId, await requireAsset(commit, brandId, id));
    audit(commit, service, { action: "asset.deleted", of: brandId, subject: id });
  });
}

/** Deletes a live asset softly in `commit`, through which it was read. */
export async function retireIn(
  commit: Commit,
  { kv, now }: Service,
  brandId: string,
  asset: StoredAsset,
): Promise<void> {
  const shelf = await commit.get<Shelf>(shelfKey(brandId)) ?? EMPTY_SHELF;
  removeAsset(commit, brandId, asset, now());
  commit.set(shelfKey(brandId), {
    live: shelf.live - 1,
    primaryLogoId: shelf.primaryLogoId === asset.id
      ? await newestLogo(kv, brandId, asset.id)
      : shelf.primaryLogoId,
  });
}

/**
 * The brand's shelf, if it has room for another asset.
 * @throws ServiceError `validationError`
 */
export async function requireRoomFor(from: Reader, brandId: string): Promise<Shelf> {
  const shelf = await from.get<Shelf>(shelfKey(brandId)) ?? EMPTY_SHELF;
  requireRoom(LIMIT, shelf.live);
  return shelf;
}

/** The newest live logo except `id`. The caller's commit has read the shelf, so it notices changes. */
async function newestLogo(kv: Deno.Kv, brandId: string, id: string): Promise<string | null> {
  const logos = await listLive(kv, brandId, "logo");
  return logos.find((logo) => logo.id !== id)?.id ?? null;
}
