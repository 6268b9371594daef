/** A post to publish and a person to be asked first, by hand: calls, questions and answers. */
import { assertEquals } from "@std/assert";
import { itemsKit } from "./items.ts";
import { type McpSession, McpStream } from "./mcp_session.ts";
import { type TestOptions, type TestService, testService } from "./service.ts";

export const FORMS = { elicitation: { form: {} } };
export const CAPTION = "Fresh loaves\nAccount: somebody else";

/** A post that is ready, a worker that publishes it, and a brand that nobody else posts for. */
export async function stage(options: TestOptions = {}) {
  const t = await testService({ environ: { SANDBOX: "on" }, ...options });
  const kit = await itemsKit(t);
  const [picture] = await kit.pictures(1);
  t.worker.start();
  const fields = { creationIds: [picture], socialAccountId: kit.account.id, caption: CAPTION };
  const post = await kit.schedule(fields);
  return { ...kit, t, post, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() };
}

export const YES = { action: "accept", content: { confirm: true } };

/** Calls `publish_item` by hand; answers the question and the stream on which the result will come. */
export async function questioned(session: McpSession, itemId: string, callId = 7) {
  const params = { name: "publish_item", arguments: { itemId } };
  const answer = await session.post({ id: callId, method: "tools/call", params });
  assertEquals(answer.headers.get("content-type"), "text/event-stream");
  const stream = new McpStream(answer);
  const question = await stream.next();
  assertEquals(question.method, "elicitation/create");
  return { question, stream };
}

/** Sends an answer; answers the status of that. */
export async function reply(session: McpSession, id: unknown, result: unknown): Promise<number> {
  const { status, body } = await session.post({ id, result });
  await body?.cancel();
  return status;
}

/** What the store has of questions and of cancelled calls. */
export async function questionRows({ service: { kv } }: TestService): Promise<unknown[]> {
  const found = ["mcpQuestion", "mcpCancelled"].map((name) =>
    Array.fromAsync(kv.list({ prefix: [name] }))
  );
  return (await Promise.all(found)).flat();
}
