/** `posts import`: streamed, idempotent, rejects bad lines by number, seen by a running service. */
import { assert, assertEquals } from "@std/assert";
import { importPosts } from "../../domain/posts/importer.ts";
import type { IncomingPost } from "../../domain/posts/shape.ts";
import { findPost } from "../../domain/posts/store.ts";
import { madePosts, REAL_POSTS, realPosts } from "../support/corpus.ts";
import { fileOf, gzip, jsonl } from "../support/import_files.ts";
import { admin, startProcess } from "../support/process.ts";
import { testService } from "../support/service.ts";

Deno.test("importing the same file again changes nothing, gzipped or not", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const posts = REAL_POSTS ? await realPosts(500) : madePosts(500);
  await using plain = await fileOf(jsonl(posts));
  await using zipped = await fileOf(await gzip(jsonl(posts)), ".jsonl.gz");
  const first = await importPosts(t.service, brand.id, plain.path);
  assertEquals(first, { imported: 500, updated: 0, rejected: [] });
  const before = await (await t.call(secret, "/v1/posts?perPage=100")).text();
  for (const { path } of [plain, zipped]) {
    const again = await importPosts(t.service, brand.id, path);
    assertEquals(again, { imported: 0, updated: 0, rejected: [] });
  }
  assertEquals(await (await t.call(secret, "/v1/posts?perPage=100")).text(), before);
});

Deno.test("a bad line is rejected with its number, and the others are imported", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const [good, other] = madePosts(2) as [IncomingPost, IncomingPost];
  const reading = good.readings[0]!;
  const bad: [string, string][] = [
    ["{", "not valid JSON"],
    ["[]", "expected"],
    [JSON.stringify({ ...good, platform: "tiktok" }), "platform"],
    [JSON.stringify({ ...good, format: "Reel" }), "format"],
    [JSON.stringify({ ...good, externalId: "" }), "externalId"],
    [JSON.stringify({ ...good, externalId: 5 }), "externalId"],
    [JSON.stringify({ ...good, title: undefined }), "title: is required"],
    [JSON.stringify({ ...good, url: "javascript:alert(1)" }), "url"],
    [JSON.stringify({ ...good, mediaUrls: ["x"] }), "mediaUrls"],
    [JSON.stringify({ ...good, hashtags: "a,b" }), "hashtags"],
    [JSON.stringify({ ...good, caption: "x".repeat(20_001) }), "caption"],
    [JSON.stringify({ ...good, publishedAt: "2026-01-01T00:00:00" }), "publishedAt"],
    [JSON.stringify({ ...good, publishedAt: "2026-02-30T00:00:00Z" }), "publishedAt"],
    [JSON.stringify({ ...good, publishedAt: "9999-12-31T23:59:59-01:00" }), "publishedAt"],
    [JSON.stringify({ ...good, title: 5 }), "title: must be a string"],
    [JSON.stringify({ ...good, readings: [] }), "readings: must have at least 1"],
    [JSON.stringify({ ...good, readings: [{ ...reading, views: -1 }] }), "readings.0.views"],
    [JSON.stringify({ ...good, readings: [{ ...reading, views: 1.5 }] }), "readings.0.views"],
    [JSON.stringify({ ...good, readings: [{ ...reading, likes: "5" }] }), "readings.0.likes"],
    [JSON.stringify({ ...good, readings: [{ ...reading, views: null }] }), "readings.0.views"],
    ['{"caption":"\\ud800"}', "externalId"],
    ["x".repeat(1_100_000), "longer than"],
  ];
  const lines = [
    "",
    JSON.stringify(good),
    "   ",
    ...bad.map(([line]) => line),
    JSON.stringify(other),
  ];
  const text = new TextEncoder().encode(lines.join("\r\n"));
  await using file = await fileOf(new Uint8Array([...text, 10, 0xff, 0xfe, 10]));
  const report = await importPosts(t.service, brand.id, file.path);
  assertEquals([report.imported, report.updated], [2, 0]);
  const numbers = [...bad.map((_, at) => at + 4), lines.length + 1];
  assertEquals(report.rejected.map(({ line }) => line), numbers);
  for (const [at, [, word]] of bad.entries()) {
    const { error } = report.rejected[at]!;
    assert(error.includes(word), `${error} lacks ${word}`);
  }
  assertEquals(report.rejected.at(-1)!.error, "not valid UTF-8");
});

Deno.test("readings merge by UTC day, and a day's latest one wins in any order of files", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const [post] = madePosts(1) as [IncomingPost];
  const reading = (capturedAt: string, views: number) => ({
    ...post.readings[0]!,
    capturedAt,
    views,
  });
  const bring = async (...readings: IncomingPost["readings"]) => {
    await using file = await fileOf(jsonl([{ ...post, readings }]));
    return await importPosts(t.service, brand.id, file.path);
  };
  await bring(reading("2026-03-01T10:00:00Z", 10), reading("2026-03-02T10:00:00+02:00", 20));
  assertEquals((await bring(reading("2026-03-01T22:00:00Z", 15))).updated, 1);
  assertEquals((await bring(reading("2026-03-01T12:00:00Z", 11))).updated, 0);
  // 01:00 at +02:00 is 23:00 UTC of the day before.
  assertEquals((await bring(reading("2026-03-02T01:00:00+02:00", 16))).updated, 1);
  const found = await findPost(t.service.kv, brand.id, post.platform, post.externalId);
  assertEquals(
    found!.snapshots.map(({ capturedAt, views }) => [capturedAt, views]),
    [["2026-03-01T23:00:00.000Z", 16], ["2026-03-02T08:00:00.000Z", 20]],
  );
  assertEquals(found!.metrics.views, 20);
});

