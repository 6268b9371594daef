/** The agents' face: the official client against the whole service, and the protocol's corners. */
import type { ClientOptions } from "@modelcontextprotocol/sdk/client";
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { revokeApiKey, Scope } from "../../domain/brands/keys.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { Handshakes } from "../../mcp/handshakes.ts";
import { TOOLS } from "../../mcp/tools.ts";
import { connectClient, openClient } from "../support/mcp_client.ts";
import { type TestService, testService } from "../support/service.ts";

/** One JSON-RPC message by hand. */
async function post(
  t: TestService,
  secret: string | null,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const auth: Record<string, string> = secret === null ? {} : { authorization: `Bearer ${secret}` };
  return await t.app.request("/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", ...auth, ...headers },
    body: typeof message === "string" ? message : JSON.stringify(message),
  });
}

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const call = (name: string, input: unknown = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: input },
});

Deno.test("a client sees exactly the tools in its key's scopes", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  for (const scope of Scope.options) {
    const { secret } = await t.key(brand.id, [scope]);
    const client = await connectClient(t, secret);
    const { tools } = await client.listTools();
    const expected = Object.entries(TOOLS)
      .filter(([, { operation }]) => operation.scopes.includes(scope)).map(([name]) => name);
    assertEquals(tools.map(({ name }) => name), expected);
    for (const { description, annotations, inputSchema } of tools) {
      assert(description!.length > 20);
      assertEquals(inputSchema.type, "object");
      assertEquals(Object.keys(annotations!).length, 4);
    }
    await client.close();
  }
});

Deno.test("a tool out of scope, an unknown one and bad arguments are results that say why", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const narrow = await t.key(brand.id, ["brandsWrite"]);
  const cases: [string, string, unknown, string][] = [
    [narrow.secret, "list_posts", {}, "forbidden"],
    [secret, "burn_brand", {}, "notFound"],
    [secret, "list_posts", { perPage: "5" }, "validationError"],
    [secret, "list_posts", { perPage: 101 }, "validationError"],
    [secret, "get_post", {}, "validationError"],
    [secret, "get_post", { id: "post_x" }, "notFound"],
  ];
  for (const [key, name, input, code] of cases) {
    t.turn(1_000);
    const answer = await post(t, key, call(name, input));
    assertEquals(answer.status, 200);
    assertEquals(answer.headers.get("x-ratelimit-limit"), "20");
    const { result } = await answer.json();
    assertEquals(result.isError, true);
    assertEquals(result.structuredContent.error.code, code);
    assertEquals(JSON.parse(result.content[0].text), result.structuredContent);
  }
});

Deno.test("the official client accepts a refusal although the tool has an output schema", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const client = await connectClient(t, secret);
  await client.listTools();
  const result = await client.callTool({ name: "get_post", arguments: { id: "post_x" } });
  assertEquals(result.isError, true);
  await client.close();
});

Deno.test("handshakes and lists cost nothing; a tool call costs what its operation costs", async () => {
  await using t = await testService();
  const { secret } = await t.brand("free");
  const client = await connectClient(t, secret);
  await client.listTools();
  await client.listPrompts();
  await client.listResourceTemplates();
  const first = await post(t, secret, call("list_posts"));
  assertEquals(first.headers.get("x-quota-remaining"), "499");
  const second = await post(t, secret, call("list_posts"));
  assertEquals(second.headers.get("x-quota-remaining"), "499");
  const { result } = await second.json();
  assertEquals(result.isError, true);
  assertEquals(result.structuredContent.error.code, "rateLimitExceeded");
  assertEquals(result.structuredContent.error.retryAfter, 1);
  assertEquals(second.headers.get("retry-after"), "1");
  await client.close();
});

/** Spares twenty clients the compiling of every tool's schema, which takes seconds. */
const credulous: NonNullable<ClientOptions["jsonSchemaValidator"]> = {
  getValidator: () => (input) => ({
    valid: true,
    data: input as never,
    errorMessage: undefined,
  }),
};

Deno.test("twenty agents may start within one second", async () => {
  await using t = await testService();
  const { secret } = await t.brand("free");
  const send = (input: RequestInfo | URL, init?: RequestInit) =>
    Promise.resolve(t.app.request(new Request(input, init)));
  const start = async () => {
    const url = `${t.service.settings.BASE_URL}/mcp`;
    const client = await openClient(url, secret, send, { jsonSchemaValidator: credulous });
    await client.ping();
    const { tools } = await client.listTools();
    await client.listPrompts();
    await client.close();
    return tools.length;
  };
  const lists = await Promise.all(Array.from({ length: 20 }, start));
  assertEquals(new Set(lists).size, 1);
});

Deno.test("handshakes of a crowd that would wait too long are refused", async () => {
  await using t = await testService();
  const { secret } = await t.brand("free");
  const answers = await Promise.all(Array.from({ length: 90 }, () => post(t, secret, list)));
  const refused = answers.filter(({ status }) => status === 429);
  assertEquals(refused.length, 10);
  assertEquals(answers.filter(({ status }) => status === 200).length, 80);
  assertEquals(refused[0]!.headers.get("retry-after"), "3");
  for (const answer of answers) await answer.body?.cancel();
});

