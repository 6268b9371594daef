/** What an API key may spend and touch, when it works, and what it is told; accounts and their risks. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Budgets } from "../../domain/brands/budgets.ts";
import { createApiKey, Scope } from "../../domain/brands/keys.ts";
import { creditsKey } from "../../domain/brands/credits.ts";
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import { transact } from "../../domain/kv/transact.ts";
import { moveAccount, updateAccount } from "../../domain/platforms/accounts.ts";
import { COMMANDS } from "../../jobs/commands.ts";
import { runPass } from "../../jobs/passes.ts";
import { callTool } from "../support/mcp_twins.ts";
import { itemsKit, TUESDAY } from "../support/items.ts";
import { caller } from "../support/series.ts";
import { NOON, type TestService, testService } from "../support/service.ts";
import type { Json } from "../support/json.ts";

async function keyWith(t: TestService, brandId: string, budgets: object, expiresAt?: string) {
  const { key, secret } = await createApiKey(t.service, {
    brandId,
    scopes: Scope.options,
    name: "agent",
    budgets: Budgets.parse(budgets),
    expiresAt: expiresAt ?? null,
  });
  return { key, secret, call: caller(t, secret) };
}

Deno.test("a key knows itself: scopes, budgets, what is left, and whether it expires", async () => {
  await using t = await testService();
  const { brand, secret, call } = await itemsKit(t);
  const plain = (await call("GET", "/v1/key")).body;
  assertEquals([plain.budgets, plain.left, plain.expiresAt], [null, null, null]);
  assertEquals([plain.scopes, plain.brandId, plain.name], [Scope.options, brand.id, "test"]);
  assert(secret.startsWith(plain.prefix));
  const reader = caller(t, (await t.key(brand.id, ["postsRead"])).secret);
  assertEquals((await reader("GET", "/v1/key")).body.scopes, ["postsRead"]);
  const end = iso(t.service.now() + HOUR);
  const agent = await keyWith(t, brand.id, { creditsPerDay: 2 }, end);
  const { body } = await agent.call("GET", "/v1/key");
  assertEquals(body.left, { publishesToday: null, creditsToday: 2 });
  assertEquals([body.expiresAt, body.budgets.creditsPerDay], [end, 2]);
  t.turnTo(end);
  assertEquals((await agent.call("GET", "/v1/key")).status, 401);
});

Deno.test("credits and publishes a day are budgets: 403 says what is left and when", async () => {
  await using t = await testService();
  const { brand, account, pictures, schedule, create, pass, items } = await itemsKit(t);
  t.worker.start();
  const { call } = await keyWith(t, brand.id, { creditsPerDay: 3, publishesPerDay: 1 });
  const [one] = await pictures(1);
  const image = { prompt: "p", idea: "i", aspectRatio: "square" };
  assertEquals((await call("POST", "/v1/creations", image)).status, 202);
  assertEquals((await call("POST", "/v1/items", { prompts: ["p"] })).status, 201);
  const tooMuch = await call("POST", "/v1/items", {
    format: "carousel",
    prompts: ["a", "b", "c"],
  });
  assertEquals([tooMuch.status, tooMuch.body.error.code], [403, "forbidden"]);
  assertStringIncludes(tooMuch.body.error.message, "1 of them are left, and this needs 3");
  assertStringIncludes(tooMuch.body.error.message, "2026-11-21T00:00:00.000Z");
  const { id } = await create({ theme: "Cake" });
  await pass();
  const planned = (await items(id)).find(({ status }: Json) => status === "planned");
  assertEquals((await call("POST", `/v1/items/${planned.id}/generate`)).status, 200);
  assertEquals((await call("POST", "/v1/creations", image)).status, 403);
  const own = async () => await schedule({ creationIds: [one], socialAccountId: account.id });
  const [first, second] = [await own(), await own()];
  assertEquals((await call("POST", `/v1/items/${first.id}/publish`)).status, 204);
  assertEquals((await call("POST", `/v1/items/${second.id}/publish`)).status, 403);
  assertEquals((await call("GET", "/v1/key")).body.left, { publishesToday: 0, creditsToday: 0 });
  t.turn(DAY);
  assertEquals((await call("GET", "/v1/key")).body.left, { publishesToday: 1, creditsToday: 3 });
  assertEquals((await call("POST", `/v1/items/${second.id}/publish`)).status, 204);
});

Deno.test("a key may be bound to series, accounts and hours", async () => {
  await using t = await testService();
  const { brand, account, connect, pictures, schedule, create, pass, items } = await itemsKit(t);
  const [mine, other] = [await create(), await create({ name: "Other" })];
  await pass();
  const [[own], [theirs]] = [await items(mine.id), await items(other.id)];
  const [one] = await pictures(1);
  const oneOff = await schedule({ creationIds: [one], socialAccountId: account.id });
  const bound = (await keyWith(t, brand.id, { seriesIds: [mine.id] })).call;
  const change = { caption: "x" };
  assertEquals((await bound("PATCH", `/v1/items/${own.id}`, change)).status, 200);
  for (
    const [method, path, body] of [
      ["PATCH", `/v1/items/${theirs.id}`, change],
      ["PATCH", `/v1/items/${oneOff.id}`, change],
      ["POST", "/v1/items", { creationIds: [one] }],
      ["POST", `/v1/items/${theirs.id}/publish`, undefined],
      ["POST", `/v1/items/${theirs.id}/approve`, undefined],
      ["POST", `/v1/items/${theirs.id}/caption`, undefined],
      ["POST", `/v1/series/${other.id}/items/${theirs.id}/skip`, undefined],
      ["PATCH", `/v1/series/${other.id}`, { name: "y" }],
      ["DELETE", `/v1/series/${other.id}`, undefined],
      ["POST", "/v1/series", { name: "n", mode: "autopilot", goal: "g" }],
      ["POST", `/v1/creations/${theirs.creations[0].id}/overlay`, { overlay: null }],
    ] as const
  ) {
    const answer = await bound(method, path, body);
    assertEquals(answer.status, 403, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  }
  assertEquals((await bound("GET", `/v1/items/${theirs.id}`)).status, 200);
  const second = await connect("instagram", "second");
  const { call: narrow } = await keyWith(t, brand.id, { accountIds: [second.id] });
  assertEquals((await narrow("PATCH", `/v1/items/${oneOff.id}`, change)).status, 403);
  const make = (id: string) =>
    narrow("POST", "/v1/items", { creationIds: [one], socialAccountId: id });
  assertEquals((await make(account.id)).status, 403);
  assertEquals((await make(second.id)).status, 201);
  assertEquals(
    (await narrow("PATCH", `/v1/series/${mine.id}`, { socialAccountId: account.id })).status,
    403,
  );
  const { call: atNight } = await keyWith(t, brand.id, { hoursUtc: [22, 6] });
  const refused = await atNight("GET", "/v1/items");
  assertEquals(refused.status, 403);
  assertStringIncludes(refused.body.error.message, "2026-11-20T22:00:00.000Z");
  assertEquals((await atNight("GET", "/v1/key")).status, 200);
  t.turnTo("2026-11-21T05:59:00Z");
  assertEquals((await atNight("GET", "/v1/items")).status, 200);
});

Deno.test("admin makes keys with an end and budgets, and refuses what it can't read", async () => {
  await using t = await testService();
  const { brand } = await itemsKit(t);
  const make = async (flags: Record<string, string>): Promise<Json> =>
    await COMMANDS["key create"]!(t.service, {
      brand: brand.id,
      scopes: "createRead,createWrite",
      ...flags,
    });
  const budgets = JSON.stringify({ publishesPerDay: 3, hoursUtc: [8, 18] });
  const key = await make({ expires: "2026-12-24T18:00:00+01:00", budgets });
  assertEquals([key.expiresAt, key.budgets.hoursUtc], ["2026-12-24T17:00:00.000Z", [8, 18]]);
  const { body } = await caller(t, key.secret)("GET", "/v1/key");
  assertEquals([body.expiresAt, body.budgets], [key.expiresAt, key.budgets]);
  assertEquals(Object.keys(await make({})), ["id", "secret", "brandId", "scopes"]);
  for (
    const flags of [
      { budgets: "{" },
      { budgets: '{"publishes":1}' },
      { budgets: '{"publishesPerDay":-1}' },
      { expires: "tomorrow" },
      { expires: iso(NOON - DAY) },
    ] as Record<string, string>[]
  ) {
    const refused = await Promise.resolve(flags).then(make).then(() => null, (error) => error);
    assert(refused !== null, JSON.stringify(flags));
  }
});

Deno.test("accounts say their state and which posts a token, quota, credit, approval or pause stops", async () => {
  await using t = await testService();
  const { call, brand, account, connect, pictures, schedule, create, pass } = await itemsKit(t);
  const { service } = t;
  await connect("youtube", "channel");
  const accounts = async (): Promise<Json[]> => (await call("GET", "/v1/accounts")).body.data;
  const [instagram, youtube] = await accounts();
  assertEquals([instagram.id, instagram.reads, instagram.publishes], [account.id, true, true]);
  assertEquals([youtube.reads, youtube.publishes, youtube.lastReadAt], [true, false, null]);
  await runPass(service, t.worker, "metrics", { byHand: true });
  assert((await accounts())[0].lastReadAt !== null);
  const risks = async () =>
    (await accounts())[0].atRisk.map(({ itemId, reason, from }: Json) => [itemId, reason, from]);
  assertEquals(await risks(), []);
  const [one] = await pictures(1);
  const fields = { creationIds: [one], caption: "x", socialAccountId: account.id };
  const own = await schedule({ ...fields, needsApproval: true });
  assertEquals(await risks(), [[own.id, "approval", TUESDAY]]);
  await call("POST", `/v1/items/${own.id}/approve`);
  assertEquals(await risks(), []);
  const end = "2026-11-23T00:00:00.000Z";
  const edit = (change: object) =>
    transact(
      service.kv,
      (commit) => updateAccount(commit, account, (stored) => ({ ...stored, ...change })),
    );
  await edit({ tokenExpiresAt: end });
  assertEquals(await risks(), [[own.id, "token", end]]);
  await edit({ tokenExpiresAt: null });
  await transact(
    service.kv,
    (commit) => updateAccount(commit, account, (stored) => moveAccount(stored, "tokenDead")),
  );
  assertEquals((await risks())[0].slice(0, 2), [own.id, "token"]);
  assertEquals((await accounts())[0].publishes, false);
  await connect();
  const series = await create({ socialAccountId: account.id });
  await pass();
  await call("PATCH", `/v1/series/${series.id}`, { active: false });
  const paused = await risks();
  assert(paused.length > 0 && paused.every(([, reason]: string[]) => reason === "paused"));
  await call("PATCH", `/v1/series/${series.id}`, { active: true });
  assertEquals(await risks(), []);
  const used = { used: 1_998, granted: 0 };
  await service.kv.set(creditsKey(brand.id, service.now()), used);
  const poor = await risks();
  assert(poor.length > 0 && poor.every(([, reason]: string[]) => reason === "credits"));
  await service.kv.set(creditsKey(brand.id, service.now()), { used: 0, granted: 0 });
  await call("PATCH", `/v1/series/${series.id}`, { active: false });
  await call("DELETE", `/v1/series/${series.id}`);
  const many: Json[] = [];
  for (let n = 0; n < 50; n++) many.push(await schedule(fields));
  const crowded = await risks();
  assertEquals(crowded.map(([, reason]: string[]) => reason), ["quota"]);
  const { secret } = await t.key(brand.id, ["postsRead"]);
  const told = await callTool({ t, secret }, "list_accounts", {});
  assertEquals(told.structuredContent.data[0].atRisk.length, 1);
});
