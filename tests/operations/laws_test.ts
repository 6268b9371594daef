/** Promises of all operations. They loop over the table, so a new row is covered at once. */
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { newSecret, revokeApiKey, Scope } from "../../domain/brands/keys.ts";
import { ID_KINDS, type IdKind, newId } from "../../domain/foundation/ids.ts";
import { PLANS } from "../../domain/brands/plans.ts";
import { mediaTypeOf } from "../../domain/operations/operation.ts";
import { bodyNames, pathNames } from "../../routes/input.ts";
import type { Row } from "../../routes/row.ts";
import { TABLE } from "../../routes/table.ts";
import { NOON, type TestService, testService } from "../support/service.ts";

const LIMIT_HEADERS = [
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-quota-limit",
  "x-quota-remaining",
];

/** A path of the table with ids of the right form that name nothing. */
function pathOf([, path]: Row): string {
  const kinds: Record<string, IdKind> = {
    posts: "post",
    assets: "asset",
    "cast-members": "castMember",
    creations: "creation",
    series: "series",
    items: "slot",
    reviews: "review",
    webhooks: "webhook",
    deliveries: "delivery",
  };
  return path.replaceAll(/([\w-]+)\/\{\w+\}/g, (_, noun: string) => {
    const kind = kinds[noun];
    assert(kind, `No kind of id known for ${noun}`);
    return `${noun}/${newId(kind, NOON)}`;
  });
}

/** Bodies of rows that refuse an empty body before they look up the id. */
const BODIES: Record<string, unknown> = {
  "/v1/creations/{id}/overlay": { overlay: null },
  "/v1/webhooks/{id}/replay": { since: "2026-11-01T00:00:00Z" },
};

function bodyOf([verb, path]: Row): { body?: unknown } {
  return verb === "GET" ? {} : { body: BODIES[path] ?? {} };
}

function send(t: TestService, row: Row, secret: string | null): Promise<Response> {
  return t.call(secret, pathOf(row), { method: row[0], ...bodyOf(row) });
}

async function assertEnvelope(answer: Response, status: number, code: string): Promise<void> {
  assertEquals(answer.status, status);
  assertEquals(answer.headers.get("content-type"), "application/json");
  const body = await answer.json();
  assertEquals(Object.keys(body), ["error"]);
  assertEquals(Object.keys(body.error).sort(), ["code", "message"]);
  assertEquals(body.error.code, code);
  assertNotEquals(body.error.message, "");
}

Deno.test("without a key, with an unknown one or a revoked one, every row answers 401", async () => {
  await using t = await testService();
  const { secret, keyId } = await t.brand();
  await revokeApiKey(t.service, keyId);
  for (const row of TABLE) {
    for (const sent of [null, "mq_short", newSecret(), secret]) {
      const answer = await send(t, row, sent);
      assertEquals(answer.headers.get("www-authenticate"), "Bearer");
      for (const name of LIMIT_HEADERS) assertEquals(answer.headers.get(name), null);
      await assertEnvelope(answer, 401, "unauthorized");
    }
  }
});

Deno.test("a key without the scope gets 403 from every row, before its input is looked at", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  for (const row of TABLE) {
    const others = Scope.options.filter((scope) => !row[2].scopes.includes(scope));
    const { secret, keyId } = await t.key(brand.id, others);
    await assertEnvelope(await send(t, row, secret), 403, "forbidden");
    await revokeApiKey(t.service, keyId);
  }
});

Deno.test("every answer to a known key has the five headers, a request id and its type", async () => {
  await using t = await testService();
  const { secret } = await t.brand("creator");
  for (const row of TABLE) {
    const answer = await send(t, row, secret);
    assertEquals(answer.headers.get("x-ratelimit-limit"), "5");
    assertEquals(answer.headers.get("x-ratelimit-remaining"), "4");
    assertEquals(
      answer.headers.get("x-ratelimit-reset"),
      String(Math.floor(t.service.now() / 1000) + 1),
    );
    assertEquals(answer.headers.get("x-quota-limit"), "25000");
    assertMatch(answer.headers.get("x-quota-remaining") ?? "", /^\d+$/);
    assertMatch(answer.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
    for (const [name] of answer.headers) assert(!name.startsWith("access-control"), name);
    const { output } = row[2];
    const type = output === null || !answer.ok ? "application/json" : mediaTypeOf(output);
    assertMatch(answer.headers.get("ratelimit") ?? "", /^"second";r=4;t=1, "month";r=\d+;t=\d+$/);
    assertEquals(answer.headers.get("content-type"), answer.body === null ? null : type, row[1]);
    await answer.body?.cancel();
  }
});

Deno.test("an id that names nothing in this brand is 404 wherever a path takes one", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  for (const row of TABLE.filter(([, path]) => pathNames(path).length > 0)) {
    await assertEnvelope(await send(t, row, secret), 404, "notFound");
    const odd = ["x", "%00", "a%2Fb", "..%2f", "é".repeat(3_000), `${ID_KINDS.post}_`];
    for (const id of odd) {
      const path = row[1].replaceAll(/\{\w+\}/g, encodeURIComponent(decodeURIComponent(id)));
      const answer = await t.call(secret, path, { method: row[0], ...bodyOf(row) });
      await assertEnvelope(answer, 404, "notFound");
    }
  }
});

