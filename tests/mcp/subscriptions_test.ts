/** Resources that agents subscribe to: what is told, when, to whom, and what it survives. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createApiKey, revokeApiKey } from "../../domain/brands/keys.ts";
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import { brandRows } from "../../domain/operations/brands/rows.ts";
import { post } from "../support/creations.ts";
import { beginSession, initialize, McpSession, sendTo } from "../support/mcp_session.ts";
import { type TestService, testService } from "../support/service.ts";

const EVENTS = "marquee://events";
const creation = (id: string) => `marquee://creations/${id}`;

/** Makes a picture, which leaves one event. */
async function picture(t: TestService, secret: string): Promise<string> {
  const { creation: { id } } = await post(t, secret);
  await t.worker.drain();
  return id;
}

async function read(session: McpSession, uri: string) {
  const { result } = await session.ask("resources/read", { uri });
  return JSON.parse(result.contents[0].text);
}

Deno.test("a subscriber is told of each new event, and what it then reads has it", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const session = await beginSession(sendTo(t, secret));
  const { result } = await session.ask("resources/list");
  assert(result.resources.some(({ uri }: { uri: string }) => uri === EVENTS));
  await using stream = await session.listen();
  await session.subscribe(EVENTS);
  const first = await picture(t, secret);
  assertEquals(await stream.updated(), EVENTS);
  const { data, nextAfter } = await read(session, EVENTS);
  assertEquals(data.at(-1).data.creationId, first);
  assertEquals([nextAfter, stream.lastId], [data.at(-1).id, data.at(-1).id]);
  await picture(t, secret);
  assertEquals(await stream.updated(), EVENTS);
});

Deno.test("who waits for one picture is told when that one is complete, and of nothing else", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const session = await beginSession(sendTo(t, secret));
  await using stream = await session.listen();
  await session.subscribe(EVENTS);
  const { creation: { id } } = await post(t, secret);
  await session.subscribe(creation(id));
  assertEquals((await session.ask("resources/unsubscribe", { uri: EVENTS })).result, {});
  await picture(t, secret);
  assertEquals(await stream.updated(), creation(id));
  assertEquals((await read(session, creation(id))).status, "complete");
  await session.subscribe(EVENTS);
  await picture(t, secret);
  assertEquals(await stream.updated(), EVENTS, "the first one is not told of again");
});

Deno.test("what happens before the stream is open, or while it is broken, is told afterwards", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const session = await beginSession(sendTo(t, secret));
  await session.subscribe(EVENTS);
  await picture(t, secret);
  const first = await session.listen();
  assertEquals(await first.updated(), EVENTS);
  const place = first.lastId;
  await first[Symbol.asyncDispose]();
  const away = await picture(t, secret);
  await using again = await session.listen(place);
  assertEquals(await again.updated(), EVENTS);
  const { data } = await read(session, EVENTS);
  assertEquals([data.at(-1).data.creationId, data.at(-1).id], [away, again.lastId]);
  // A place that nobody has given is no reason to tell nothing.
  for (const strange of ["evt_x", "x".repeat(5_000)]) {
    await using lost = await session.listen(strange);
    assertEquals(await lost.updated(), EVENTS);
  }
});

Deno.test("of two streams of a session only the newest one tells", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const session = await beginSession(sendTo(t, secret));
  await session.subscribe(EVENTS);
  await using older = await session.listen();
  const newer = await session.listen();
  await picture(t, secret);
  assertEquals(await newer.updated(), EVENTS);
  const told = older.updated();
  const first = await Promise.race([told, newer[Symbol.asyncDispose]().then(() => "closed")]);
  assertEquals(first, "closed");
  await picture(t, secret);
  assertEquals(await told, EVENTS, "once the newer is gone the older one tells");
});

Deno.test("after more events than are looked through, everything is told once", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const session = await beginSession(sendTo(t, secret));
  const { creation: { id } } = await post(t, secret);
  await session.subscribe(creation(id));
  await session.subscribe(EVENTS);
  for (let n = 0; n < 60; n++) {
    await revokeApiKey(t.service, (await t.key(brand.id, ["postsRead"])).keyId);
  }
  await using stream = await session.listen();
  assertEquals([await stream.updated(), await stream.updated()], [creation(id), EVENTS]);
  assertMatch(stream.lastId, /^evt_/);
});

Deno.test("revoking the key ends its streams, and nothing more is told", async () => {
  await using t = await testService();
  const { secret, keyId } = await t.brand();
  const session = await beginSession(sendTo(t, secret));
  await using stream = await session.listen();
  await session.subscribe(EVENTS);
  await revokeApiKey(t.service, keyId);
  assertEquals(await stream.updated(), null);
  assertEquals((await session.open()).status, 401);
});

Deno.test("a session that is ended is unknown from then on, and its stream is over", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const session = await beginSession(sendTo(t, secret));
  await using stream = await session.listen();
  await session.subscribe(EVENTS);
  assertEquals(await session.end(), 204);
  assertEquals(await stream.updated(), null);
  for (const answer of [await session.open(), await session.post({ id: 1, method: "ping" })]) {
    assertEquals(answer.status, 404);
    assertEquals((await answer.json()).error.code, "notFound");
  }
  assertEquals(await session.end(), 404);
});

Deno.test("a brand's deletion finds what its sessions have left", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  await (await beginSession(sendTo(t, secret))).subscribe(EVENTS);
  const rows = await Array.fromAsync(brandRows(t.service.kv, brand.id));
  assert(rows.some(({ key }) => key[0] === "mcpSession"));
});

