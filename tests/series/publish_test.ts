/** Publishing a slot: one public post whatever happens, and an answer for each outcome. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../domain/foundation/calendar.ts";
import { updateAccount } from "../../domain/platforms/accounts.ts";
import { transact } from "../../domain/kv/transact.ts";
import { runPass } from "../../jobs/passes.ts";
import { seriesKit, truth } from "../support/series.ts";
import { NOON, type TestService, testService } from "../support/service.ts";

const HANDLE = "bakery";

/** A running service with one ready slot on a sandbox account. */
async function withReady(t: TestService, fields: object = {}, platform = "instagram" as const) {
  const kit = await seriesKit(t);
  const account = await kit.connect(platform, HANDLE);
  const { id } = await kit.create({ socialAccountId: account.id, ...fields });
  await kit.pass();
  const [item] = await kit.items(id);
  assertEquals(item.status, "ready");
  t.worker.start();
  return {
    ...kit,
    account,
    id,
    item,
    path: `/v1/series/${id}/items/${item.id}/publish`,
    publish: () => kit.act(id, item.id, "publish"),
    slot: async () => (await kit.items(id))[0],
    fault: (operation: string, fault: string, times = 1) =>
      kit.call("POST", `/sandbox/${platform}/faults`, { operation, fault, times }),
    truth: () => truth(t, platform, HANDLE, NOON),
  };
}

Deno.test("a published slot carries when and as what, and its public text is caption and hashtags", async () => {
  await using t = await testService();
  const { publish, slot, item, truth } = await withReady(t);
  assertEquals((await publish()).status, 204);
  const shown = await slot();
  assertEquals([shown.status, shown.error], ["published", null]);
  const [post, ...others] = await truth();
  assertEquals(others, []);
  assertEquals(shown.externalPostId, post.id);
  assertEquals(Date.parse(shown.publishedAt), Date.parse(post.publishedAt));
  const tags = item.hashtags.map((tag: string) => `#${tag}`).join(" ");
  assertEquals(post.caption, `${item.caption}\n\n${tags}`);
});

Deno.test("a post that we published is found by what is printed on it", async () => {
  await using t = await testService();
  const overlay = { template: "captionBar", text: "Zanzibar quüx" };
  const { publish, slot, call } = await withReady(t, { overlay });
  assertEquals((await publish()).status, 204);
  for (let pass = 0; pass < 2; pass++) {
    await runPass(t.service, t.worker, "metrics");
    const { body } = await call("GET", "/v1/posts?q=zanzibar+quux");
    assertEquals(body.pagination.total, 1);
    assertEquals(Date.parse(body.data[0].publishedAt), Date.parse((await slot()).publishedAt));
    t.turn(DAY);
  }
});

Deno.test("it is found so, too, when a pass has met it before we knew that it is public", async () => {
  await using t = await testService();
  const overlay = { template: "captionBar", text: "Zanzibar quüx" };
  const { publish, call } = await withReady(t, { overlay });
  const { http } = t.service;
  const overtaken: typeof fetch = async (input, init) => {
    const answer = await http(input, init);
    if (String(input).includes("/media_publish")) await runPass(t.service, t.worker, "metrics");
    return answer;
  };
  Object.assign(t.service, { http: overtaken });
  assertEquals((await publish()).status, 204);
  t.turn(HOUR);
  await runPass(t.service, t.worker, "metrics");
  const { body } = await call("GET", "/v1/posts?q=zanzibar+quux");
  assertEquals(body.pagination.total, 1);
});

Deno.test("of 20 concurrent publishes one is answered 204, 19 conflict, and one post is public", async () => {
  await using t = await testService();
  const { path, secret, truth, slot } = await withReady(t);
  t.turn(HOUR);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => t.request(secret, path, { method: "POST" })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assertEquals(statuses, [204, ...Array(19).fill(409)]);
  for (const answer of answers) {
    if (answer.status === 409) assertEquals((await answer.json()).error.code, "conflict");
  }
  assertEquals((await truth()).length, 1);
  assertEquals((await slot()).status, "published");
});

Deno.test("a story is 9:16, whatever the series' aspectRatio", async () => {
  await using t = await testService();
  const { publish, item, truth } = await withReady(t, { format: "story", aspectRatio: "square" });
  assertEquals(item.creations[0].aspectRatio, "story");
  assertEquals((await publish()).status, 204);
  const [post] = await truth();
  assertEquals([post.caption, post.media.length], [null, 1]);
});

Deno.test("a carousel is published whole, in order, on LinkedIn, too", async () => {
  await using t = await testService();
  const kit = await seriesKit(t);
  const account = await kit.connect("linkedin", HANDLE);
  const { id } = await kit.create({
    socialAccountId: account.id,
    format: "carousel",
    theme: "How we bake: 6 steps",
  });
  await kit.pass();
  const [item] = await kit.items(id);
  assertEquals([item.status, item.creations.length], ["ready", 6]);
  t.worker.start();
  assertEquals((await kit.act(id, item.id, "publish")).status, 204);
  const [post] = await truth(t, "linkedin", HANDLE, NOON);
  assertEquals(post.media.length, 6);
});

