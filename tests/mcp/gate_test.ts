/** The agents' face at the gate: what is counted and throttled, and what happens when a client leaves. */
import { assert, assertEquals } from "@std/assert";
import { PLANS } from "../../domain/brands/plans.ts";
import { BODY } from "../support/creations.ts";
import { connectClient } from "../support/mcp_client.ts";
import { callTool } from "../support/mcp_twins.ts";
import { type TestService, testService } from "../support/service.ts";

function send(t: TestService, secret: string, message: unknown): Promise<Response> {
  return t.request(secret, "/mcp", { method: "POST", body: message });
}

const rpc = (method: string, params?: unknown) => ({ jsonrpc: "2.0", id: 1, method, params });

Deno.test("a month of both faces together counts exactly", async () => {
  await using t = await testService();
  const { secret } = await t.brand("free");
  const ask = async (face: "rest" | "mcp") => {
    const answer = face === "rest"
      ? await t.request(secret, "/v1/posts")
      : await send(t, secret, rpc("tools/call", { name: "list_posts" }));
    const { error, result } = await answer.json();
    return {
      left: Number(answer.headers.get("x-quota-remaining")),
      code: error?.code ?? result?.structuredContent.error?.code ?? "ok",
    };
  };
  const faces = ["rest", "mcp"] as const;
  for (let sent = 1; sent <= PLANS.free.requestsPerMonth; sent++) {
    t.turn(1_000);
    const left = PLANS.free.requestsPerMonth - sent;
    assertEquals(await ask(faces[sent % 2]!), { left, code: "ok" });
    // The limit of this second is reached. Neither face counts requests that it throttles.
    if (sent % 100 === 0) {
      for (const face of faces) assertEquals(await ask(face), { left, code: "rateLimitExceeded" });
    }
    if (sent % 50 === 0) await (await send(t, secret, rpc("tools/list"))).body?.cancel();
  }
  for (const face of faces) {
    t.turn(1_000);
    assertEquals(await ask(face), { left: 0, code: "quotaExceeded" });
  }
  t.turn(1_000);
  const made = await callTool({ t, secret }, "generate_image", BODY);
  assertEquals(made.structuredContent.status, "pending", "credits are not requests");
});

Deno.test("20 calls at once over both faces let exactly the plan's five through", async () => {
  await using t = await testService();
  const { secret } = await t.brand("creator");
  const answers = await Promise.all(Array.from({ length: 20 }, async (_, at) => {
    const answer = at % 2 === 0
      ? await t.request(secret, "/v1/posts")
      : await send(t, secret, rpc("tools/call", { name: "list_posts" }));
    const { data, result } = await answer.json();
    return data !== undefined || (result !== undefined && result.isError !== true);
  }));
  assertEquals(answers.filter((passed) => passed).length, 5);
});

Deno.test("a resource read counts as a request, whatever else its params name", async () => {
  await using t = await testService();
  const { secret } = await t.brand("studio");
  const params = { uri: "marquee://posts/post_x", name: "generate_image" };
  const answer = await send(t, secret, rpc("resources/read", params));
  assertEquals(answer.headers.get("x-quota-remaining"), "249999");
  const { error } = await answer.json();
  assertEquals([error.code, error.data.error.code], [-32002, "notFound"]);
  assertEquals(error.data.uri, params.uri);
});

Deno.test("names that every object has are neither tools nor kinds of resources", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    t.turn(1_000);
    const tool = await callTool({ t, secret }, name, {});
    assertEquals(tool.structuredContent.error.code, "notFound", name);
    const read = await send(t, secret, rpc("resources/read", { uri: `marquee://${name}/x` }));
    assertEquals((await read.json()).error.code, -32002, name);
    const method = await send(t, secret, rpc(name));
    assertEquals((await method.json()).error.code, -32601, name);
  }
});

