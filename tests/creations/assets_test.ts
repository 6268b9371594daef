/** The library: listing, deletion, primary logos, limits. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  EMPTY_SHELF,
  primaryLogo,
  readAssets,
  requireAssets,
  shelfKey,
  type StoredAsset,
} from "../../domain/creations/assets/shape.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { transact } from "../../domain/kv/transact.ts";
import { add, house, list, post, put, remove, start, sweep } from "../support/uploads.ts";
import { picture } from "../support/pictures.ts";

Deno.test("lists are newest first, filtered by kind, and without deleted assets", async () => {
  const { t, secret } = await house();
  await using _ = t;
  const kinds = ["logo", "inspiration", "castReference", "inspiration"];
  const ids: string[] = [];
  for (const kind of kinds) ids.unshift((await add(t, secret, { kind })).id);
  assertEquals((await list(t, secret)).map(({ id }) => id), ids);
  const inspiration = await list(t, secret, "?kind=inspiration");
  assertEquals(inspiration.map(({ id }) => id), [ids[0], ids[2]]);
  assertEquals((await t.call(secret, "/v1/assets?kind=photo")).status, 400);
  assertEquals(await remove(t, secret, ids[0]!), 204);
  assertEquals((await list(t, secret)).map(({ id }) => id), ids.slice(1));
});

Deno.test("a deleted asset leaves lists, but its address and record stay", async () => {
  const { t, secret, brand } = await house();
  await using _ = t;
  const other = await t.brand();
  const asset = await add(t, secret);
  assertEquals(await remove(t, other.secret, asset.id), 404);
  assertEquals(await remove(t, secret, asset.id), 204);
  assertEquals(await remove(t, secret, asset.id), 404);
  assertEquals(await remove(t, secret, "ast_junk"), 404);
  assertEquals(await list(t, secret), []);
  assertEquals((await t.app.request(asset.url)).status, 200);
  await sweep(t);
  assertEquals((await t.app.request(asset.url)).status, 200);
  const { kv } = t.service;
  assertEquals(await readAssets(kv, brand.id, [asset.id]), []);
  const retired = await kv.get<StoredAsset>(["retiredAsset", brand.id, asset.id]);
  assertEquals([retired.value?.id, typeof retired.value?.deletedAt], [asset.id, "string"]);
});

Deno.test("a record that names an asset is not stored if the asset is deleted meanwhile", async () => {
  const { t, secret, brand } = await house();
  await using _ = t;
  const { kv } = t.service;
  const { id } = await add(t, secret);
  const wanted = { field: "ids", kind: "inspiration", ids: [id] } as const;
  let tries = 0;
  const naming = () =>
    transact(kv, async (commit) => {
      await requireAssets(kv, commit, brand.id, wanted);
      if (tries++ === 0) await remove(t, secret, id);
      commit.set(["named", brand.id], id);
    });
  await assertRejects(naming, ServiceError, `ids: ${id} is not an asset of this brand`);
  assertEquals([tries, (await kv.get(["named", brand.id])).value], [1, null]);
});

Deno.test("the primary logo is the first, then the one that asks, then the newest remaining one", async () => {
  const { t, secret, brand } = await house();
  await using _ = t;
  const primary = async () => {
    const ids = (await list(t, secret)).filter((asset) => asset.isPrimary).map(({ id }) => id);
    const stored = await primaryLogo(t.service.kv, brand.id);
    assertEquals(ids, stored === null ? [] : [stored.id]);
    return ids[0];
  };
  const photo = await add(t, secret);
  assertEquals(photo.isPrimary, false);
  assertEquals(await primary(), undefined);
  const first = await add(t, secret, { kind: "logo" });
  assertEquals(first.isPrimary, true);
  const second = await add(t, secret, { kind: "logo" });
  assertEquals(second.isPrimary, false);
  const third = await add(t, secret, { kind: "logo", isPrimary: true });
  assertEquals([third.isPrimary, await primary()], [true, third.id]);
  await remove(t, secret, first.id);
  assertEquals(await primary(), third.id);
  await remove(t, secret, third.id);
  assertEquals(await primary(), second.id);
  await remove(t, secret, second.id);
  assertEquals(await primary(), undefined);
  const body = { kind: "inspiration", name: "A", isPrimary: true };
  const upload = { ...body, contentType: "image/png", size: 1 };
  assertEquals((await post(t, secret, "/v1/assets/uploads", upload)).status, 400);
  const sourceUrl = "https://example.com/a.png";
  assertEquals((await post(t, secret, "/v1/assets", { ...body, sourceUrl })).status, 400);
});

Deno.test("an asset from an address needs kind, name and address", async () => {
  const { t, secret } = await house();
  await using _ = t;
  const good = { kind: "logo", name: "L", sourceUrl: "http://127.0.0.1/a.png" };
  for (const change of [{ kind: undefined }, { name: undefined }, { sourceUrl: undefined }, {}]) {
    const { status, body } = await post(t, secret, "/v1/assets", { ...good, ...change });
    assertEquals(status, 400);
    const field = Object.keys(change)[0] ?? "sourceUrl";
    assertMatch(body.error.message, new RegExp(`^${field}: `));
  }
});

Deno.test("a brand has at most 1,000 live assets, even if the last ones arrive at the same time", async () => {
  const { t, secret, brand } = await house();
  await using _ = t;
  const { kv } = t.service;
  const bytes = await picture();
  const uploads = await Promise.all([1, 2, 3].map(() => start(t, secret, { size: bytes.length })));
  for (const { uploadUrl } of uploads) await put(t, uploadUrl, bytes);
  await kv.set(shelfKey(brand.id), { ...EMPTY_SHELF, live: 999 });
  const answers = await Promise.all(
    uploads.map(({ key, url }) => post(t, secret, "/v1/assets", { key, url })),
  );
  assertEquals(answers.map(({ status }) => status).sort(), [201, 400, 400]);
  const more = { kind: "logo", name: "L", contentType: "image/png", size: 1 };
  assertEquals((await post(t, secret, "/v1/assets/uploads", more)).status, 400);
  const [asset] = await list(t, secret);
  assertEquals(await remove(t, secret, asset.id), 204);
  assertEquals((await post(t, secret, "/v1/assets/uploads", more)).status, 201);
});
