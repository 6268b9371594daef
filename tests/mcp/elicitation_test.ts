/** A person's yes before a public post: asked where the client can ask, and never taken for granted. */
import type { Client } from "@modelcontextprotocol/sdk/client";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
// @ts-types="@modelcontextprotocol/sdk/types"
import { type ElicitRequest, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createApiKey } from "../../domain/brands/keys.ts";
import { HOUR } from "../../domain/foundation/calendar.ts";
import { itemsKit } from "../support/items.ts";
import type { Json } from "../support/json.ts";
import { openClient } from "../support/mcp_client.ts";
import { beginSession, type McpSession, McpStream, sendTo } from "../support/mcp_session.ts";
import { type TestOptions, type TestService, testService } from "../support/service.ts";

const FORMS = { elicitation: { form: {} } };
const CAPTION = "Fresh loaves\nAccount: somebody else";

/** A post that is ready, a worker that publishes it, and a brand that nobody else posts for. */
async function stage(options: TestOptions = {}) {
  const t = await testService({ environ: { SANDBOX: "on" }, ...options });
  const kit = await itemsKit(t);
  const [picture] = await kit.pictures(1);
  t.worker.start();
  const fields = { creationIds: [picture], socialAccountId: kit.account.id, caption: CAPTION };
  const post = await kit.schedule(fields);
  return { ...kit, t, post, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() };
}

type Reply = { action: "accept" | "decline" | "cancel"; content?: Record<string, boolean> };

/** The official client, whose person replies as told. */
async function asked(
  t: TestService,
  secret: string,
  reply: (request: ElicitRequest) => Promise<Reply> | Reply,
): Promise<Client> {
  const send: typeof fetch = async (input, init) => {
    t.turn(1_000);
    return await t.app.request(new Request(input, init));
  };
  const url = `${t.service.settings.BASE_URL}/mcp`;
  const client = await openClient(url, secret, send, { capabilities: FORMS });
  client.setRequestHandler(ElicitRequestSchema, reply);
  return client;
}

const publish = (client: Client, input: Record<string, unknown>): Promise<Json> =>
  client.callTool({ name: "publish_item", arguments: input });

Deno.test("a yes publishes, after a question that says what, where and when", async () => {
  await using s = await stage();
  const questions: string[] = [];
  const client = await asked(s.t, s.secret, ({ params }) => {
    questions.push(params.message);
    return { action: "accept", content: { confirm: true } };
  });
  const left = async () =>
    Number((await s.t.call(s.secret, "/v1/key")).headers.get("x-quota-remaining"));
  const before = await left();
  const { structuredContent, isError } = await publish(client, { itemId: s.post.id });
  assertEquals([isError, structuredContent.status], [undefined, "published"]);
  assertEquals(before - await left(), 2, "the call is counted once, and this look");
  assertEquals(await s.published(), [CAPTION]);
  assertEquals(questions.length, 1);
  assertEquals(questions[0]?.split("\n").slice(1), [
    "Account: Instagram, bakery",
    "Planned for: 2026-11-24 09:00 UTC",
    "Format: post",
    "Caption: Fresh loaves Account: somebody else",
  ]);
  await client.close();
});

Deno.test("no, a closed question, a yes without the tick and a fault of the client publish nothing", async () => {
  await using s = await stage();
  const replies: [() => Reply, string][] = [
    [() => ({ action: "decline" }), "said no"],
    [() => ({ action: "cancel" }), "closed the question"],
    [() => ({ action: "accept", content: { confirm: false } }), "said no"],
    [() => {
      throw new Error("The window is gone");
    }, "closed the question"],
  ];
  for (const [reply, words] of replies) {
    const client = await asked(s.t, s.secret, reply);
    const { isError, structuredContent: { error } } = await publish(client, { itemId: s.post.id });
    assertEquals([isError, error.code], [true, "conflict"]);
    assertStringIncludes(error.message, words);
    assertStringIncludes(error.message, "Nothing was published.");
    await client.close();
  }
  assertEquals([(await s.item(s.post.id)).status, await s.published()], ["ready", []]);
});

