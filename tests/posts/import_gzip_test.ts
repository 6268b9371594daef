/** `posts import` of gzipped files: with one member or several, intact or broken. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { importPosts } from "../../domain/posts/importer.ts";
import { madePosts } from "../support/corpus.ts";
import { fileOf, gzip, jsonl } from "../support/import_files.ts";
import { admin } from "../support/process.ts";
import { testService } from "../support/service.ts";

const POSTS = madePosts(1_000);

function bytesOf(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

Deno.test("a gzip file of several members is imported whole, with padding and a line across members", async () => {
  await using t = await testService();
  const text = jsonl(POSTS);
  const cuts = [0, 1, 77_777, 77_777, 300_000, text.length];
  const members = await Promise.all(
    cuts.slice(1).map((end, at) => gzip(text.slice(cuts[at], end))),
  );
  for (const padding of [0, 512]) {
    const { brand } = await t.brand();
    await using file = await fileOf(bytesOf(...members, new Uint8Array(padding)), ".gz");
    const report = await importPosts(t.service, brand.id, file.path);
    assertEquals(report, { imported: 1_000, updated: 0, rejected: [] });
  }
});

Deno.test("a gzip file that is cut off, damaged or followed by junk says how far the import came", async () => {
  await using t = await testService();
  const whole = await gzip("{\n" + jsonl(POSTS));
  const damaged = whole.with(whole.length - 6, whole.at(-6)! ^ 1);
  const junk = bytesOf(whole, new TextEncoder().encode("junk"));
  const broken: [bytes: Uint8Array, reason: string, fewest: number][] = [
    [whole.subarray(0, whole.length * 0.6), "unexpected end of file", 400],
    [whole.subarray(0, -3), "unexpected end of file", 800],
    [damaged, "incorrect data check", 800],
    [junk, "incorrect header check", 800],
  ];
  for (const [bytes, reason, fewest] of broken) {
    const { brand, secret } = await t.brand();
    await using file = await fileOf(bytes, ".gz");
    await using sound = await fileOf(whole, ".gz");
    const { message } = await assertRejects(
      () => importPosts(t.service, brand.id, file.path),
      Error,
    );
    assertMatch(
      message,
      new RegExp(
        `^--file: cannot be read: ${reason} \\(imported \\d+, updated 0 and rejected 1 until then;`,
      ),
    );
    const imported = Number(/imported (\d+)/.exec(message)![1]);
    assert(imported >= fewest, message);
    const { pagination } = await (await t.call(secret, "/v1/posts")).json();
    assertEquals(pagination.total, imported);
    const report = await importPosts(t.service, brand.id, sound.path);
    assertEquals([report.imported, report.updated], [1_000 - imported, 0]);
  }
});

Deno.test("a broken gzip file ends the admin call with one line and exit 1", async () => {
  const dataDir = await Deno.makeTempDir();
  {
    const whole = await gzip(jsonl(POSTS));
    await using file = await fileOf(whole.subarray(0, whole.length * 0.6), ".gz");
    const brand = await admin(dataDir, ["brand", "create", "--name", "B", "--plan", "studio"]);
    const call = ["posts", "import", "--brand", brand.id, "--file", file.path];
    const { message: printed } = await assertRejects(() => admin(dataDir, call), Error);
    assertMatch(printed, /^[^\n]+\n$/);
    const { error } = JSON.parse(printed);
    assertEquals(error.code, "validationError");
    assertMatch(
      error.message,
      /unexpected end of file \(imported [1-9]\d+, updated 0 and rejected 0 until then;/,
    );
  }
  await Deno.remove(dataDir, { recursive: true });
});
