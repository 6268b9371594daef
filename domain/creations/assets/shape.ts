/** Assets: the shape that clients see, the stored record and its keys. */
import { z } from "zod";
import { invalid } from "../../foundation/errors.ts";
import { isId } from "../../foundation/ids.ts";
import { liveRecords } from "../../kv/live.ts";
import { type Commit, getEach, listValues } from "../../kv/transact.ts";
import type { Service } from "../../service/service.ts";
import { FILE_TYPES, type FileType } from "../../media/images/types.ts";

export const AssetKind = z.enum(["logo", "inspiration", "castReference"]);
export type AssetKind = z.output<typeof AssetKind>;

export const ImageType = z.enum(Object.keys(FILE_TYPES) as [FileType, ...FileType[]]);

export const Asset = z.object({
  id: z.string(),
  kind: AssetKind,
  name: z.string(),
  contentType: ImageType,
  url: z.url(),
  width: z.int().describe("Pixels, of the upright image."),
  height: z.int().describe("Pixels, of the upright image."),
  isPrimary: z.boolean().describe("The logo that overlays show; false for all other kinds."),
  createdAt: z.iso.datetime(),
}).meta({ id: "Asset" });
export type Asset = z.output<typeof Asset>;

/** An asset as stored. Its address, and whether it is primary, are added when it is shown. */
export interface StoredAsset {
  id: string;
  kind: AssetKind;
  name: string;
  contentType: FileType;
  /** Storage key of the image. */
  key: string;
  width: number;
  height: number;
  createdAt: string;
  /** Null while the asset is live. */
  deletedAt: string | null;
}

/**
 * What a brand has: the number of live assets, and the primary logo's id. Every write of an asset
 * also writes the shelf, so a commit that has read it notices any change of the brand's assets.
 */
export interface Shelf {
  live: number;
  primaryLogoId: string | null;
}

export const assetKey = (brandId: string, id: string): Deno.KvKey => ["asset", brandId, id];
export const retiredAssetKey = (brandId: string, id: string): Deno.KvKey => [
  "retiredAsset",
  brandId,
  id,
];
export const { require: requireAsset, remove: removeAsset } = liveRecords<StoredAsset>({
  id: "asset",
  noun: "asset",
  key: assetKey,
  deletedKey: retiredAssetKey,
  deletedAt: "deletedAt",
});
export const shelfKey = (brandId: string): Deno.KvKey => ["assetShelf", brandId];
export const EMPTY_SHELF: Shelf = { live: 0, primaryLogoId: null };

/** The brand's live assets, newest first. */
export async function listLive(
  kv: Deno.Kv,
  brandId: string,
  kind?: AssetKind,
): Promise<StoredAsset[]> {
  const assets = await listValues<StoredAsset>(kv, ["asset", brandId], { reverse: true });
  return kind === undefined ? assets : assets.filter((asset) => asset.kind === kind);
}

/** The live assets with these ids, in the same order. Other ids are left out. */
export async function readAssets(
  kv: Deno.Kv,
  brandId: string,
  ids: readonly string[],
): Promise<StoredAsset[]> {
  const known = ids.filter((id) => isId("asset", id));
  const live = await getEach<StoredAsset>(kv, known.map((id) => assetKey(brandId, id)));
  return live.filter((asset) => asset !== null);
}

export interface Wanted {
  /** The input field that holds the ids, for refusals. */
  field: string;
  kind: AssetKind;
  ids: readonly string[];
}

/**
 * Checks that the ids name live assets of the brand and kind. `commit` reads only the shelf, because
 * a commit takes 100 reads and every write of an asset changes the shelf.
 * @throws ServiceError `validationError`
 */
export async function requireAssets(
  kv: Deno.Kv,
  commit: Commit,
  brandId: string,
  { field, kind, ids }: Wanted,
): Promise<void> {
  if (ids.length === 0) return;
  await commit.get(shelfKey(brandId));
  const assets = new Map((await readAssets(kv, brandId, ids)).map((asset) => [asset.id, asset]));
  for (const id of ids) {
    const asset = assets.get(id);
    if (asset === undefined) throw invalid(field, `${id} is not an asset of this brand`);
    if (asset.kind !== kind) throw invalid(field, `${id} is of kind ${asset.kind}, not ${kind}`);
  }
}

/** The logo that overlays show, or null. */
export async function primaryLogo(kv: Deno.Kv, brandId: string): Promise<StoredAsset | null> {
  const id = await primaryLogoId(kv, brandId);
  return id === null ? null : (await kv.get<StoredAsset>(assetKey(brandId, id))).value;
}

/** Stored assets as clients see them. */
export async function showAssets(
  { kv, storage }: Pick<Service, "kv" | "storage">,
  brandId: string,
  assets: readonly StoredAsset[],
): Promise<Asset[]> {
  const primaryId = await primaryLogoId(kv, brandId);
  return await Promise.all(assets.map((asset) => shown(storage, asset, primaryId)));
}

export async function showAsset(
  { kv, storage }: Pick<Service, "kv" | "storage">,
  brandId: string,
  asset: StoredAsset,
): Promise<Asset> {
  return await shown(storage, asset, await primaryLogoId(kv, brandId));
}

async function shown(
  storage: Pick<Service["storage"], "url">,
  { key, deletedAt: _, ...asset }: StoredAsset,
  primaryId: string | null,
): Promise<Asset> {
  return { ...asset, url: await storage.url(key), isPrimary: asset.id === primaryId };
}

async function primaryLogoId(kv: Deno.Kv, brandId: string): Promise<string | null> {
  return (await kv.get<Shelf>(shelfKey(brandId))).value?.primaryLogoId ?? null;
}