Deno.test("handshakes are held to 20 a second, each kind and key by itself", () => {
  let at = 5_250;
  const handshakes = new Handshakes(() => at);
  const waits = (count: number, key = "one", kind = "tools/list") =>
    Array.from({ length: count }, () => handshakes.wait(key, kind));
  assertEquals(waits(20), Array(20).fill(0));
  assertEquals(waits(20), Array(20).fill(750));
  assertEquals([waits(1, "two"), waits(1, "one", "initialize")], [[0], [0]]);
  at = 6_000;
  assertEquals(waits(1), [1_000]);
  at = 60_000;
  assertEquals(waits(80).at(-1), 3_000);
  assertThrows(() => waits(1), ServiceError, "20 handshakes");
  at = 61_000;
  assertEquals(waits(1), [3_000]);
});

Deno.test("without a key 401, a foreign origin 403, GET and DELETE 405, all in the envelope", async () => {
  await using t = await testService();
  const { secret, keyId } = await t.brand();
  const without = await post(t, null, list);
  assertEquals(without.status, 401);
  const about = `${t.service.settings.BASE_URL}/.well-known/oauth-protected-resource/mcp`;
  const challenge = without.headers.get("www-authenticate");
  assertEquals(challenge, `Bearer resource_metadata="${about}"`);
  assertEquals((await without.json()).error.code, "unauthorized");
  const foreign = await post(t, secret, list, { origin: "https://evil.example" });
  assertEquals(foreign.status, 403);
  assertEquals((await foreign.json()).error.code, "forbidden");
  assertEquals(foreign.headers.get("x-ratelimit-limit"), "20");
  for (const method of ["GET", "DELETE", "PUT"]) {
    const answer = await t.call(secret, "/mcp", { method });
    assertEquals(answer.status, 405);
    assertEquals(answer.headers.get("allow"), "POST");
    assertEquals((await answer.json()).error.code, "notFound");
  }
  await revokeApiKey(t.service, keyId);
  const revoked = await post(t, secret, list);
  assertEquals(revoked.status, 401);
  await revoked.body?.cancel();
});

Deno.test("batches, broken JSON and too large a message are refused in JSON-RPC's words", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const cases: [unknown, number][] = [
    [[call("list_posts"), call("list_posts")], -32600],
    ["{", -32700],
    ["null", -32600],
    ["{}", -32600],
    [{ jsonrpc: "1.0", id: 1, method: "ping" }, -32600],
    [{ jsonrpc: "2.0", id: null, method: "ping" }, -32600],
    [{ jsonrpc: "2.0", id: 1, method: "ping", params: [] }, -32600],
    [call("list_posts", { q: "a".repeat(300_000) }), -32600],
  ];
  for (const [message, code] of cases) {
    const answer = await post(t, secret, message);
    assertEquals(answer.status, 400);
    assertEquals((await answer.json()).error.code, code);
    assertEquals(answer.headers.get("x-quota-remaining"), "250000");
  }
});

Deno.test("a client that accepts only JSON, or anything, is answered", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  for (const accept of ["application/json", "*/*", "text/event-stream"]) {
    const answer = await post(t, secret, list, { accept });
    assertEquals(answer.status, 200);
    assert((await answer.json()).result.tools.length > 0);
  }
});

Deno.test("older protocol versions are negotiated", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  for (const version of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
    const answer = await post(t, secret, {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: version,
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      },
    });
    const { result } = await answer.json();
    assertEquals(result.protocolVersion, version);
    assertEquals(result.serverInfo.name, "marquee");
  }
});

Deno.test("prompts ask for what they need and name real tools only", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const client = await connectClient(t, secret);
  const { prompts } = await client.listPrompts();
  assertEquals(prompts.map(({ name }) => name), [
    "plan_next_week",
    "rescue_held_posts",
    "make_and_schedule",
    "review_last_month",
  ]);
  await assertRejects(() => client.getPrompt({ name: "make_and_schedule" }), Error, "idea");
  for (const { name } of prompts) {
    const { messages } = await client.getPrompt({ name, arguments: { idea: "Dawn" } });
    const text = (messages[0]!.content as { text: string }).text;
    for (
      const [tool] of text.matchAll(/\b[a-z]+(?:_[a-z]+)+/g)
    ) {
      assert(tool in TOOLS, `${name} names ${tool}`);
    }
  }
  await client.close();
});

Deno.test("/.well-known paths that are not known answer 404 in JSON", async () => {
  await using t = await testService();
  for (const path of ["openid-configuration", "oauth-protected-resource/v1", "security.txt"]) {
    const answer = await t.request(null, `/.well-known/${path}`);
    assertEquals(answer.status, 404);
    assertMatch(answer.headers.get("content-type") ?? "", /^application\/json/);
    assertEquals((await answer.json()).error.code, "notFound");
  }
});

Deno.test("a key sees its account's organizations, and only them", async () => {
  await using t = await testService();
  const mine = await t.brand();
  const other = await t.brand();
  const client = await connectClient(t, mine.secret);
  const made = await client.callTool({
    name: "create_organization",
    arguments: { name: "Second" },
  });
  const organization = made.structuredContent as { id: string; plan: string };
  assertEquals(organization.plan, "free");
  const listed = await client.callTool({ name: "list_organizations", arguments: {} });
  const { data } = listed.structuredContent as { data: { id: string }[] };
  assertEquals(data.map(({ id }) => id), [mine.brand.id, organization.id]);
  const renamed = await client.callTool({
    name: "update_organization",
    arguments: { id: other.brand.id, name: "Mine now" },
  });
  assertEquals(renamed.isError, true);
  await client.close();
});
