/** `asset purge`: a person's photo is gone for good. */
import { assertEquals, assertRejects } from "@std/assert";
import { purgeAsset } from "../../domain/creations/assets/purge.ts";
import { add, files, house, list, post, remove } from "../support/uploads.ts";

Deno.test("a purged asset's address is 404, everywhere it was shown, and its files are gone", async () => {
  const { t, secret, brand } = await house();
  await using _ = t;
  const photo = await add(t, secret, { kind: "castReference" });
  const kept = await add(t, secret, { kind: "castReference" });
  const member = { name: "Ada", lookPrompt: "red hair", referenceAssetIds: [photo.id, kept.id] };
  const { body: cast } = await post(t, secret, "/v1/cast-members", member);
  assertEquals(cast.references.length, 2);
  const before = await files(t);
  assertEquals(await purgeAsset(t.service, photo.id), {
    id: photo.id,
    brandId: brand.id,
    files: 2,
  });
  assertEquals((await files(t)).length, before.length - 2, "the image and the uploaded original");
  assertEquals((await t.app.request(photo.url)).status, 404);
  assertEquals((await t.app.request(kept.url)).status, 200);
  assertEquals((await list(t, secret)).map(({ id }) => id), [kept.id]);
  const shown = await (await t.call(secret, `/v1/cast-members/${cast.id}`)).json();
  assertEquals(shown.references.map(({ id }: { id: string }) => id), [kept.id]);
  await assertRejects(() => purgeAsset(t.service, photo.id), Error, "No asset");
});

Deno.test("an asset that was deleted softly, and one whose purge was interrupted, can be purged", async () => {
  const { t, secret } = await house();
  await using _ = t;
  const logo = await add(t, secret, { kind: "logo" });
  const next = await add(t, secret, { kind: "logo" });
  assertEquals(await remove(t, secret, logo.id), 204);
  assertEquals((await t.app.request(logo.url)).status, 200);
  const { storage } = t.service;
  const broken = Object.assign(Object.create(storage), {
    delete: () => Promise.reject(new Error("killed")),
  });
  const killed = { ...t.service, storage: broken };
  await assertRejects(() => purgeAsset(killed, logo.id), Error, "killed");
  await purgeAsset(t.service, logo.id);
  assertEquals((await t.app.request(logo.url)).status, 404);
  await purgeAsset(t.service, next.id);
  assertEquals(await list(t, secret), []);
  for await (const { key } of t.service.kv.list({ prefix: [] })) {
    assertEquals([logo.id, next.id].filter((id) => JSON.stringify(key).includes(id)), []);
  }
});