Deno.test("silence publishes nothing, and a yes that comes too late does nothing", async () => {
  const patience = { callMs: 10_000, pollMs: 1, passMs: 5, askMs: 50 };
  await using s = await stage({ dependencies: { patience } });
  const session = await beginSession(sendTo(s.t, s.secret), FORMS);
  const { question, stream } = await questioned(session, s.post.id);
  const { result } = await stream.next();
  assertEquals(result.isError, true);
  assertStringIncludes(result.structuredContent.error.message, "did not answer in time");
  assertEquals(await reply(session, question.id, YES), 202);
  assertEquals([(await s.item(s.post.id)).status, await s.published()], ["ready", []]);
  assertEquals(await rows(s.t), []);
});

const YES = { action: "accept", content: { confirm: true } };

/** Calls `publish_item` by hand; answers the question and the stream on which the result will come. */
async function questioned(session: McpSession, itemId: string, callId = 7) {
  const params = { name: "publish_item", arguments: { itemId } };
  const answer = await session.post({ id: callId, method: "tools/call", params });
  assertEquals(answer.headers.get("content-type"), "text/event-stream");
  const stream = new McpStream(answer);
  const question = await stream.next();
  assertEquals(question.method, "elicitation/create");
  return { question, stream };
}

/** Sends an answer; answers the status of that. */
async function reply(session: McpSession, id: unknown, result: unknown): Promise<number> {
  const { status, body } = await session.post({ id, result });
  await body?.cancel();
  return status;
}

/** What the store has of questions and of cancelled calls. */
async function rows({ service: { kv } }: TestService): Promise<unknown[]> {
  const found = ["mcpQuestion", "mcpCancelled"].map((name) =>
    Array.fromAsync(kv.list({ prefix: [name] }))
  );
  return (await Promise.all(found)).flat();
}

Deno.test("a foreign, forged or second answer does nothing", async () => {
  await using s = await stage();
  const send = sendTo(s.t, s.secret);
  const session = await beginSession(send, FORMS);
  const { question: { id }, stream } = await questioned(session, s.post.id);
  const colleague = await s.t.key(s.brand.id, ["publishWrite"]);
  const stranger = await s.t.brand();
  for (const { secret } of [colleague, stranger]) {
    assertEquals(await reply(session.by(sendTo(s.t, secret)), id, YES), 404);
    assertEquals(await reply(await beginSession(sendTo(s.t, secret), FORMS), id, YES), 202);
  }
  assertEquals(await reply(await beginSession(send, FORMS), id, YES), 202, "another session");
  const without = await send("POST", {}, { jsonrpc: "2.0", id, result: YES });
  assertEquals(without.status, 202);
  for (const forged of [0, 7, "", "x", "x".repeat(43), "x".repeat(100_000), `${id}x`]) {
    assertEquals(await reply(session, forged, YES), 202);
  }
  assertEquals(await s.published(), []);
  assertEquals(await reply(session, id, { action: "decline" }), 202);
  assertEquals(await reply(session, id, YES), 202);
  const { result } = await stream.next();
  assertStringIncludes(result.structuredContent.error.message, "said no");
  assertEquals([(await s.item(s.post.id)).status, await s.published()], ["ready", []]);
});

Deno.test("a post that was changed while the person looked at it is not published", async () => {
  await using s = await stage();
  const client = await asked(s.t, s.secret, async () => {
    assertEquals((await s.change(s.post.id, { caption: "Other words" })).status, 200);
    return { action: "accept", content: { confirm: true } };
  });
  const { isError, structuredContent: { error } } = await publish(client, { itemId: s.post.id });
  assertEquals([isError, error.code], [true, "conflict"]);
  assertStringIncludes(error.message, "not the expected one");
  assertEquals(await s.published(), []);
  await client.close();
});

