/** What the demo brand's images are made of: logo, inspirations and a cast member. */
import { addMember, listCast } from "../../domain/creations/cast.ts";
import { type AssetKind, listLive } from "../../domain/creations/assets/shape.ts";
import { shelve } from "../../domain/creations/assets/shelf.ts";
import { transact } from "../../domain/kv/transact.ts";
import { takeIn } from "../../domain/media/images/intake.ts";
import { storeFile } from "../../domain/media/storage/store_file.ts";
import type { Service } from "../../domain/service/service.ts";
import { CAST, INSPIRATIONS } from "./brand.ts";
import { drawLogo } from "./logo.ts";

const SIZE = { width: 1_024, height: 1_280 };

/** Adds what is still missing, so it may have been interrupted before. */
export async function fillShelf(service: Service, brandId: string): Promise<void> {
  const names = new Set((await listLive(service.kv, brandId)).map(({ name }) => name));
  if (!names.has("Logo")) {
    await add(service, brandId, "logo", "Logo", await drawLogo(service.stopping));
  }
  for (const { name, prompt } of INSPIRATIONS) {
    if (names.has(name)) continue;
    const signal = service.stopping;
    const request = { prompt, size: SIZE, references: [], seed: name, signal };
    const { bytes } = await service.imageModel.paint(request);
    await add(service, brandId, "inspiration", name, bytes);
  }
  const cast = await listCast(service, brandId);
  if (!cast.some(({ name }) => name === CAST.name)) {
    await addMember(service, brandId, { ...CAST, referenceAssetIds: [] });
  }
}

async function add(
  service: Service,
  brandId: string,
  kind: AssetKind,
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  const image = await takeIn(brandId, () => Promise.resolve(bytes));
  const { key, keep } = await storeFile(service, brandId, image);
  await transact(service.kv, async (commit) => {
    await keep(commit);
    await shelve(service, commit, brandId, { kind, name, isPrimary: kind === "logo", key, image });
  });
}
