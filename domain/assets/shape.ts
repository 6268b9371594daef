/** The asset: what clients see, what is stored, and where. */
import { z } from "zod";
import { invalid } from "../errors.ts";
import { isId } from "../ids.ts";
import { type Commit, getEach, listValues } from "../kv.ts";
import type { Service } from "../service.ts";
import { FILE_TYPES, type FileType } from "../storage/storage.ts";

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

/** An asset as stored. Its address and whether it is primary are known when it is shown. */
export interface StoredAsset {
  id: string;
  kind: AssetKind;
  name: string;
  contentType: FileType;
  /** Where the bytes lie in the storage. */
  key: string;
  width: number;
  height: number;
  createdAt: string;
  /** Set once it is soft-deleted. */
  deletedAt: string | null;
}

/** What every write of a brand's assets checks: how many are live, and the primary logo's id. */
export interface Shelf {
  live: number;
  primaryLogoId: string | null;
}

export const assetKey = (brandId: string, id: string): Deno.KvKey => ["asset", brandId, id];
/** Deleted assets lie apart, so that lists never wade through them; nothing of the service reads them. */
export const retiredKey = (brandId: string, id: string): Deno.KvKey => [
  "retiredAsset",
  brandId,
  id,
];
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

/** The live assets with these ids in the same order; ids of none are left out. */
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
  /** The input field that names them, for the words of a refusal. */
  field: string;
  kind: AssetKind;
  ids: readonly string[];
}

/**
 * Refuses ids that are no live assets of the brand and kind, as a read of `commit`: every write of
 * assets changes the shelf, so one check stands for all of them (a commit takes 100).
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
    if (asset === undefined) throw invalid(field, `${id} is no asset of this brand`);
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
  return await Promise.all(assets.map(async ({ key, deletedAt: _, ...asset }) => ({
    ...asset,
    url: await storage.url(key),
    isPrimary: asset.id === primaryId,
  })));
}

async function primaryLogoId(kv: Deno.Kv, brandId: string): Promise<string | null> {
  return (await kv.get<Shelf>(shelfKey(brandId))).value?.primaryLogoId ?? null;
}
