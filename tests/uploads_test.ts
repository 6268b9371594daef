/** Uploads: links, confirmation, and what is swept. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { MINUTE } from "../domain/calendar.ts";
import { guardedFetch } from "../domain/net/fetch_public.ts";
import { restRoutes } from "../routes/rest.ts";
import { TABLE } from "../routes/table.ts";
import { files, house, list, post, put, start, sweep } from "./library.ts";
import { picture } from "./pictures.ts";

Deno.test("an uploaded picture becomes an asset with all its fields, at the address told before", async () => {
  const { t, secret } = await house();
  await using _ = t;
  const bytes = await picture("png", 90, 70);
  const started = await start(t, secret, {
    kind: "castReference",
    name: " Ana, ünïcode ",
    contentType: "image/png",
    size: bytes.length,
  });
  assertEquals(Object.keys(started).sort(), [
    "contentType",
    "key",
    "kind",
    "name",
    "uploadUrl",
    "url",
  ]);
  assertEquals((await put(t, started.uploadUrl, bytes, "image/png")).status, 200);
  const { key, url } = started;
  const { status, body } = await post(t, secret, "/v1/assets", { key, url });
  assertEquals(status, 201);
  assertMatch(body.id, /^ast_/);
  assertEquals(body, {
    id: body.id,
    kind: "castReference",
    name: " Ana, ünïcode ",
    contentType: "image/png",
    url,
    width: 90,
    height: 70,
    isPrimary: false,
    createdAt: body.createdAt,
  });
  assertEquals((await t.app.request(url)).status, 200);
  assertEquals(await list(t, secret), [body]);
});

Deno.test("an upload link takes its type and size only, once, unchanged and in time", async () => {
  const { t, secret } = await house();
  await using _ = t;
  const bytes = await picture();
  const { uploadUrl } = await start(t, secret, { size: bytes.length });
  assertEquals((await put(t, uploadUrl, bytes, "image/png")).status, 400);
  assertEquals((await put(t, uploadUrl, bytes, "")).status, 400);
  assertEquals((await put(t, uploadUrl, bytes.subarray(1))).status, 400);
  assertEquals((await put(t, uploadUrl, new Blob([bytes, "x"]))).status, 400);
  for (
    const [part, other] of [
      ["image%2Fjpeg", "image%2Fpng"],
      ["size=", "size=1"],
      [
        "expires=",
        "expires=9",
      ],
      ["signature=", "signature=x"],
      ["/uploads/", "/uploads/a"],
      ["&signature", "&s"],
    ] as const
  ) {
    const tampered = await put(t, uploadUrl.replace(part, other), bytes);
    assertEquals([tampered.status, JSON.parse(tampered.text).error.code], [403, "forbidden"], part);
  }
  assertEquals(await files(t), []);
  assertEquals(await put(t, uploadUrl, bytes), { status: 200, text: "" });
  assertEquals((await put(t, uploadUrl, bytes)).status, 409);
  const late = await start(t, secret, { size: bytes.length });
  t.turn(15 * MINUTE);
  assertEquals((await put(t, late.uploadUrl, bytes)).status, 403);
});

Deno.test("a streamed upload is cut off at the agreed size", async () => {
  const { t, secret } = await house();
  await using _ = t;
  const { uploadUrl } = await start(t, secret, { size: 1_000 });
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent++;
      controller.enqueue(new Uint8Array(1_000));
    },
  });
  assertEquals((await put(t, uploadUrl, endless)).status, 400);
  assert(sent < 10, `${sent} chunks were taken`);
  assertEquals(await files(t), []);
});

Deno.test("of two PUTs at the same time one is taken", async () => {
  const { t, secret } = await house();
  await using _ = t;
  const bytes = await picture();
  const { uploadUrl } = await start(t, secret, { size: bytes.length });
  const answers = await Promise.all(Array.from({ length: 8 }, () => put(t, uploadUrl, bytes)));
  const statuses = answers.map(({ status }) => status).sort();
  assertEquals(statuses, [200, ...Array(7).fill(409)]);
});

Deno.test("confirming needs the key and url as returned, the bytes, and happens once", async () => {
  const { t, secret } = await house();
  await using _ = t;
  const other = await t.brand();
  const bytes = await picture();
  const { key, url, uploadUrl } = await start(t, secret, { size: bytes.length });
  const confirm = (body: unknown, by = secret) => post(t, by, "/v1/assets", body);
  assertEquals((await confirm({ key, url })).status, 409, "nothing was uploaded yet");
  await put(t, uploadUrl, bytes);
  assertEquals((await confirm({ key })).status, 400);
  assertEquals((await confirm({ url })).status, 400);
  assertEquals((await confirm({ key, url: `${url}x` })).status, 400);
  assertEquals((await confirm({ key: "uploads/none.jpg", url })).status, 400);
  assertEquals((await confirm({ key, url, sourceUrl: "http://example.com/" })).status, 400);
  assertEquals((await confirm({ key, url }, other.secret)).status, 400, "another brand's key");
  assertEquals((await confirm({ key, url })).status, 201);
  const again = await confirm({ key, url });
  assertEquals([again.status, again.body.error.code], [409, "conflict"]);
  assertEquals((await list(t, secret)).length, 1);
  assertEquals(await list(t, other.secret), []);
});

Deno.test("of many confirmations at the same time one makes the asset", async () => {
  const { t, secret } = await house();
  await using _ = t;
  const bytes = await picture();
  const { key, url, uploadUrl } = await start(t, secret, { size: bytes.length });
  await put(t, uploadUrl, bytes);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => post(t, secret, "/v1/assets", { key, url })),
  );
  assertEquals(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
  assertEquals((await list(t, secret)).length, 1);
  await sweep(t);
  assertEquals((await files(t)).length, 1);
  assertEquals((await t.app.request(url)).status, 200);
});

Deno.test("what was uploaded is judged by its bytes", async () => {
  const { t, secret } = await house();
  await using _ = t;
  const png = await picture("png");
  for (
    const bytes of [png, new TextEncoder().encode("<svg/>"), (await picture()).subarray(0, 300)]
  ) {
    const { key, url, uploadUrl } = await start(t, secret, { size: bytes.length });
    assertEquals((await put(t, uploadUrl, bytes.slice())).status, 200);
    const { status, body } = await post(t, secret, "/v1/assets", { key, url });
    assertEquals([status, body.error.code], [400, "validationError"]);
  }
  assertEquals(await list(t, secret), []);
  await sweep(t);
  assertEquals(await files(t), []);
});

Deno.test("an upload that is confirmed too late is refused and swept", async () => {
  const { t, secret } = await house();
  await using _ = t;
  const bytes = await picture();
  const first = await start(t, secret, { size: bytes.length });
  await put(t, first.uploadUrl, bytes);
  t.turn(20 * MINUTE);
  const { key, url } = first;
  const second = await start(t, secret, { size: bytes.length });
  await put(t, second.uploadUrl, bytes);
  assertEquals((await post(t, secret, "/v1/assets", { key, url })).status, 201, "the link is over");
  await sweep(t);
  const late = await post(t, secret, "/v1/assets", { key: second.key, url: second.url });
  assertEquals(late.status, 409);
  assertEquals((await files(t)).length, 1);
});

Deno.test("a crash between store and record leaves no file without an owner after the sweep", async () => {
  const { t, secret } = await house();
  await using _ = t;
  const { storage } = t.service;
  const bytes = await picture();
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response(bytes),
  );
  const host = `127.0.0.1:${server.addr.port}`;
  const crashing = restRoutes({
    ...t.service,
    fetchPublic: guardedFetch({ allowed: [host] }),
    storage: {
      ...storage,
      async put(key, file) {
        await storage.put(key, file);
        throw new Error("the power is cut");
      },
    },
  }, TABLE);
  const { key, url, uploadUrl } = await start(t, secret, { size: bytes.length });
  await put(t, uploadUrl, bytes);
  const bodies = [{ key, url }, { kind: "logo", name: "L", sourceUrl: `http://${host}/` }];
  for (const body of bodies) {
    t.turn(1_000);
    const answer = await crashing.request("/v1/assets", {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assertEquals(answer.status, 503);
  }
  assertEquals((await files(t)).length, 3);
  assertEquals((await post(t, secret, "/v1/assets", { key, url })).status, 201, "it can go on");
  await sweep(t);
  assertEquals((await list(t, secret)).map((asset) => asset.url), [url]);
  assertEquals((await files(t)).length, 1);
});

Deno.test("an upload that could not be taken is refused at its start", async () => {
  const { t, secret } = await house();
  await using _ = t;
  const good = { kind: "logo", name: "L", contentType: "image/webp", size: 10_485_760 };
  assertEquals((await post(t, secret, "/v1/assets/uploads", good)).status, 201);
  const bad = [
    { kind: "photo" },
    { name: " " },
    { name: "x".repeat(121) },
    { contentType: "image/gif" },
    { contentType: "image/jpg" },
    { size: 10_485_761 },
    { size: 0 },
    { size: -1 },
    { size: 1.5 },
    { size: "5" },
    { kind: undefined },
    { name: undefined },
    { contentType: undefined },
    { size: undefined },
  ];
  for (const change of bad) {
    const { status, body } = await post(t, secret, "/v1/assets/uploads", { ...good, ...change });
    assertEquals([status, body.error.code], [400, "validationError"], JSON.stringify(change));
  }
});