Deno.test("a throttled request costs no quota, and a credit operation never does", async () => {
  await using t = await testService();
  for (const row of TABLE) {
    const { secret } = await t.brand("free");
    const path = pathOf(row);
    const body = row[0] === "GET" ? {} : { body: {} };
    t.turn(1_000);
    const first = await t.request(secret, path, { method: row[0], ...body });
    const second = await t.request(secret, path, { method: row[0], ...body });
    const cost = row[2].costs === "request" ? 1 : 0;
    assertEquals(first.headers.get("x-quota-remaining"), String(500 - cost));
    assertEquals(second.headers.get("x-quota-remaining"), String(500 - cost));
    assertEquals(second.headers.get("x-ratelimit-remaining"), "0");
    assertEquals(second.headers.get("retry-after"), "1");
    await assertEnvelope(second, 429, "rateLimitExceeded");
    await first.body?.cancel();
  }
});

Deno.test("a spent month refuses requests until it rolls over, but not credit operations", async () => {
  await using t = await testService({ at: Date.parse("2026-11-30T23:00:00Z") });
  const { secret } = await t.brand("free");
  for (let sent = 0; sent < PLANS.free.requestsPerMonth; sent++) {
    await (await t.call(secret, "/v1/nothing")).body?.cancel();
  }
  for (const row of TABLE) {
    const answer = await send(t, row, secret);
    if (row[2].costs === "request") {
      const left = Date.parse("2026-12-01T00:00:00Z") - t.service.now();
      assertEquals(answer.headers.get("retry-after"), String(Math.ceil(left / 1000)));
      await assertEnvelope(answer, 429, "quotaExceeded");
    } else assertNotEquals(answer.status, 429);
  }
  t.turnTo("2026-12-01T00:00:00Z");
  const answer = await t.request(secret, "/v1/nothing");
  assertEquals(answer.headers.get("x-quota-remaining"), "499");
  assertEquals(answer.status, 404);
});

Deno.test("an unknown path is 404 after the key, a wrong method 405 that says what is allowed", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  await assertEnvelope(await t.call(null, "/v1/nothing"), 401, "unauthorized");
  await assertEnvelope(await t.call(secret, "/v1/nothing"), 404, "notFound");
  await assertEnvelope(await t.call(secret, "/v1/posts/"), 404, "notFound");
  await assertEnvelope(await t.call(null, "/elsewhere"), 404, "notFound");
  for (const [path, rows] of Map.groupBy(TABLE, ([, path]) => path)) {
    const takes = rows.map(([verb]) => verb as string);
    if (takes.includes("GET")) takes.push("HEAD");
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE2"]) {
      if (takes.includes(method)) continue;
      const answer = await t.call(secret, path.replaceAll(/\{\w+\}/g, "an_id"), { method });
      assertEquals(answer.headers.get("allow"), takes.join(", "), `${method} ${path}`);
      await assertEnvelope(answer, 405, "notFound");
    }
  }
});

Deno.test("HEAD answers as GET does, length included, without the body", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  for (
    const path of ["/v1/posts", "/v1/posts/post_x", "/v1/credits", "/docs", "/v1/openapi.json"]
  ) {
    const get = await t.call(secret, path);
    const head = await t.call(secret, path, { method: "HEAD" });
    assertEquals(head.status, get.status);
    assertEquals(head.headers.get("content-type"), get.headers.get("content-type"));
    const length = Number(head.headers.get("content-length"));
    assertEquals(length, (await get.arrayBuffer()).byteLength, path);
    assertEquals((await head.arrayBuffer()).byteLength, 0);
  }
});

Deno.test("broken JSON, a wrong type, too large a body and lone surrogates are 400", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const rows = TABLE.filter((row) => bodyNames(row).length > 0);
  for (const row of rows) {
    const path = pathOf(row);
    const bodies: [string | Uint8Array<ArrayBuffer>, string][] = [
      ["{", "application/json"],
      ["", "application/json"],
      ["[]", "application/json"],
      ["null", "application/json"],
      ["{}", "text/plain"],
      ["a=b", "application/x-www-form-urlencoded"],
      ['{"name":"\\ud800"}', "application/json"],
      ['{"\\udc00":1}', "application/json"],
      [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), "application/json"],
      [`{"x":"${"a".repeat(256 * 1024)}"}`, "application/json"],
    ];
    for (const [body, type] of bodies) {
      if (body === "" && row[4]?.optionalBody) continue;
      t.turn(1_000);
      const headers = { authorization: `Bearer ${secret}`, "content-type": type };
      const answer = await t.app.request(path, { method: row[0], headers, body });
      await assertEnvelope(answer, 400, "validationError");
    }
  }
});

Deno.test("an unknown field is ignored, however deeply it is nested", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const odd = "[".repeat(50_000) + "]".repeat(50_000);
  const answer = await t.app.request("/v1/brand-kit", {
    method: "PUT",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: `{"baseStylePrompt":"film grain","discordWebhookUrl":"","odd":${odd}}`,
  });
  assertEquals(answer.status, 200);
  assertEquals((await answer.json()).baseStylePrompt, "film grain");
});

Deno.test("the scheme of the key is case-insensitive and a plan change holds at once", async () => {
  await using t = await testService();
  const { secret, brand } = await t.brand("free");
  const headers = { authorization: `bEaReR ${secret}` };
  assertEquals((await t.call(null, "/v1/posts", { headers })).status, 200);
  const { updateBrand } = await import("../../domain/brands/brands.ts");
  await updateBrand(t.service, brand.id, { plan: "studio" });
  const answer = await t.request(secret, "/v1/posts");
  assertEquals(answer.headers.get("x-ratelimit-limit"), "20");
  assertEquals(answer.headers.get("x-ratelimit-remaining"), "18");
  assertEquals(answer.status, 200);
});
