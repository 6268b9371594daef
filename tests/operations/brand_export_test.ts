/** `brand export`: one archive with all that a brand has, in documented forms. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { unpackTar } from "modern-tar";
import { exportBrand } from "../../domain/operations/brands/export.ts";
import { importPosts } from "../../domain/posts/importer.ts";
import { livedIn } from "../support/lived_in.ts";
import { type TestService, testService } from "../support/service.ts";
import type { Json } from "../support/json.ts";

/** The archive's files by name. */
async function open(path: string): Promise<Map<string, Uint8Array>> {
  using file = await Deno.open(path);
  const unzipped = file.readable.pipeThrough(new DecompressionStream("gzip"));
  const entries = await unpackTar(unzipped);
  return new Map(entries.map(({ header, data }) => [header.name, data ?? new Uint8Array()]));
}

const linesOf = (bytes: Uint8Array | undefined): Json[] =>
  new TextDecoder().decode(bytes).split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** Every post as the API shows it, without its id. */
async function posts(t: TestService, secret: string): Promise<Json[]> {
  const { data } = await (await t.call(secret, "/v1/posts?perPage=100")).json();
  const details = data.map(async ({ id }: Json) => {
    const { id: _, ...rest } = await (await t.call(secret, `/v1/posts/${id}`)).json();
    return rest;
  });
  return (await Promise.all(details)).toSorted((a, b) => a.url < b.url ? -1 : 1);
}

Deno.test("an export has every post, image, series and playbook, and its posts can be imported", async () => {
  await using t = await testService({ environ: { SANDBOX: "on" } });
  const other = await livedIn(t, "other");
  const own = await livedIn(t, "own");
  const file = `${t.service.settings.DATA_DIR}/own.tar.gz`;
  const report = await exportBrand(t.service, own.brandId, file);
  const archive = await open(file);
  const lines = (name: string) => linesOf(archive.get(`${name}.jsonl`));
  assertEquals(JSON.parse(new TextDecoder().decode(archive.get("brand.json"))).id, own.brandId);
  const counts = [
    "posts",
    "assets",
    "creations",
    "series",
    "reviews",
    "items",
    "accounts",
    "people",
    "webhooks",
    "events",
    "audit",
  ] as const;
  for (const name of counts) {
    assertEquals(lines(name).length, report[name], name);
    assert(report[name] > 0, name);
  }
  assertEquals(lines("cast").map(({ name }) => name), ["Ada"]);
  assertEquals(lines("assets").map(({ id }) => id), [own.logo.id, own.photo.id, own.retired.id]);
  const strategic = lines("series").find(({ id }) => id === own.strategic.id);
  assert(strategic.playbook.directions.length > 0);
  const item = lines("items").find(({ id }) => id === own.item.id);
  assertEquals([item.status, item.history.at(-1).to], ["published", "published"]);

  const images = [...archive.keys()].filter((name) => name.startsWith("media/"));
  assertEquals(images.length, report.images);
  const named = [
    ...lines("assets").map(({ image }) => image),
    ...lines("creations").flatMap(({ image, rawImage }) => [image, rawImage]),
  ];
  for (const key of named.filter((key) => key !== null)) assert(images.includes(key), key);
  const { image } = lines("assets").find(({ id }) => id === own.logo.id);
  const logo = await (await t.app.request(own.logo.url)).bytes();
  assertEquals(archive.get(image)?.join(), logo.join());

  const text = [...archive].filter(([name]) => name.endsWith("l")).map(([, bytes]) =>
    new TextDecoder().decode(bytes)
  ).join();
  assert(
    !text.includes(other.brandId) && !/access|"secret"|whsec/.test(text),
    "no other brand, no token",
  );

  const target = await t.brand();
  const path = `${t.service.settings.DATA_DIR}/posts.jsonl`;
  await Deno.writeFile(path, archive.get("posts.jsonl")!);
  const imported = await importPosts(t.service, target.brand.id, path);
  assertEquals(imported, { imported: report.posts, updated: 0, rejected: [] });
  const [before, after] = [await posts(t, own.secret), await posts(t, target.secret)];
  assert(before.length > 30 && JSON.stringify(before) === JSON.stringify(after), "the same posts");
});

Deno.test("an export that fails leaves no file", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const dir = t.service.settings.DATA_DIR;
  const names = async () => (await Array.fromAsync(Deno.readDir(dir))).map(({ name }) => name);
  const before = await names();
  await t.service.kv.set(["asset", brand.id, "ast_1"], { key: `media/${"0".repeat(40)}.jpg` });
  const storage = Object.assign(Object.create(t.service.storage), {
    get: () => Promise.reject(new Error("no answer")),
  });
  const failing = exportBrand({ ...t.service, storage }, brand.id, `${dir}/own.tar.gz`);
  await assertRejects(() => failing, Error, "no answer");
  assertEquals(await names(), before);
});