Deno.test("streams end when the service stops", async () => {
  const stopping = new AbortController();
  await using t = await testService({ dependencies: { stopping: stopping.signal } });
  const { secret } = await t.brand();
  const stream = await (await beginSession(sendTo(t, secret))).listen();
  stopping.abort();
  assertEquals(await stream.next(), null);
});

Deno.test("another key's session, a changed one and an expired one are not known", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const mine = await beginSession(sendTo(t, secret));
  const colleague = await t.key(brand.id, ["postsRead"]);
  const stranger = await t.brand();
  const changed = mine.id.replace(".none.", ".form.");
  const giant = `${mine.id}${"x".repeat(30_000)}`;
  const foreign = [colleague.secret, stranger.secret].map((key) => mine.by(sendTo(t, key)));
  const made = [changed, giant, "x", "", "null", mine.id.slice(0, -1)]
    .map((id) => new McpSession(sendTo(t, secret), id));
  for (const session of [...foreign, ...made]) {
    for (
      const answer of [
        await session.open(),
        await session.post({ id: 1, method: "tools/list" }),
        await session.post({ id: 1, method: "resources/subscribe", params: { uri: EVENTS } }),
      ]
    ) {
      assertEquals(answer.status, 404, session.id.slice(0, 200));
      await answer.body?.cancel();
    }
    assertEquals(await session.end(), 404);
  }
  assertEquals((await mine.ask("ping")).result, {}, "nobody else has ended it");
  t.turn(31 * DAY);
  assertEquals((await mine.open()).status, 404);
  const again = await initialize(sendTo(t, secret));
  assert(again.headers.has("mcp-session-id"));
  await again.body?.cancel();
});

Deno.test("without a session a client is answered as before: no stream, and a word about subscriptions", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const send = sendTo(t, secret);
  const body = { jsonrpc: "2.0", id: 1, method: "resources/subscribe", params: { uri: EVENTS } };
  const { error } = await (await send("POST", {}, body)).json();
  assertEquals(error.code, -32602);
  assertMatch(error.message, /Mcp-Session-Id/);
  const session = await beginSession(send);
  const wrong: [string, Record<string, string>, string][] = [
    ["GET", {}, "POST"],
    ["DELETE", {}, "POST"],
    ["PUT", session.headers, "POST, GET, DELETE"],
  ];
  for (const [method, headers, allow] of wrong) {
    const answer = await send(method, headers);
    assertEquals([answer.status, answer.headers.get("allow")], [405, allow]);
    assertStringIncludes((await answer.json()).error.message, "Mcp-Session-Id");
  }
});

Deno.test("only what is told of can be subscribed to, and only by a key that may read it", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const session = await beginSession(sendTo(t, secret));
  const theirs = await t.brand();
  const foreign = await picture(t, theirs.secret);
  const cases: [unknown, string][] = [
    [undefined, "validationError"],
    ["marquee://everything", "notFound"],
    [creation("cre_x"), "notFound"],
    [creation(foreign), "notFound"],
    ["x".repeat(10_000), "notFound"],
  ];
  for (const [uri, code] of cases) {
    const { error } = await session.ask("resources/subscribe", { uri });
    assertEquals(error.data.error.code, code);
  }
  for (const uri of [undefined, 5, { toString: 1 }]) {
    const { error } = await session.ask("resources/unsubscribe", { uri });
    assertEquals(error.data.error.code, "validationError");
  }
  const narrow = await t.key(brand.id, ["postsRead"]);
  const reader = await beginSession(sendTo(t, narrow.secret));
  const own = await picture(t, secret);
  const { error } = await reader.ask("resources/subscribe", { uri: creation(own) });
  assertEquals(error.data.error.code, "forbidden");
  const manager = await t.key(brand.id, ["brandsWrite"]);
  const answer = await initialize(sendTo(t, manager.secret));
  assertEquals(answer.headers.get("mcp-session-id"), null, "it has no use for one");
  assertEquals((await answer.json()).result.capabilities.resources, {});
});

Deno.test("a key has 50 streams at most; a thousand that are asked for hold no more", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const session = await beginSession(sendTo(t, secret));
  const streams = [];
  let refused = 0;
  for (let n = 0; n < 1_000; n++) {
    const answer = await session.open();
    if (answer.status === 200) streams.push(answer);
    else {
      assertEquals([answer.status, (await answer.json()).error.code], [429, "rateLimitExceeded"]);
      refused++;
    }
  }
  assertEquals([streams.length, refused], [50, 950]);
  for (const { body } of streams) await body?.cancel();
  await (await session.listen())[Symbol.asyncDispose]();
});

Deno.test("the streams of a key end with it, and with its hours", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const budgets = { publishesPerDay: null, creditsPerDay: null, seriesIds: null, accountIds: null };
  const limits = [
    { expiresAt: iso(t.service.now() + HOUR) },
    { budgets: { ...budgets, hoursUtc: [12, 13] as [number, number] } },
  ];
  // Both keys first: making one is an event, too.
  const keys = await Promise.all(limits.map((limit) => {
    const wanted = { brandId: brand.id, name: "short", scopes: ["createRead" as const], ...limit };
    return createApiKey(t.service, wanted);
  }));
  const streams = await Promise.all(keys.map(async (key) => {
    const session = await beginSession(sendTo(t, key.secret));
    await session.subscribe(EVENTS);
    return { session, stream: await session.listen() };
  }));
  t.turn(HOUR);
  await picture(t, secret);
  const after = await Promise.all(streams.map(async ({ session, stream }) => [
    await stream.updated(),
    (await session.open()).status,
  ]));
  assertEquals(after, [[null, 401], [null, 403]]);
});
