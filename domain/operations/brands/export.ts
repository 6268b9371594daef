/** `brand export`: all that a brand has, as one archive of JSON lines and images. */
import { type Brand, requireBrand } from "../../brands/brands.ts";
import { readKit } from "../../brands/kit.ts";
import { kitFields } from "../../brands/kit_fields.ts";
import { listPeople } from "../../brands/members.ts";
import { primaryLogo, type StoredAsset } from "../../creations/assets/shape.ts";
import { readPrompt } from "../../creations/store.ts";
import type { StoredCreation } from "../../creations/shape.ts";
import { eachEvent } from "../../events/feed.ts";
import { listWebhooks } from "../../events/webhooks/store.ts";
import { auditRows } from "../../kv/audit.ts";
import { listValues, reader } from "../../kv/transact.ts";
import { listSocialAccounts } from "../../platforms/accounts.ts";
import { exportPosts } from "../../posts/exporter.ts";
import { shownSeries } from "../../series/making/view.ts";
import type { StoredReview } from "../../series/playbook.ts";
import { readStrategy, type StoredSeries, type StoredSlot } from "../../series/records.ts";
import { listEvents } from "../../series/states.ts";
import type { Service } from "../../service/service.ts";
import { Archive } from "./archive.ts";
import { brandRows } from "./rows.ts";

type Dependencies = Pick<Service, "kv" | "storage" | "now">;

/** How many of each the archive has. */
export interface ExportReport {
  file: string;
  posts: number;
  assets: number;
  castMembers: number;
  creations: number;
  series: number;
  reviews: number;
  items: number;
  accounts: number;
  people: number;
  webhooks: number;
  events: number;
  audit: number;
  images: number;
}

/** Records that were deleted softly are exported, too, with the instant of their deletion. */
export async function exportBrand(
  service: Dependencies,
  id: string,
  file: string,
): Promise<ExportReport> {
  const { kv, now } = service;
  const brand = await requireBrand(reader(kv), id);
  await using archive = await Archive.create(file, now());
  await archive.add("brand.json", await brandJson(kv, brand));
  const report: ExportReport = {
    file,
    posts: await archive.addLines("posts.jsonl", exportPosts(kv, id)),
    assets: await archive.addLines("assets.jsonl", assets(kv, id)),
    castMembers: await archive.addLines("cast.jsonl", castMembers(kv, id)),
    creations: await archive.addLines("creations.jsonl", creations(kv, id)),
    series: await archive.addLines("series.jsonl", series(kv, id)),
    reviews: await archive.addLines("reviews.jsonl", reviews(kv, id)),
    items: await archive.addLines("items.jsonl", items(kv, id)),
    accounts: await archive.addLines("accounts.jsonl", accounts(kv, id)),
    people: await archive.addLines("people.jsonl", people(kv, brand)),
    webhooks: await archive.addLines("webhooks.jsonl", webhooks(kv, id)),
    events: await archive.addLines("events.jsonl", eachEvent(kv, id)),
    audit: await archive.addLines("audit.jsonl", auditRows(service, [id])),
    images: await addImages(service, id, archive),
  };
  await archive.close();
  return report;
}

async function brandJson(kv: Deno.Kv, brand: Brand): Promise<Uint8Array<ArrayBuffer>> {
  const kit = await readKit(reader(kv), brand.id);
  const { id, name, plan, createdAt } = brand;
  const { baseStylePrompt } = kit;
  const value = { id, name, plan, createdAt, baseStylePrompt, ...kitFields(kit) };
  return new TextEncoder().encode(JSON.stringify(value, null, 2) + "\n");
}

async function* assets(kv: Deno.Kv, brandId: string) {
  const primaryId = (await primaryLogo(kv, brandId))?.id;
  for (const collection of ["asset", "retiredAsset"]) {
    for (const { key, ...asset } of await listValues<StoredAsset>(kv, [collection, brandId])) {
      yield { ...asset, isPrimary: asset.id === primaryId, image: key };
    }
  }
}

async function* castMembers(kv: Deno.Kv, brandId: string) {
  for (const collection of ["castMember", "retiredCast"]) {
    yield* await listValues(kv, [collection, brandId]);
  }
}

async function* creations(kv: Deno.Kv, brandId: string) {
  for await (const { value } of kv.list<StoredCreation>({ prefix: ["creation", brandId] })) {
    const { brandId: _, finalKey, rawKey, generation: _paintings, freeRetries: _left, ...rest } =
      value;
    yield {
      ...rest,
      prompt: await readPrompt(kv, brandId, value.id),
      image: finalKey,
      rawImage: rawKey,
    };
  }
}

async function* series(kv: Deno.Kv, brandId: string) {
  for (const stored of await listValues<StoredSeries>(kv, ["series", brandId])) {
    const strategy = await readStrategy(reader(kv), brandId, stored.id);
    yield { ...shownSeries(stored, strategy), deletedAt: stored.deletedAt };
  }
}

async function* reviews(kv: Deno.Kv, brandId: string) {
  for await (const { value } of kv.list<StoredReview>({ prefix: ["review", brandId] })) {
    const { brandId: _, ...review } = value;
    yield review;
  }
}

async function* items(kv: Deno.Kv, brandId: string) {
  for await (const { value } of kv.list<StoredSlot>({ prefix: ["slot", brandId] })) {
    const { brandId: _, publication: _try, generation: _orders, events, ...item } = value;
    yield { ...item, history: await listEvents(kv, value, events) };
  }
}

async function* accounts(kv: Deno.Kv, brandId: string) {
  for (const { brandId: _, ...account } of await listSocialAccounts(kv, brandId)) yield account;
}

async function* people(kv: Deno.Kv, brand: Brand) {
  yield* await listPeople(kv, brand);
}

async function* webhooks(kv: Deno.Kv, brandId: string) {
  yield* await listWebhooks(kv, brandId);
}

/** Adds every image at its storage key. An unconfirmed upload is no image yet. */
async function addImages(
  { kv, storage }: Dependencies,
  brandId: string,
  archive: Archive,
): Promise<number> {
  const added = new Set<string>();
  for await (const { files } of brandRows(kv, brandId)) {
    for (const key of files) {
      if (!key.startsWith("media/") || added.has(key)) continue;
      const image = await storage.get(key);
      if (image === null) continue;
      await archive.add(key, image.bytes);
      added.add(key);
    }
  }
  return added.size;
}
