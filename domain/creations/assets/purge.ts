/** Deletes an asset for good: the image, the upload it came from and the record. */
import { listBrands } from "../../brands/brands.ts";
import { noSuch } from "../../foundation/errors.ts";
import { isId } from "../../foundation/ids.ts";
import { audit } from "../../kv/audit.ts";
import { getEach, reader, transact } from "../../kv/transact.ts";
import type { Service } from "../../service/service.ts";
import { assetKey, retiredAssetKey, type StoredAsset } from "./shape.ts";
import { retireIn } from "./shelf.ts";
import { uploadsOf } from "./uploads.ts";

export interface PurgedAsset {
  id: string;
  brandId: string;
  /** Files that were deleted: the image, and the upload if it was still there. */
  files: number;
}

/**
 * Deletes the asset, which may have been deleted softly before. The record goes last, so calling this
 * again after an interruption continues.
 * @throws ServiceError `notFound`
 */
export async function purgeAsset(service: Service, id: string): Promise<PurgedAsset> {
  const { kv, storage } = service;
  const brandId = isId("asset", id) ? await ownerOf(kv, id) : null;
  if (brandId === null) throw noSuch("asset");
  await transact(kv, async (commit) => {
    const live = await commit.get<StoredAsset>(assetKey(brandId, id));
    // Nothing takes the asset into use any more, and the next logo becomes the primary one.
    if (live !== null) await retireIn(commit, service, brandId, live);
    audit(commit, service, { action: "asset.purged", of: brandId, subject: id });
  });
  const asset = await reader(kv).get<StoredAsset>(retiredAssetKey(brandId, id));
  if (asset === null) throw noSuch("asset");
  const uploads = (await uploadsOf(kv, brandId)).filter(({ upload }) => upload.assetId === id);
  let files = 0;
  for (const file of [asset.key, ...uploads.map(({ key }) => String(key[2]))]) {
    if (await storage.head(file) === null) continue;
    await storage.delete(file);
    files++;
  }
  await transact(kv, (commit) => {
    for (const { key } of uploads) commit.delete(key);
    commit.delete(retiredAssetKey(brandId, id));
  });
  return { id, brandId, files };
}

/** The brand that has the asset, live or deleted softly; null if none has. */
async function ownerOf(kv: Deno.Kv, id: string): Promise<string | null> {
  const brandIds = (await listBrands(kv)).map((brand) => brand.id);
  const keys = brandIds.flatMap((brandId) => [assetKey(brandId, id), retiredAssetKey(brandId, id)]);
  const at = (await getEach<StoredAsset>(kv, keys)).findIndex((asset) => asset !== null);
  return brandIds[Math.floor(at / 2)] ?? null;
}
