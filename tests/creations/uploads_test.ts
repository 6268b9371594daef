/** Uploads: links, confirmation and deletion of unconfirmed files. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { HOUR, MINUTE } from "../../domain/foundation/calendar.ts";
import { guardedFetch } from "../../domain/media/net/fetch_public.ts";
import { restRoutes } from "../../routes/rest.ts";
import { TABLE } from "../../routes/table.ts";
import { files, house, list, post, put, start, sweep } from "../support/uploads.ts";
import { picture } from "../support/pictures.ts";

Deno.test("an uploaded image becomes an asset with all its fields, at the announced address", async () => {
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

Deno.test("an upload link takes only its type and size, once, unchanged and in time", async () => {
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

Deno.test("a streamed upload is stopped at the agreed size", async () => {
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

Deno.test("of two simultaneous PUTs one is accepted", async () => {
  const { t, secret } = await house();
  await using _ = t;
  const bytes = await picture();
  const { uploadUrl } = await start(t, secret, { size: bytes.length });
  const answers = await Promise.all(Array.from({ length: 8 }, () => put(t, uploadUrl, bytes)));
  const statuses = answers.map(({ status }) => status).sort();
  assertEquals(statuses, [200, ...Array(7).fill(409)]);
});

Deno.test("confirming needs the returned key and url and the bytes, and works once", async () => {
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

Deno.test("of many simultaneous confirmations one makes the asset", async () => {
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

Deno.test("an upload of another type is cut off at its first bytes, and its link takes the right ones", async () => {
  const { t, secret } = await house();
  await using _ = t;
  const good = await picture("jpeg");
  const png = await picture("png");
  const { key, url, uploadUrl } = await start(t, secret, { size: good.length });
  const others = [png, new TextEncoder().encode("<svg/>")];
  for (const bytes of others) {
    const refused = await put(t, uploadUrl, padded(bytes, good.length));
    assertEquals([refused.status, JSON.parse(refused.text).error.code], [400, "validationError"]);
  }
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(png.slice(sent, ++sent));
    },
  });
  assertEquals((await put(t, uploadUrl, endless)).status, 400);
  assert(sent < 20, `${sent} bytes were taken`);
  assertEquals(await files(t), []);
  assertEquals((await put(t, uploadUrl, good)).status, 200);
  assertEquals((await post(t, secret, "/v1/assets", { key, url })).status, 201);
});

function padded(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  whole.set(bytes.subarray(0, size));
  return whole;
}

Deno.test("a refused upload is deleted at once, ends, and leaves its link closed", async () => {
  const { t, secret } = await house();
  await using _ = t;
  const cut = (await picture()).slice(0, 300);
  const { key, url, uploadUrl } = await start(t, secret, { size: cut.length });
  assertEquals((await put(t, uploadUrl, cut)).status, 200);
  const confirm = () => post(t, secret, "/v1/assets", { key, url });
  const { status, body } = await confirm();
  assertEquals([status, body.error.code], [400, "validationError"]);
  assertEquals(await files(t), []);
  const again = await confirm();
  assertEquals([again.status, again.body.error.code], [409, "conflict"]);
  assertEquals((await put(t, uploadUrl, cut)).status, 409);
  assertEquals(await files(t), []);
  assertEquals(await list(t, secret), []);
  await sweep(t);
});

Deno.test("a brand has at most 20 open uploads; one that is confirmed, refused or over makes room", async () => {
  const { t, secret } = await house();
  await using _ = t;
  const [good, cut] = [await picture(), (await picture()).slice(0, 300)];
  const first = await start(t, secret, { size: good.length });
  const second = await start(t, secret, { size: cut.length });
  for (let at = 2; at < 20; at++) await start(t, secret);
  const more = { kind: "logo", name: "L", contentType: "image/png", size: 9 };
  const another = () => post(t, secret, "/v1/assets/uploads", more);
  const { status, body } = await another();
  assertEquals([status, body.error.code], [400, "validationError"]);
  assertStringIncludes(body.error.message, "at most 20 open uploads");
  assertEquals((await start(t, (await t.brand()).secret)).kind, "inspiration", "another brand's");

  for (const [{ key, url, uploadUrl }, bytes] of [[first, good], [second, cut]] as const) {
    assertEquals((await put(t, uploadUrl, bytes)).status, 200);
    await post(t, secret, "/v1/assets", { key, url });
    assertEquals((await another()).status, 201);
    assertEquals((await another()).status, 400);
  }
  t.turn(HOUR);
  assertEquals((await another()).status, 201);
});

Deno.test("an upload that is confirmed too late is refused and deleted", async () => {
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

Deno.test("an upload that can't be accepted is refused at its start", async () => {
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