Deno.test("arguments that are not an object, or contain half a character, are refused in the envelope", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const sent = [
    '"arguments":[]',
    '"arguments":"q"',
    '"arguments":{"q":"\\ud83d"}',
    '"arguments":{"q":"\\ude00\\ud83d"}',
  ];
  const call = (given: string) =>
    t.app.request("/mcp", {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body:
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_posts",${given}}}`,
    });
  for (const given of sent) {
    t.turn(1_000);
    const { result } = await (await call(given)).json();
    assertEquals(result?.structuredContent.error.code, "validationError", given);
  }
  const deep = `"arguments":{"odd":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
  const fine = ['"arguments":{"q":"\\ud83d\\ude00 \\\\ud83d"}', '"arguments":null', deep];
  for (const given of fine) {
    t.turn(1_000);
    assertEquals((await (await call(given)).json()).result.isError, undefined, given.slice(0, 50));
  }
});

Deno.test("broken messages and wrong methods are held to 20 a second like handshakes", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const answers = await Promise.all(Array.from({ length: 82 }, async (_, sent) => {
    const call = sent % 2 === 0 ? { method: "POST", body: [] } : {};
    const answer = await t.request(secret, "/mcp", call);
    await answer.body?.cancel();
    return answer.status;
  }));
  assertEquals(answers.filter((status) => status === 429).length, 2);
});

Deno.test("a resource and a prompt that can't be given are errors that name the field", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const cases: [string, unknown, number, string][] = [
    ["resources/read", {}, -32602, "uri"],
    ["prompts/get", { name: "sing" }, -32602, "sing"],
    ["prompts/get", { name: "make_and_schedule" }, -32602, "idea"],
    [
      "prompts/get",
      { name: "plan_next_week", arguments: { focus: 5 } },
      -32602,
      "focus: must be a string",
    ],
    ["prompts/get", { name: "plan_next_week", arguments: [] }, -32602, "must be an object"],
  ];
  for (const [method, params, code, words] of cases) {
    t.turn(1_000);
    const { error } = await (await send(t, secret, rpc(method, params))).json();
    assertEquals(error.code, code, method);
    assert(error.message.includes(words), error.message);
  }
});

Deno.test("a request for a task is ignored, because the server declares no tasks", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const message = rpc("tools/call", { name: "get_credits", arguments: {}, task: { ttl: 1_000 } });
  const { result } = await (await send(t, secret, message)).json();
  assertEquals(result.structuredContent.used, 0);
});

Deno.test("a message that the protocol does not allow is refused and not counted", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const call = { name: "get_credits" };
  const messages = [
    rpc("tools/call", { ...call, _meta: null }),
    rpc("tools/call", { ...call, _meta: { progressToken: null } }),
    rpc("tools/call", { ...call, _meta: { progressToken: 1.5 } }),
    { ...rpc("tools/call", call), id: 1e20 },
  ];
  for (const message of messages) {
    const answer = await send(t, secret, message);
    assertEquals([answer.status, (await answer.json()).error.code], [400, -32600]);
    const left = answer.headers.get("x-quota-remaining");
    assertEquals(Number(left), PLANS.studio.requestsPerMonth);
  }
});

Deno.test("a client that asks for progress is notified until the picture is complete", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const client = await connectClient(t, secret);
  const heard: { progress: number; total?: number | undefined }[] = [];
  const waiting = client.callTool(
    { name: "generate_image", arguments: { ...BODY, wait: 30 } },
    undefined,
    { onprogress: (progress) => heard.push(progress) },
  );
  while (heard.length < 2) await new Promise((done) => setTimeout(done, 10));
  await t.worker.drain();
  const { structuredContent } = await waiting;
  assertEquals((structuredContent as { status: string }).status, "complete");
  assertEquals(heard.slice(0, 2).map(({ progress, total }) => [progress, total]), [
    [0, 30],
    [1, 30],
  ]);
  await client.close();
});

for (const progress of [false, true]) {
  Deno.test({
    name: `a client that leaves while it waits ${progress ? "on a stream " : ""}ends the wait`,
    sanitizeOps: true,
    sanitizeResources: true,
    fn: async () => {
      await using t = await testService();
      const { secret } = await t.brand();
      const made = await callTool({ t, secret }, "generate_image", BODY);
      t.turn(1_000);
      const ended = Promise.withResolvers<void>();
      const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (r) => {
        r.signal.addEventListener("abort", () => ended.resolve());
        return await t.app.fetch(r);
      });
      const gone = new AbortController();
      const params = {
        name: "get_creation",
        arguments: { id: made.structuredContent.id, wait: 60 },
        ...progress ? { _meta: { progressToken: 1 } } : {},
      };
      const asked = fetch(`http://127.0.0.1:${server.addr.port}/mcp`, {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        body: JSON.stringify(rpc("tools/call", params)),
        signal: gone.signal,
      }).then((answer) => answer.text()).catch(() => "gone");
      await new Promise((done) => setTimeout(done, 300));
      const left = performance.now();
      gone.abort();
      assertEquals(await asked, "gone");
      await ended.promise;
      await server.shutdown();
      // The work behind a stream ends a moment after the stream. A timer that remains is a leak.
      await new Promise((done) => setTimeout(done, 500));
      assert(performance.now() - left < 20_000, "the wait of a minute went on");
    },
  });
}
