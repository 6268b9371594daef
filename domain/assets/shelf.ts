/** Puts assets on a brand's shelf and takes them off: the limit and the primary logo. */
import { iso } from "../calendar.ts";
import { notFound, ServiceError } from "../errors.ts";
import { isId, newId } from "../ids.ts";
import type { IngestedImage } from "../images/ingest.ts";
import { type Commit, transact } from "../kv.ts";
import type { Service } from "../service.ts";
import {
  assetKey,
  type AssetKind,
  EMPTY_SHELF,
  listLive,
  retiredKey,
  type Shelf,
  shelfKey,
  type StoredAsset,
} from "./shape.ts";

/** Live assets of a brand (DECISIONS "Values"). */
export const MAX_ASSETS = 1_000;

export interface NewAsset {
  kind: AssetKind;
  name: string;
  isPrimary: boolean;
  /** Where the image lies. */
  key: string;
  image: Omit<IngestedImage, "bytes">;
}

/** Adds an asset in `commit`; its file must lie in the storage already. */
export async function shelve(
  now: number,
  commit: Commit,
  brandId: string,
  { isPrimary, image: { contentType, width, height }, ...rest }: NewAsset,
): Promise<StoredAsset> {
  const shelf = await commit.get<Shelf>(shelfKey(brandId)) ?? EMPTY_SHELF;
  requireRoom(shelf);
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
  return asset;
}

/** Soft-deletes: record and file stay, what referred to the asset goes on without it (spec 4.4). */
export function retire({ kv, now }: Service, brandId: string, id: string): Promise<void> {
  return transact(kv, async (commit) => {
    const asset = isId("asset", id) ? await commit.get<StoredAsset>(assetKey(brandId, id)) : null;
    if (asset === null) throw notFound("asset");
    const shelf = await commit.get<Shelf>(shelfKey(brandId)) ?? EMPTY_SHELF;
    commit.delete(assetKey(brandId, id));
    commit.set(retiredKey(brandId, id), { ...asset, deletedAt: iso(now()) });
    commit.set(shelfKey(brandId), {
      live: shelf.live - 1,
      primaryLogoId: shelf.primaryLogoId === id
        ? await newestLogo(kv, brandId, id)
        : shelf.primaryLogoId,
    });
  });
}

/** Refuses early, before bytes are fetched or sent; `shelve` decides. */
export async function requireRoomFor(kv: Deno.Kv, brandId: string): Promise<void> {
  requireRoom((await kv.get<Shelf>(shelfKey(brandId))).value ?? EMPTY_SHELF);
}

function requireRoom(shelf: Shelf): void {
  if (shelf.live < MAX_ASSETS) return;
  throw new ServiceError(
    "validationError",
    "The library holds 1,000 assets, the most a brand may have; delete one first.",
  );
}

/** The newest live logo but `id`. Every write of logos changes the shelf, so the commit notices. */
async function newestLogo(kv: Deno.Kv, brandId: string, id: string): Promise<string | null> {
  const logos = await listLive(kv, brandId, "logo");
  return logos.find((logo) => logo.id !== id)?.id ?? null;
}