Deno.test("a file that is missing or not gzip is refused with a reason", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  await using file = await fileOf("{}");
  const fake = `${file.path}.gz`;
  await Deno.copyFile(file.path, fake);
  for (const path of ["/nowhere/posts.jsonl", fake]) {
    const refusal = await importPosts(t.service, brand.id, path).catch((error) => error);
    assertEquals([refusal.code, refusal.message.startsWith("--file: cannot be read")], [
      "validationError",
      true,
    ]);
  }
  await Deno.remove(fake);
});

/** The most memory that importing a file of that size took beyond what was in use before, in MB. */
async function memoryOfImport(size: number, ending = ".jsonl"): Promise<number> {
  const dataDir = await Deno.makeTempDir();
  const path = `${dataDir}/posts${ending}`;
  await writeBigFile(path, size);
  const brand = await admin(dataDir, ["brand", "create", "--name", "Big", "--plan", "studio"]);
  const script = `
    import { admin } from ${JSON.stringify(new URL("../../jobs/admin.ts", import.meta.url).href)};
    let most = 0;
    const before = Deno.memoryUsage().rss;
    const timer = setInterval(() => most = Math.max(most, Deno.memoryUsage().rss), 5);
    const code = await admin(["posts", "import", "--brand", "${brand.id}", "--file", "${path}"]);
    clearInterval(timer);
    console.log((most - before) / 1e6);
    Deno.exit(code);`;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...[
        "run",
        "--no-prompt",
        "-A",
        `--config=${new URL("../../deno.json", import.meta.url).pathname}`,
      ],
      `data:text/typescript,${encodeURIComponent(script)}`,
    ],
    env: { DATA_DIR: dataDir, SECRET_KEY: "a secret for tests only, and long enough" },
  }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  const [report, grown] = new TextDecoder().decode(stdout).trim().split("\n");
  assertEquals(JSON.parse(report!).imported, 40);
  await Deno.remove(dataDir, { recursive: true });
  return Number(grown);
}

/** Forty posts over and over, each with a caption of 18,000 characters of four bytes. */
async function writeBigFile(path: string, size: number): Promise<void> {
  const [post] = madePosts(1) as [IncomingPost];
  const lines = Array.from({ length: 40 }, (_, at) => {
    const caption = `${at} ${"😀".repeat(18_000)}`;
    return new TextEncoder().encode(jsonl([{ ...post, externalId: `big-${at}`, caption }]));
  });
  const bytes = ReadableStream.from(function* () {
    for (let at = 0, written = 0; written < size; written += lines[at++ % 40]!.length) {
      yield lines[at % 40]!;
    }
  }());
  const zip = path.endsWith(".gz");
  await Deno.writeFile(path, zip ? bytes.pipeThrough(new CompressionStream("gzip")) : bytes);
}

Deno.test("importing 160 MB, gzipped or not, takes no more memory than 60 MB", async () => {
  const small = await memoryOfImport(60e6);
  for (const ending of [".jsonl", ".jsonl.gz"]) {
    const large = await memoryOfImport(160e6, ending);
    assert(large < small + 60, `60 MB took ${small} MB of memory, 160 MB ${ending} ${large} MB`);
  }
});

Deno.test("a running service sees what another process imports within about a second", async () => {
  const dataDir = await Deno.makeTempDir();
  {
    await using service = await startProcess({ dataDir });
    const brand = await admin(dataDir, ["brand", "create", "--name", "B", "--plan", "studio"]);
    const scopes = ["--scopes", "postsRead"];
    const { secret } = await admin(dataDir, ["key", "create", "--brand", brand.id, ...scopes]);
    const total = async () => {
      const headers = { authorization: `Bearer ${secret}` };
      const answer = await fetch(`${service.url}/v1/posts?q=harbour`, { headers });
      return (await answer.json()).pagination?.total;
    };
    assertEquals(await total(), 0);
    const posts = madePosts(300).map((post) => ({ ...post, caption: "Harbour" }));
    for (const upTo of [200, 300]) {
      await using file = await fileOf(jsonl(posts.slice(0, upTo)));
      const report = await admin(dataDir, [
        "posts",
        "import",
        "--brand",
        brand.id,
        "--file",
        file.path,
      ]);
      assertEquals(report.imported, upTo === 200 ? 200 : 100);
      const endAt = performance.now() + 1_500;
      while (await total() !== upTo && performance.now() < endAt) {
        await new Promise((done) => setTimeout(done, 100));
      }
      assertEquals(await total(), upTo);
    }
  }
  await Deno.remove(dataDir, { recursive: true });
});
