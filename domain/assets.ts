/** Stands in until the library lands: the wire shape of spec 2.7 and its reader. */
import { z } from "zod";
import type { Service } from "./service.ts";

export const AssetKind = z.enum(["logo", "inspiration", "castReference"]);
export const Asset = z.object({
  id: z.string(),
  kind: AssetKind,
  name: z.string(),
  contentType: z.string(),
  url: z.url(),
  width: z.int(),
  height: z.int(),
  isPrimary: z.boolean(),
  createdAt: z.iso.datetime(),
}).meta({ id: "Asset" });
export type Asset = z.output<typeof Asset>;
export type AssetRecord = Omit<Asset, "url"> & { key: string };

export function readAssets(_kv: Deno.Kv, _brandId: string, _ids: string[]): Promise<AssetRecord[]> {
  return Promise.resolve([]);
}

export async function showAsset(
  { storage }: Pick<Service, "storage">,
  { key, ...asset }: AssetRecord,
): Promise<Asset> {
  return { ...asset, url: await storage.url(key) };
}
