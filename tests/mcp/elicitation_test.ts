/** A person's yes before a public post: asked where the client can ask, and never taken for granted. */
import type { Client } from "@modelcontextprotocol/sdk/client";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
// @ts-types="@modelcontextprotocol/sdk/types"
import { type ElicitRequest, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createApiKey } from "../../domain/brands/keys.ts";
import { HOUR } from "../../domain/foundation/calendar.ts";
import type { Json } from "../support/json.ts";
import { openClient } from "../support/mcp_client.ts";
import {
  CAPTION,
  FORMS,
  questioned,
  questionRows,
  reply,
  stage,
  YES,
} from "../support/mcp_questions.ts";
import { beginSession, McpStream, sendTo } from "../support/mcp_session.ts";
import type { TestService } from "../support/service.ts";

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
  assertEquals(await questionRows(s.t), []);
});

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
  assertEquals(await questionRows(s.t), []);
});