Deno.test("a call that the client has cancelled is not published by a later yes", async () => {
  await using s = await stage();
  const session = await beginSession(sendTo(s.t, s.secret), FORMS);
  const { question, stream } = await questioned(session, s.post.id, 12);
  const cancelled = { method: "notifications/cancelled", params: { requestId: 12 } };
  assertEquals((await session.post(cancelled)).status, 202);
  assertEquals(await reply(session, question.id, YES), 202);
  assertStringIncludes(JSON.stringify(await stream.next()), "was cancelled");
  assertEquals([(await s.item(s.post.id)).status, await s.published()], ["ready", []]);
  assertEquals(await rows(s.t), []);
});

/** Holds the first commit that stores a question, until the test lets it go. */
function heldQuestion({ service: { kv } }: TestService) {
  const reached = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const atomic = kv.atomic.bind(kv);
  let isFirst = true;
  kv.atomic = () => {
    const operation = atomic();
    const { set, commit } = operation;
    let isQuestion = false;
    operation.set = function (key, ...rest) {
      isQuestion ||= key[0] === "mcpQuestion";
      return set.call(this, key, ...rest);
    };
    operation.commit = async function () {
      if (isQuestion && isFirst) {
        isFirst = false;
        reached.resolve();
        await free.promise;
      }
      return await commit.call(this);
    };
    return operation;
  };
  return { reached: reached.promise, free: free.resolve };
}

for (const callId of [12, "twelve", "x".repeat(100_000)]) {
  const shown = `${callId}`.slice(0, 10);
  Deno.test(`a call that is cancelled before it asks asks nobody and publishes nothing: ${shown}`, async () => {
    await using s = await stage();
    const session = await beginSession(sendTo(s.t, s.secret), FORMS);
    const held = heldQuestion(s.t);
    const params = { name: "publish_item", arguments: { itemId: s.post.id } };
    const answer = await session.post({ id: callId, method: "tools/call", params });
    await held.reached;
    const cancelled = { method: "notifications/cancelled", params: { requestId: callId } };
    assertEquals((await session.post(cancelled)).status, 202);
    held.free();
    const first = await new McpStream(answer).next();
    assertStringIncludes(first.result.structuredContent.error.message, "was cancelled");
    assertEquals([(await s.item(s.post.id)).status, await s.published()], ["ready", []]);
    assertEquals(await rows(s.t), []);
  });
}

Deno.test("a cancel that overtakes its call is kept for it, and for no other call or session", async () => {
  await using s = await stage();
  const send = sendTo(s.t, s.secret);
  const session = await beginSession(send, FORMS);
  const cancelled = { method: "notifications/cancelled", params: { requestId: 12 } };
  assertEquals((await session.post(cancelled)).status, 202);
  const another = await questioned(session, s.post.id, 13);
  const elsewhere = await beginSession(send, FORMS);
  const stranger = await questioned(elsewhere, s.post.id, 12);
  const params = { name: "publish_item", arguments: { itemId: s.post.id } };
  const stream = new McpStream(await session.post({ id: 12, method: "tools/call", params }));
  const { result } = await stream.next();
  assertStringIncludes(result.structuredContent.error.message, "was cancelled");
  assertEquals((await rows(s.t)).length, 2, "the two questions that are still open");
  assertEquals(await reply(session, another.question.id, YES), 202);
  assertEquals((await another.stream.next()).result.structuredContent.status, "published");
  assertEquals(await s.published(), [CAPTION]);
  assertEquals(await reply(elsewhere, stranger.question.id, { action: "decline" }), 202);
  assertStringIncludes(JSON.stringify(await stranger.stream.next()), "said no");
});

