/** Idempotency-Key on every POST: done once, answered again. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DAY, MINUTE } from "../../domain/foundation/calendar.ts";
import { beginOnce, keyedRequest } from "../../domain/kv/idempotency.ts";

import { testService } from "../support/service.ts";
import { itemsKit, openapiOf } from "../support/items.ts";
import { read } from "../support/sandbox_client.ts";
import { MANUAL } from "../support/series.ts";
import type { TestService } from "../support/service.ts";
import type { Json } from "../support/json.ts";

function sender(t: TestService, secret: string) {
  return async (path: string, key: string, body?: object) => {
    const headers = { "idempotency-key": key };
    const call = { method: "POST", headers, ...body === undefined ? {} : { body } };
    const answer = await t.call(secret, path, call);
    const replayed = answer.headers.get("idempotent-replayed");
    const location = answer.headers.get("location");
    if (answer.status === 204) return { status: 204, body: null, replayed, location };
    const { status, body: got } = await read(answer);
    return { status, body: got as Json, replayed, location };
  };
}

Deno.test("a POST with the same key and body is done once and answered as before, for 24 hours", async () => {
  await using t = await testService();
  const { secret, call, pictures, account, brand } = await itemsKit(t);
  const post = sender(t, secret);
  const first = await post("/v1/series", "one", MANUAL);
  const again = await post("/v1/series", "one", MANUAL);
  assertEquals([first.status, first.replayed], [201, null]);
  assertEquals(again, { ...first, replayed: "true" });
  assertEquals((await call("GET", "/v1/series")).body.data.length, 1);
  assertEquals((await post("/v1/series", "one", { ...MANUAL, name: "Other" })).status, 409);
  assertEquals((await post("/v1/creations/compose", "one", { idea: "x" })).status, 409);
  assertEquals((await post("/v1/series", "a b", MANUAL)).status, 400);
  // Another brand's key is another key.
  const theirs = sender(t, (await t.brand()).secret);
  assertEquals((await theirs("/v1/series", "one", { ...MANUAL, name: "Theirs" })).status, 201);
  // What was refused can be sent again.
  const wrong = { ...MANUAL, inspirationAssetIds: ["ast_x"] };
  assertEquals((await post("/v1/series", "two", wrong)).status, 400);
  assertEquals((await post("/v1/series", "two", MANUAL)).status, 201);
  // One that debits a credit, and keeps what it made in the same commit.
  const [one] = await pictures(1);
  const item = { creationIds: [one], caption: "Once", socialAccountId: account.id };
  const made = await post("/v1/items", "item", item);
  const replay = await post("/v1/items", "item", item);
  assertEquals([made.status, replay.status, replay.replayed], [201, 201, "true"]);
  assertEquals(replay.body, made.body);
  assertEquals((await call("GET", "/v1/items")).body.pagination.total, 1);
  const image = { prompt: "p", idea: "i", aspectRatio: "square" };
  assertEquals((await post("/v1/creations", "cre", image)).replayed, null);
  const sent = await post("/v1/creations", "cre", image);
  assertEquals([sent.status, sent.replayed], [200, "true"]);
  // Without a body, and with one too large for one value.
  t.worker.start();
  const out = await post(`/v1/items/${made.body.id}/publish`, "out");
  assertEquals(out.status, 204);
  const outAgain = await post(`/v1/items/${made.body.id}/publish`, "out");
  assertEquals(outAgain, { ...out, replayed: "true" });
  const large = { format: "carousel", prompts: [1, 2, 3].map((n) => `${n}${"ü".repeat(7_999)}`) };
  const ordered = await post("/v1/items", "large", large);
  assertEquals(ordered.status, 201, JSON.stringify(ordered.body).slice(0, 300));
  const why = await post(`/v1/items/${ordered.body.id}/validate`, "check", {});
  assertEquals(await post(`/v1/items/${ordered.body.id}/validate`, "check", {}), {
    ...why,
    replayed: "true",
  });
  t.turn(DAY);
  assertEquals((await post("/v1/series", "one", MANUAL)).replayed, null);
  assertEquals(brand.id, account.brandId);
});

Deno.test("while the first request is at work, and after it was cut off, the key is a conflict", async () => {
  await using t = await testService();
  const { secret, brand, call } = await itemsKit(t);
  const post = sender(t, secret);
  const both = await Promise.all([
    post("/v1/series", "at-once", MANUAL),
    post("/v1/series", "at-once", MANUAL),
  ]);
  assertEquals((await call("GET", "/v1/series")).body.data.length, 1);
  assert(both.some(({ status }) => status === 201));
  assert(
    both.every(({ status, replayed }) => status === 409 || status === 201 || replayed !== null),
  );
  const caller = { brandId: brand.id, at: t.service.now() };
  const request = await keyedRequest(caller, "killed", "composePrompt", { idea: "Dawn" });
  await beginOnce(t.service.kv, request);
  const atWork = await post("/v1/creations/compose", "killed", { idea: "Dawn" });
  assertEquals(atWork.status, 409);
  t.turn(5 * MINUTE);
  assertEquals((await post("/v1/creations/compose", "killed", { idea: "Dawn" })).status, 409);
});

Deno.test("the description has the key on every POST", async () => {
  await using t = await testService();
  const { paths } = await openapiOf(t);
  for (const [path, verbs] of Object.entries<Json>(paths)) {
    const names = verbs.post?.parameters.map(({ name }: Json) => name);
    if (names !== undefined) assertStringIncludes(names.join(), "Idempotency-Key", path);
  }
});
