/** Deleting a brand for good: nothing of it is left, and nothing of another brand is touched. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { deleteBrand } from "../../domain/operations/brands/delete.ts";
import { auditRows } from "../../domain/kv/audit.ts";
import { livedIn } from "../support/lived_in.ts";
import { type TestService, testService } from "../support/service.ts";
import { files } from "../support/uploads.ts";

/** Every row that names the brand, in its key or its value, but the one that says it was deleted. */
async function rowsNaming({ service: { kv } }: TestService, id: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key, value } of kv.list({ prefix: [] })) {
    if (isDeletion(value)) continue;
    if (Deno.inspect([key, value], { depth: 20, strAbbreviateSize: 1e6 }).includes(id)) {
      found.push(JSON.stringify(key));
    }
  }
  return found;
}

const isDeletion = (value: unknown) =>
  typeof value === "object" && value !== null && "action" in value &&
  value.action === "brand.deleted";

/** What a brand's key is shown, as text. */
async function shownTo(t: TestService, secret: string): Promise<string[]> {
  const paths = ["/v1/posts", "/v1/assets", "/v1/creations", "/v1/series", "/v1/cast-members"];
  return await Promise.all(paths.map(async (path) => await (await t.call(secret, path)).text()));
}

Deno.test("nothing of a deleted brand is left: no row, no file, no key that works", async () => {
  await using t = await testService({ environ: { SANDBOX: "on" } });
  const staying = await livedIn(t, "staying");
  const kept = await files(t);
  const leaving = await livedIn(t, "leaving");
  const shown = await shownTo(t, staying.secret);
  const named = (await rowsNaming(t, leaving.brandId)).length;
  const stored = (await files(t)).length - kept.length;
  assert(named > 200 && stored > 5, `${named} rows and ${stored} files`);

  const deleted = await deleteBrand(t.service, leaving.brandId);
  assert(deleted.rows >= named, `${deleted.rows} of ${named} rows`);
  assertEquals(deleted, { id: leaving.brandId, rows: deleted.rows, files: stored });
  assertEquals(await rowsNaming(t, leaving.brandId), []);
  const { accountId } = leaving.brand;
  const trail = await Array.fromAsync(auditRows(t.service, [leaving.brandId, accountId]));
  assertEquals(trail.map(({ action, subject }) => [action, subject]), [
    ["brand.deleted", leaving.brandId],
  ]);
  assertEquals(await files(t), kept);
  for (const address of [leaving.logo.url, leaving.retired.url]) {
    assertEquals((await t.app.request(address)).status, 404);
  }
  assertEquals((await t.call(leaving.secret, "/v1/posts")).status, 401);
  assert(
    (await shownTo(t, staying.secret)).join() === shown.join(),
    "another brand is not touched",
  );
  assertEquals((await t.app.request(staying.logo.url)).status, 200);
  await assertRejects(() => deleteBrand(t.service, leaving.brandId), Error, "No brand");
});

Deno.test("keys refuse from the first commit on, and an interrupted deletion is resumed", async () => {
  await using t = await testService({ environ: { SANDBOX: "on" } });
  const { brandId, secret } = await livedIn(t);
  assertEquals((await t.call(secret, "/v1/assets")).status, 200);
  const named = (await rowsNaming(t, brandId)).length;
  let calls = 0;
  const failing = Object.assign(Object.create(t.service.storage), {
    delete: (key: string) =>
      ++calls === 4 ? Promise.reject(new Error("killed")) : t.service.storage.delete(key),
  });
  const broken = { ...t.service, storage: failing };
  await assertRejects(() => deleteBrand(broken, brandId), Error, "killed");
  assertEquals((await t.call(secret, "/v1/assets")).status, 401);
  const half = (await rowsNaming(t, brandId)).length;
  assert(half > 1 && half < named, `${half} of ${named} rows`);
  const { rows } = await deleteBrand(t.service, brandId);
  assert(rows >= named, "the rows of both runs are counted");
  assertEquals([await rowsNaming(t, brandId), await files(t)], [[], []]);
});

Deno.test("an image that is being made while its brand is deleted is not stored for it", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const body = { prompt: "A loaf", idea: "loaf", aspectRatio: "square" };
  const { status } = await t.call(secret, "/v1/creations", { method: "POST", body });
  assertEquals(status, 202);
  const { imageModel } = t.service;
  let deleted: Promise<unknown> = Promise.resolve();
  Object.assign(t.service, {
    imageModel: Object.assign(Object.create(imageModel), {
      paint: async (request: Parameters<typeof imageModel.paint>[0]) => {
        deleted = deleteBrand(t.service, brand.id);
        await deleted;
        return await imageModel.paint({ ...request, signal: new AbortController().signal });
      },
    }),
  });
  await t.worker.drain();
  await deleted;
  const left = await rowsNaming(t, brand.id);
  assert(left.every((key) => /sweep|fileReservation/.test(key)), left.join());
});