for (
  const [operation, fault] of [
    ["publish", "permission"],
    ["publish", "tokenExpired"],
    ["upload", "permission"],
  ] as const
) {
  Deno.test(`a platform that refuses (${operation}: ${fault}) answers 409 in its words and holds the slot`, async () => {
    await using t = await testService();
    const { publish, fault: set, slot, truth, why, id, item } = await withReady(t);
    await set(operation, fault);
    const answer = await publish();
    assertEquals([answer.status, answer.body.error.code], [409, "conflict"]);
    const held = await slot();
    assertEquals(held.status, "held");
    assertEquals(answer.body.error.message, held.error);
    const told = await why(id, item.id);
    assertEquals([told.heldFor, told.waitingFor], ["refused", "person"]);
    assert(told.platform.code !== null && told.platform.message !== null);
    assertStringIncludes(held.error, told.platform.message);
    assert(told.todo !== null);
    assertEquals(await truth(), []);
  });
}

for (
  const [operation, fault, times] of [["publish", "rateLimited", 1], [
    "upload",
    "serverError",
    9,
  ]] as const
) {
  Deno.test(`a post that was not taken (${operation}: ${fault}) answers 503, the pass tries again when it may`, async () => {
    await using t = await testService();
    const { publish, fault: set, slot, truth, pass, why, id, item, call } = await withReady(t);
    await set(operation, fault, times);
    const answer = await publish();
    assertEquals([answer.status, answer.body.error.code], [503, "serviceUnavailable"]);
    assert(Number(answer.headers.get("retry-after")) >= 1);
    const back = await slot();
    assertEquals(back.status, "ready");
    assertStringIncludes(back.error, "tried again");
    assertEquals(await truth(), []);
    assertEquals((await why(id, item.id)).platform.message !== null, true);
    await call("DELETE", "/sandbox/instagram/faults");
    t.turn(DAY);
    await pass();
    const published = await slot();
    assertEquals([published.status, published.error], ["published", null]);
    assertEquals((await truth()).length, 1);
  });
}

Deno.test("a held slot that was not taken stays with a person, who is told what to do now", async () => {
  await using t = await testService();
  const { publish, fault: set, slot, why, id, item, call } = await withReady(t);
  await set("publish", "permission");
  assertEquals((await publish()).status, 409);
  await set("publish", "rateLimited");
  assertEquals((await publish()).status, 503);
  const held = await slot();
  assertEquals(held.status, "held");
  assert(!held.error.includes("by itself"), held.error);
  assertStringIncludes(held.error, "Publish it again");
  const told = await why(id, item.id);
  assertEquals([told.heldFor, told.waitingFor], ["notPublished", "person"]);
  assertEquals(told.todo.operation, "publishItem");
  await call("DELETE", "/sandbox/instagram/faults");
  t.turn(HOUR);
  assertEquals((await publish()).status, 204);
  assertEquals((await why(id, item.id)).heldFor, null);
});

Deno.test("a post that went public although the platform timed out is found, not sent again", async () => {
  await using t = await testService();
  const { publish, fault, slot, truth } = await withReady(t);
  await fault("publish", "timeoutAfterAccept");
  const answer = await publish();
  assertEquals(answer.status, 204);
  for (let round = 0; round < 20 && (await slot()).status === "publishing"; round++) {
    t.turn(30_000);
    await t.worker.drain();
  }
  assertEquals((await slot()).status, "published");
  assertEquals((await truth()).length, 1);
  assertEquals((await publish()).status, 409);
});

Deno.test("an account to reconnect, none at all, or missing images are a conflict with the cure", async () => {
  await using t = await testService();
  const { publish, account, slot, call, id, truth } = await withReady(t);
  await transact(
    t.service.kv,
    (commit) => updateAccount(commit, account, (stored) => ({ ...stored, status: "reconnect" })),
  );
  const dead = await publish();
  assertEquals(dead.status, 409);
  assertStringIncludes(dead.body.error.message, "connected again");
  await call("PATCH", `/v1/series/${id}`, { socialAccountId: null });
  const none = await publish();
  assertEquals(none.status, 409);
  assertStringIncludes(none.body.error.message, "socialAccountId");
  assertEquals((await slot()).status, "ready");
  assertEquals(await truth(), []);
});

Deno.test("without the scope publishWrite nothing is published", async () => {
  await using t = await testService();
  const { path, brand, slot } = await withReady(t);
  const { secret } = await t.key(brand.id, ["createRead", "createWrite", "postsRead"]);
  assertEquals((await t.call(secret, path, { method: "POST" })).status, 403);
  assertEquals((await slot()).status, "ready");
});

Deno.test("the pass leaves a slot alone whose account is to be reconnected, and holds it when it is late", async () => {
  await using t = await testService();
  const { account, slot, pass, why, id, item } = await withReady(t);
  const set = (status: "reconnect" | "connected") =>
    transact(
      t.service.kv,
      (commit) => updateAccount(commit, account, (stored) => ({ ...stored, status })),
    );
  await set("reconnect");
  t.turnTo(item.scheduledFor);
  await pass();
  assertEquals((await slot()).status, "ready");
  assertEquals((await why(id, item.id)).waitingFor, "account");
  t.turn(DAY + 15 * MINUTE);
  await pass();
  const held = await slot();
  assertEquals(held.status, "held");
  assertStringIncludes(held.error, "24 hours");
  await set("connected");
  t.turn(15 * MINUTE);
  await pass();
  assertEquals((await slot()).status, "held", "a late slot waits for a person");
});
