/** How answers are sent: ETags, compression, links, the limits in the IETF's words. */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { choose } from "../../domain/operations/encodings.ts";
import { ERRORS } from "../../domain/foundation/errors.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { slug } from "../../routes/docs/slug.ts";
import { madePosts } from "../support/corpus.ts";
import { testService } from "../support/service.ts";

Deno.test("an unchanged read is 304, counts as a request, and is new once it changes", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const posts = madePosts(30);
  await upsertPosts(t.service, brand.id, posts);
  for (const path of ["/v1/posts", "/v1/credits", "/v1/insights/when"]) {
    const first = await t.call(secret, path);
    const etag = first.headers.get("etag") ?? "";
    assertMatch(etag, /^W\/"[\w-]+"$/);
    const body = await first.text();
    for (const known of [etag, `"other", ${etag}`, etag.slice(2), "*"]) {
      const again = await t.call(secret, path, { headers: { "if-none-match": known } });
      assertEquals([again.status, await again.text()], [304, ""]);
      assertEquals(again.headers.get("etag"), etag);
      assertEquals(again.headers.get("content-type"), null);
      const left = Number(again.headers.get("x-quota-remaining"));
      const next = await t.call(secret, path, { headers: { "if-none-match": '"other"' } });
      assertEquals([next.status, await next.text()], [200, body]);
      assertEquals(Number(next.headers.get("x-quota-remaining")), left - 1);
    }
  }
  const { etag } = Object.fromEntries((await t.call(secret, "/v1/posts")).headers);
  await upsertPosts(t.service, brand.id, [{
    ...posts[0]!,
    caption: "Another one",
    url: "https://a.b/c",
  }]);
  const changed = await t.call(secret, "/v1/posts?perPage=100", {
    headers: { "if-none-match": etag! },
  });
  assertEquals(changed.status, 200);
  assertNotEquals(changed.headers.get("etag"), etag);
  const refused = await t.call(secret, "/v1/posts/post_x", { headers: { "if-none-match": "*" } });
  assertEquals([refused.status, refused.headers.get("etag")], [404, null]);
});

Deno.test("answers are compressed as asked for, and say so; small ones are not", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(30));
  const plain = await (await t.call(secret, "/v1/posts")).text();
  const decoders: Record<string, (bytes: Uint8Array) => Uint8Array> = {
    gzip: gunzipSync,
    br: brotliDecompressSync,
    zstd: zstdDecompressSync,
  };
  // Twice, because the second answer is made from what the first one kept.
  for (const [encoding, decode] of [...Object.entries(decoders), ...Object.entries(decoders)]) {
    const answer = await t.call(secret, "/v1/posts", { headers: { "accept-encoding": encoding } });
    assertEquals(answer.headers.get("content-encoding"), encoding);
    assertEquals(answer.headers.get("vary"), "accept-encoding");
    const bytes = new Uint8Array(await answer.arrayBuffer());
    assert(bytes.length < plain.length / 2);
    assertEquals(new TextDecoder().decode(decode(bytes)), plain);
  }
  const headers = { "accept-encoding": "gzip, br, zstd" };
  const small = await t.call(secret, "/v1/credits", { headers });
  assertEquals(small.headers.get("content-encoding"), null);
  await small.json();
  const stream = await t.call(secret, "/v1/posts.ndjson", { headers });
  assertEquals(stream.headers.get("content-encoding"), "gzip");
  const lines = new TextDecoder().decode(gunzipSync(new Uint8Array(await stream.arrayBuffer())));
  assertEquals(lines.split("\n").length, 31);
});

Deno.test("of several encodings the one is chosen that the client weighs most", () => {
  const known = ["zstd", "br", "gzip"] as const;
  const chosen = (accepted: string) => choose(accepted, known);
  assertEquals(chosen("gzip, deflate, br"), "br");
  assertEquals(chosen("gzip;q=1.0, br;q=0.5"), "gzip");
  assertEquals(chosen("GZIP"), "gzip");
  assertEquals(chosen("*"), "zstd");
  assertEquals(chosen("zstd;q=0, *;q=0.1"), "br");
  assertEquals(chosen("identity, gzip;q=0.5"), null);
  assertEquals(chosen("gzip;q=0"), null);
  assertEquals(chosen("deflate"), null);
  assertEquals(chosen(""), null);
  assertEquals(choose("zstd, gzip", ["gzip"]), "gzip");
});

Deno.test("a list links to the pages beside it, as often as it is asked for", async () => {
  await using t = await testService({
    environ: { BASE_URL: "https://marquee.example/api", SANDBOX: "off" },
  });
  const { brand, secret } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(30));
  const linkOf = async (query: string) =>
    (await t.call(secret, `/v1/posts${query}`)).headers.get("link");
  const to = (query: string, rel: string) =>
    `<https://marquee.example/api/v1/posts${query}>; rel="${rel}"`;
  for (let round = 0; round < 4; round++) {
    assertEquals(await linkOf("?perPage=10"), to("?perPage=10&page=2", "next"));
    assertEquals(
      await linkOf("?page=2&perPage=10&sort=views"),
      `${to("?page=3&perPage=10&sort=views", "next")}, ${
        to("?page=1&perPage=10&sort=views", "prev")
      }`,
    );
    assertEquals(await linkOf("?perPage=10&page=3"), to("?perPage=10&page=2", "prev"));
    assertEquals(await linkOf("?perPage=10&page=9"), to("?perPage=10&page=3", "prev"));
  }
  assertEquals(await linkOf(""), to("?page=2", "next"));
  assertEquals(await linkOf("?perPage=100"), null);
});

Deno.test("a refusal links to its code's section in the guide, and there is one for each code", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const page = await (await t.call(null, "/docs/errors")).text();
  const refusals = { "/v1/posts/post_x": "notFound", "/v1/posts?page=0": "validationError" };
  for (const [path, code] of Object.entries(refusals)) {
    const link = (await t.call(secret, path)).headers.get("link");
    assertEquals(link, `<http://127.0.0.1:8000/docs/errors#${slug(code)}>; rel="help"`);
  }
  assertMatch((await t.call(null, "/v1/posts")).headers.get("link") ?? "", /errors#unauthorized/);
  for (const code of Object.keys(ERRORS)) assert(page.includes(`id="${slug(code)}"`), code);
});

Deno.test("RateLimit says in the IETF's words what the five headers say, also after a change of plan", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand("free");
  await upsertPosts(t.service, brand.id, madePosts(30));
  for (const [plan, q, month] of [["free", 1, 500], ["studio", 20, 250_000]] as const) {
    const { updateBrand } = await import("../../domain/brands/brands.ts");
    await updateBrand(t.service, brand.id, { plan });
    for (let round = 0; round < 3; round++) {
      const { headers } = await t.call(secret, "/v1/posts");
      const of = (name: string) => headers.get(name);
      assertEquals(of("ratelimit-policy"), `"second";q=${q};w=1, "month";q=${month};w=2592000`);
      assertEquals(of("x-quota-limit"), String(month));
      const left = Date.parse("2026-12-01T00:00:00Z") / 1_000 - Math.floor(t.service.now() / 1_000);
      assertEquals(
        of("ratelimit"),
        `"second";r=${of("x-ratelimit-remaining")};t=1, ` +
          `"month";r=${of("x-quota-remaining")};t=${left}`,
      );
    }
  }
});
