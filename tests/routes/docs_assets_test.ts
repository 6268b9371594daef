/** The reference's files: sent compressed, and not at all to browsers that have them. */
import { assert, assertEquals } from "@std/assert";
import { testService } from "../support/service.ts";

const BUNDLE = "/docs/swagger-ui-bundle.js";

Deno.test("the bundle is compressed once and has an ETag for each encoding", async () => {
  await using t = await testService();
  const get = (headers: Record<string, string> = {}) => t.request(null, BUNDLE, { headers });
  const plain = await get();
  const whole = await plain.bytes();
  assertEquals(plain.headers.get("content-encoding"), null);
  const packed = await get({ "accept-encoding": "br;q=1.0, gzip" });
  assertEquals(packed.headers.get("content-encoding"), "gzip");
  assertEquals(packed.headers.get("vary"), "accept-encoding");
  const body = await packed.bytes();
  assert(body.length < whole.length / 2);
  const unpacked = new Response(body).body!.pipeThrough(new DecompressionStream("gzip"));
  assertEquals((await new Response(unpacked).bytes()).length, whole.length);
  assertEquals(
    (await get({ "accept-encoding": "gzip;q=0" })).headers.get("content-encoding"),
    null,
  );
  const [tag, packedTag] = [plain, packed].map(({ headers }) => headers.get("etag") ?? "");
  assert(tag !== packedTag && /^"\S+"$/.test(tag!));
  const again = await get({ "accept-encoding": "gzip", "if-none-match": `"x", W/${packedTag}` });
  assertEquals([again.status, again.body, again.headers.get("etag")], [304, null, packedTag]);
  assertEquals((await get({ "if-none-match": packedTag! })).status, 200, "another encoding");
});

Deno.test("the bundle is read from disk once", async () => {
  await using t = await testService();
  const readFile = Deno.readFile;
  let reads = 0;
  Deno.readFile = (path, options) => {
    if (String(path).endsWith("swagger-ui-bundle.js")) reads++;
    return readFile(path, options);
  };
  try {
    const answers = await Promise.all(Array.from({ length: 20 }, () => t.request(null, BUNDLE)));
    for (const answer of answers) await answer.body?.cancel();
  } finally {
    Deno.readFile = readFile;
  }
  assertEquals(reads, 1);
});
