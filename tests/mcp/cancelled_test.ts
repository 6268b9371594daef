/** A call that its client has cancelled publishes nothing, whenever the cancel comes. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { beginSession, McpStream, sendTo } from "../support/mcp_session.ts";
import {
  CAPTION,
  FORMS,
  questioned,
  questionRows,
  reply,
  stage,
  YES,
} from "../support/mcp_questions.ts";
import type { TestService } from "../support/service.ts";

Deno.test("a call that the client has cancelled is not published by a later yes", async () => {
  await using s = await stage();
  const session = await beginSession(sendTo(s.t, s.secret), FORMS);
  const { question, stream } = await questioned(session, s.post.id, 12);
  const cancelled = { method: "notifications/cancelled", params: { requestId: 12 } };
  assertEquals((await session.post(cancelled)).status, 202);
  assertEquals(await reply(session, question.id, YES), 202);
  assertStringIncludes(JSON.stringify(await stream.next()), "was cancelled");
  assertEquals([(await s.item(s.post.id)).status, await s.published()], ["ready", []]);
  assertEquals(await questionRows(s.t), []);
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
    assertEquals(await questionRows(s.t), []);
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
  assertEquals((await questionRows(s.t)).length, 2, "the two questions that are still open");
  assertEquals(await reply(session, another.question.id, YES), 202);
  assertEquals((await another.stream.next()).result.structuredContent.status, "published");
  assertEquals(await s.published(), [CAPTION]);
  assertEquals(await reply(elsewhere, stranger.question.id, { action: "decline" }), 202);
  assertStringIncludes(JSON.stringify(await stranger.stream.next()), "said no");
});
