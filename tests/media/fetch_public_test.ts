/** The guarded fetch with public hosts that fail, break off, are slow or send too much. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { guardedFetch } from "../../domain/media/net/fetch_public.ts";
import { LIMITS, origin, rawOrigin, refused } from "../support/origins.ts";
import { picture } from "../support/pictures.ts";
import { testService } from "../support/service.ts";

Deno.test("three redirects are followed; a fourth, or a loop, is refused", async () => {
  await using hops = origin((request) => {
    const left = Number(new URL(request.url).pathname.slice(1));
    if (left === 0) return new Response("here");
    return new Response(null, { status: 302, headers: { location: `/${left - 1}` } });
  });
  const get = guardedFetch({ allowed: [hops.host] });
  assertEquals(new TextDecoder().decode(await get(`${hops.url}3`, LIMITS)), "here");
  const allowed = [hops.host];
  assertStringIncludes(await refused(`${hops.url}4`, { allowed }), "validationError");
  const location = "/again";
  await using loop = origin(() => new Response(null, { status: 302, headers: { location } }));
  assertStringIncludes(await refused(loop.url, { allowed: [loop.host] }), "more than 3 times");
  assertEquals(loop.seen(), 4);
});

Deno.test("a caller chooses the media types, and may want no redirect and few bytes", async () => {
  const location = "/again";
  await using server = origin((request) =>
    request.url.endsWith("/again")
      ? new Response(null, { status: 302, headers: { location } })
      : new Response(request.headers.get("accept"))
  );
  const get = guardedFetch({ allowed: [server.host] });
  const limits = { maxBytes: 8 * 1024, accept: "application/json", redirects: 0 };
  assertEquals(new TextDecoder().decode(await get(server.url, limits)), "application/json");
  await assertRejects(() => get(`${server.url}again`, limits), ServiceError, "must not redirect");
  const few = { ...limits, maxBytes: 8 };
  await assertRejects(() => get(server.url, few), ServiceError, "a file of more than");
});

Deno.test("a host's next address is tried if the first refuses connections", async () => {
  await using server = origin(() => new Response("here"));
  const port = new URL(server.url).port;
  const get = guardedFetch({
    allowed: [`two.test:${port}`],
    resolve: () => Promise.resolve(["127.0.0.9", "127.0.0.1"]),
  });
  assertEquals((await get(`http://two.test:${port}/`, LIMITS)).length, 4);
});

Deno.test("a source's refusal is a 400, and its failure a 503", async () => {
  for (
    const [status, code] of [
      [404, "validation"],
      [403, "validation"],
      [204, "validation"],
      [
        304,
        "validation",
      ],
      [500, "serviceUn"],
      [503, "serviceUn"],
    ] as const
  ) {
    await using server = origin(() => new Response(null, { status }));
    assertStringIncludes(await refused(server.url, { allowed: [server.host] }), code);
  }
  const closed = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  closed.close();
  const host = `127.0.0.1:${closed.addr.port}`;
  assertStringIncludes(await refused(`http://${host}`, { allowed: [host] }), "serviceUnavailable");
});

Deno.test("an answer that is cut, garbled or missing is a 503", async () => {
  const patience = { connectMs: 1_000, wholeMs: 200 };
  const answers = [
    ["HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc", "end"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n", "end"],
    ["hello", "end"],
    ["", "end"],
    ["", "hang"],
    ["HTTP/1.1 200 OK\r\n", "hang"],
    ["HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc", "hang"],
    [`HTTP/1.1 200 OK\r\nX: ${"a".repeat(1_000_000)}\r\n\r\n`, "hang"],
  ] as const;
  for (const [text, then] of answers) {
    await using server = rawOrigin(text, then);
    const words = await refused(`http://${server.host}/`, { allowed: [server.host], patience });
    assertStringIncludes(words, "serviceUnavailable", text.slice(0, 80));
  }
});

Deno.test("a host that never completes its handshake is given up after the connection time", async () => {
  await using server = rawOrigin("", "hang");
  const patience = { connectMs: 100, wholeMs: 60_000 };
  const words = await refused(`https://${server.host}/`, { allowed: [server.host], patience });
  assertStringIncludes(words, "serviceUnavailable");
});

Deno.test("a look-up that exceeds the overall time sends no request", async () => {
  await using server = origin(() => new Response("here"));
  const host = `late.test:${new URL(server.url).port}`;
  const lookup = Promise.withResolvers<string[]>();
  const get = guardedFetch({
    allowed: [host],
    resolve: () => lookup.promise,
    patience: { connectMs: 1_000, wholeMs: 20 },
  });
  await assertRejects(() => get(`http://${host}/`, LIMITS), ServiceError, "did not deliver");
  lookup.resolve(["127.0.0.1"]);
  // Whatever the late one began would be there before this one.
  await guardedFetch({ allowed: [server.host] })(server.url, LIMITS);
  assertEquals(server.seen(), 1);
});

Deno.test("a file above the limit is refused, whether its size is announced or not", async () => {
  await using announced = origin(() => new Response(new Uint8Array(1_000_001)));
  let sent = 0;
  await using streamed = origin(() =>
    new Response(
      new ReadableStream({
        pull(controller) {
          sent++;
          controller.enqueue(new Uint8Array(100_000));
        },
      }),
    )
  );
  for (const server of [announced, streamed]) {
    const words = await refused(server.url, { allowed: [server.host] });
    assertStringIncludes(words, "validationError sourceUrl: leads to a file of more than");
  }
  assert(sent < 500, `an endless answer was read for ${sent} chunks`);
});

Deno.test("an asset is added from a public address, and a failing source leaves nothing behind", async () => {
  const bytes = await picture("png", 30, 20);
  let body: BodyInit = "<html>no picture</html>";
  let status = 200;
  await using server = origin(() => new Response(body, { status }));
  await using t = await testService({ environ: { ALLOW_PRIVATE_HOSTS: server.host } });
  const { secret } = await t.brand();
  const create = async (sourceUrl: string) => {
    const input = { kind: "inspiration", name: "From there", sourceUrl };
    return await t.call(secret, "/v1/assets", { method: "POST", body: input });
  };
  assertEquals((await create(server.url)).status, 400);
  assertEquals((await create("http://127.0.0.1:1/")).status, 400);
  status = 502;
  const failed = await create(server.url);
  assertEquals([failed.status, failed.headers.get("retry-after")], [503, "5"]);
  assertEquals(await (await t.call(secret, "/v1/assets")).json(), { data: [] });
  status = 200;
  body = bytes;
  const created = await create(server.url);
  const asset = await created.json();
  assertEquals([created.status, asset.contentType, asset.width], [201, "image/png", 30]);
});
