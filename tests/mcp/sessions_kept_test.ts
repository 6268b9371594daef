/** How many sessions of a key are kept, which one makes room for another, and how its client is told. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { HOUR } from "../../domain/foundation/calendar.ts";
import { post } from "../support/creations.ts";
import { beginSession, type McpSession, type Send, sendTo } from "../support/mcp_session.ts";
import { type TestService, testService } from "../support/service.ts";

const EVENTS = "marquee://events";

/** Makes a picture, which leaves one event. */
async function picture(t: TestService, secret: string): Promise<void> {
  await post(t, secret);
  await t.worker.drain();
}

/** Of how many sessions something is stored. */
async function stored({ service: { kv } }: TestService): Promise<number> {
  return (await Array.fromAsync(kv.list({ prefix: ["mcpSession"] }))).length;
}

/** Begins sessions that are subscribed, and that nobody listens to. */
async function abandoned(send: Send, count: number): Promise<McpSession[]> {
  const sessions = [];
  for (let n = 0; n < count; n++) {
    const session = await beginSession(send);
    await session.subscribe(EVENTS);
    sessions.push(session);
  }
  return sessions;
}

Deno.test("who listens for long is told still, however many sessions of the key came and ended", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const send = sendTo(t, secret);
  const session = await beginSession(send);
  await session.subscribe(EVENTS);
  for (let n = 0; n < 305; n++) assertEquals(await (await beginSession(send)).end(), 204);
  assertEquals(await stored(t), 301, "300 that have ended, and this one");
  await picture(t, secret);
  await using stream = await session.listen();
  assertEquals(await session.end(), 204, "so that a stream that has told nothing ends, too");
  assertEquals(await stream.updated(), EVENTS);
});

Deno.test("sessions that were abandoned make room before one that is listened to", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const send = sendTo(t, secret);
  const session = await beginSession(send);
  await session.subscribe(EVENTS);
  const others = await abandoned(send, 299);
  // A stream ends after an hour, and the client opens the next one.
  t.turn(HOUR);
  await using stream = await session.listen();
  await abandoned(send, 250);
  await picture(t, secret);
  assertEquals(await stream.updated(), EVENTS);
  assertEquals(await session.end(), 204, "it was still known");
  assertEquals(await others[0]!.end(), 404);
});

Deno.test("a session that has to make room is told so: its stream ends, and it begins again", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const send = sendTo(t, secret);
  const session = await beginSession(send);
  await session.subscribe(EVENTS);
  await using stream = await session.listen();
  await abandoned(send, 300);
  await picture(t, secret);
  // It may have been told before it was ended.
  const told = await stream.updated();
  if (told !== null) assertEquals([told, await stream.updated()], [EVENTS, null]);
  for (const answer of [await session.open(), await session.post({ id: 1, method: "ping" })]) {
    assertEquals(answer.status, 404);
    assertStringIncludes((await answer.json()).error.message, "Initialize again");
  }
  assertEquals(await stored(t), 301, "300 that are subscribed, and this one");
  const again = await beginSession(send);
  await again.subscribe(EVENTS);
  await using next = await again.listen();
  await picture(t, secret);
  assertEquals(await next.updated(), EVENTS);
});
