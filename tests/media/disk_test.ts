/** Images in a folder, served at `/media`, over real sockets. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { newFileKey } from "../../domain/media/storage/storage.ts";
import { picture } from "../support/pictures.ts";
import { freePort } from "../support/process.ts";
import { type TestService, testService } from "../support/service.ts";

interface Site extends AsyncDisposable {
  t: TestService;
  /** A stored picture, its bytes and its address. */
  bytes: Uint8Array<ArrayBuffer>;
  url: string;
  baseUrl: string;
}

/** The service behind a real socket with one stored picture. */
async function site(): Promise<Site> {
  const port = freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const t = await testService({ environ: { PORT: String(port), BASE_URL: baseUrl } });
  const server = Deno.serve({ port, hostname: "127.0.0.1", onListen() {} }, t.app.fetch);
  const bytes = await picture("png");
  const key = newFileKey("media", "image/png");
  await t.service.storage.put(key, { bytes, contentType: "image/png" });
  const dispose = async () => {
    await server.shutdown();
    await t[Symbol.asyncDispose]();
  };
  const url = await t.service.storage.url(key);
  return { t, bytes, url, baseUrl, [Symbol.asyncDispose]: dispose };
}

/** The answer's status and body. */
async function get(url: string, headers: Record<string, string> = {}, method = "GET") {
  const answer = await fetch(url, { method, headers });
  return { status: answer.status, headers: answer.headers, body: await answer.bytes() };
}

Deno.test("an image is served with its type, cacheable for ever, and without sniffing", async () => {
  await using s = await site();
  const { status, headers, body } = await get(s.url);
  assertEquals([status, body], [200, s.bytes]);
  assertEquals(headers.get("content-type"), "image/png");
  assertEquals(headers.get("content-length"), String(s.bytes.length));
  assertEquals(headers.get("x-content-type-options"), "nosniff");
  assertEquals(headers.get("accept-ranges"), "bytes");
  assertMatch(headers.get("cache-control")!, /max-age=31536000, immutable/);
  assertEquals(headers.get("access-control-allow-origin"), null);
});

Deno.test("HEAD returns the headers of GET without the bytes", async () => {
  await using s = await site();
  const { status, headers, body } = await get(s.url, {}, "HEAD");
  assertEquals([status, body.length], [200, 0]);
  assertEquals(headers.get("content-length"), String(s.bytes.length));
  assertEquals(headers.get("etag"), (await get(s.url)).headers.get("etag"));
});

Deno.test("a cached image is answered with 304", async () => {
  await using s = await site();
  const etag = (await get(s.url)).headers.get("etag")!;
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const { status, headers, body } = await get(s.url, { "if-none-match": known });
    assertEquals([status, body.length, headers.get("etag")], [304, 0, etag]);
  }
  assertEquals((await get(s.url, { "if-none-match": '"other"' })).status, 200);
});

Deno.test("a range returns a part of the file, and one outside the file is refused", async () => {
  await using s = await site();
  const { length } = s.bytes;
  const ranges = [
    ["bytes=0-9", 0, 9],
    ["bytes=10-19", 10, 19],
    ["bytes=5-", 5, length - 1],
    ["bytes=-7", length - 7, length - 1],
    [`bytes=0-${length * 2}`, 0, length - 1],
    [`bytes=-${length * 2}`, 0, length - 1],
  ] as const;
  for (const [range, from, to] of ranges) {
    const { status, headers, body } = await get(s.url, { range });
    assertEquals([status, body], [206, s.bytes.subarray(from, to + 1).slice()], range);
    assertEquals(headers.get("content-range"), `bytes ${from}-${to}/${length}`);
    assertEquals(headers.get("content-length"), String(to - from + 1));
  }
  for (const range of [`bytes=${length}-`, "bytes=-0"]) {
    const { status, headers } = await get(s.url, { range });
    assertEquals([status, headers.get("content-range")], [416, `bytes */${length}`]);
  }
  for (const range of ["bytes=9-0", "bytes=-", "lines=0-1", "bytes=0-1,4-5", "junk"]) {
    assertEquals((await get(s.url, { range })).status, 200, range);
  }
});

Deno.test("a range of another version returns the whole file", async () => {
  await using s = await site();
  const etag = (await get(s.url)).headers.get("etag")!;
  const range = "bytes=0-3";
  assertEquals((await get(s.url, { range, "if-range": etag })).status, 206);
  assertEquals((await get(s.url, { range, "if-range": '"old"' })).status, 200);
});

Deno.test("only stored images are served: no folder, no upload, no other path", async () => {
  await using s = await site();
  const { secret } = await s.t.brand();
  const body = { kind: "logo", name: "L", contentType: "image/png", size: s.bytes.length };
  const started = await (await s.t.call(secret, "/v1/assets/uploads", { method: "POST", body }))
    .json();
  const headers = { "content-type": "image/png" };
  await (await fetch(started.uploadUrl, { method: "PUT", headers, body: s.bytes })).body?.cancel();
  const name = started.key.split("/")[1];
  const odd = [
    "/media",
    "/media/",
    "/media/..%2f..%2fsecret.key",
    "/media/%2e%2e/%2e%2e/kv.sqlite3",
    "/media/../../kv.sqlite3",
    "/media/x.png%00",
    "/media/x.svg",
    "/media/.drafts/x.png",
    `/media/uploads/${name}`,
    `/media/.uploads/${name}`,
    `/media/${name}`,
    `/media/${"a/".repeat(9)}x.png`,
    `/media/${newFileKey("media", "image/png").slice(6)}`,
  ];
  for (const path of odd) {
    const { status, body } = await get(s.baseUrl + path);
    assertEquals(status, 404, path);
    assertEquals(JSON.parse(new TextDecoder().decode(body)).error.code, "notFound", path);
  }
  assertEquals((await get(s.url, {}, "DELETE")).status, 404);
});

Deno.test("file names can't be guessed and never repeat", () => {
  const names = new Set(Array.from({ length: 1_000 }, () => newFileKey("media", "image/jpeg")));
  assertEquals(names.size, 1_000);
  for (const name of names) assertMatch(name, /^media\/[0-9a-f]{40}\.jpg$/);
});

Deno.test("the store refuses foreign keys and wrong types", async () => {
  await using s = await site();
  const { storage } = s.t.service;
  const file = { bytes: s.bytes, contentType: "image/png" };
  for (const key of ["media/../x.png", "/etc/x.png", "media/a b.png", "other/x.png", "media/x"]) {
    await assertFails(() => storage.put(key, file));
    await assertFails(() => storage.get(key));
  }
  await assertFails(() => storage.put("media/x.jpg", file));
});

Deno.test("a reader sees the whole file or none while it is being written", async () => {
  await using s = await site();
  const { storage } = s.t.service;
  const key = newFileKey("media", "image/png");
  const bytes = new Uint8Array(4_000_000).fill(7);
  const writes = Promise.all(
    Array.from({ length: 5 }, () => storage.put(key, { bytes, contentType: "image/png" })),
  );
  let done = false;
  void writes.then(() => done = true);
  while (!done) {
    const seen = await storage.head(key);
    assert(seen === null || seen.size === bytes.length, `${seen?.size} bytes`);
  }
});

async function assertFails(action: () => Promise<unknown>): Promise<void> {
  const failed = await action().then(() => false, () => true);
  assert(failed);
}