Deno.test("nobody is asked about what can't be published, or what was looked at already", async () => {
  await using s = await stage();
  const bare = await s.schedule({ creationIds: await s.pictures(1), caption: "No account" });
  let questions = 0;
  const client = await asked(s.t, s.secret, () => {
    questions++;
    return { action: "decline" };
  });
  const codes = [];
  for (const input of [{ itemId: "slt_x" }, {}, { itemId: 5 }, { itemId: bare.id }]) {
    codes.push((await publish(client, input)).structuredContent.error.code);
  }
  assertEquals(codes, ["notFound", "validationError", "validationError", "conflict"]);
  const reader = await s.t.key(s.brand.id, ["createRead"]);
  const narrow = await asked(s.t, reader.secret, () => ({ action: "decline" }));
  const refused = await publish(narrow, { itemId: s.post.id });
  assertEquals(refused.structuredContent.error.code, "forbidden");
  const seen = { itemId: s.post.id, expectedHash: s.post.contentHash };
  assertEquals((await publish(client, seen)).structuredContent.status, "published");
  assertEquals(questions, 0);
  for (const one of [client, narrow]) await one.close();
});

Deno.test("a hash that stands for any content spares nobody the question", async () => {
  await using s = await stage();
  let questions = 0;
  const client = await asked(s.t, s.secret, () => {
    questions++;
    return { action: "decline" };
  });
  for (const expectedHash of ["*", " * "]) {
    const { structuredContent: { error } } = await publish(client, {
      itemId: s.post.id,
      expectedHash,
    });
    assertStringIncludes(error.message, "said no");
  }
  assertEquals([questions, await s.published()], [2, []]);
  await client.close();
});

Deno.test("a yes after the key's hours publishes nothing", async () => {
  await using s = await stage();
  const budgets = { publishesPerDay: null, creditsPerDay: null, seriesIds: null, accountIds: null };
  const { secret } = await createApiKey(s.t.service, {
    ...{ brandId: s.brand.id, name: "noon", scopes: ["publishWrite"] },
    budgets: { ...budgets, hoursUtc: [12, 13] },
  });
  const session = await beginSession(sendTo(s.t, secret), FORMS);
  const { question, stream } = await questioned(session, s.post.id);
  s.t.turn(HOUR);
  assertEquals(await reply(session, question.id, YES), 202);
  const { result: { structuredContent: { error } } } = await stream.next();
  assertEquals([error.code, await s.published()], ["forbidden", []]);
});

Deno.test("a key that may publish and nothing else can be asked, and is not told of events", async () => {
  await using s = await stage();
  const { secret } = await s.t.key(s.brand.id, ["publishWrite"]);
  const client = await asked(s.t, secret, () => ({ action: "accept", content: { confirm: true } }));
  const { structuredContent } = await publish(client, { itemId: s.post.id });
  assertEquals(structuredContent.status, "published");
  assertEquals(client.getServerCapabilities()?.resources, {});
  await client.close();
});

Deno.test("clients that can't show a form, or send no session, publish as before", async () => {
  for (const capabilities of [{}, { elicitation: { url: {} } }, FORMS]) {
    await using s = await stage();
    const send = sendTo(s.t, s.secret);
    const session = await beginSession(send, capabilities);
    const params = { name: "publish_item", arguments: { itemId: s.post.id } };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    // The last one has forms, and forgets its session.
    const headers = capabilities === FORMS ? {} : session.headers;
    const answer = await send("POST", headers, message);
    assertEquals(answer.headers.get("content-type"), "application/json");
    assertEquals((await answer.json()).result.structuredContent.status, "published");
  }
});

Deno.test("too many questions at once are refused, and those that wait end when the service stops", async () => {
  const stopping = new AbortController();
  await using s = await stage({ dependencies: { stopping: stopping.signal } });
  const session = await beginSession(sendTo(s.t, s.secret), FORMS);
  const waiting: McpStream[] = [];
  for (let n = 0; n < 20; n++) waiting.push((await questioned(session, s.post.id, n)).stream);
  const params = { name: "publish_item", arguments: { itemId: s.post.id } };
  const more = new McpStream(await session.post({ id: 99, method: "tools/call", params }));
  const { result: { structuredContent: { error } } } = await more.next();
  assertEquals(error.code, "rateLimitExceeded");
  stopping.abort();
  for (const stream of waiting) {
    assertStringIncludes(JSON.stringify(await stream.next()), "Nothing was published.");
  }
  assert((await s.published()).length === 0);
  assertEquals(await rows(s.t), []);
});
