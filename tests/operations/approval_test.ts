/** Approval, publishing what was looked at, many at once; and what happens when two act at once. */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { DAY, HOUR, iso, MINUTE } from "../../domain/foundation/calendar.ts";
import { passSeries } from "../../domain/series/running/pass.ts";
import { passOneOffs } from "../../domain/series/running/one_offs.ts";
import { testService } from "../support/service.ts";
import { itemsKit, TUESDAY } from "../support/items.ts";
import { caller } from "../support/series.ts";
import type { Json } from "../support/json.ts";

const AFTER = iso(Date.parse(TUESDAY) + MINUTE);

Deno.test("an unapproved item is not published unattended, however late; its approval is for its content", async () => {
  await using t = await testService();
  const kit = await itemsKit(t);
  const { schedule, verb, change, item, whyOf, passAt, account, pictures, call } = kit;
  t.worker.start();
  const [one, two] = await pictures(2);
  const fields = { creationIds: [one], socialAccountId: account.id, needsApproval: true };
  const own = await schedule({ ...fields, caption: "Approved" });
  assertEquals((await whyOf(own.id)).waitingFor, "person");
  const approved = (await verb(own.id, "approve", { expectedHash: own.contentHash })).body;
  assertEquals([approved.approvedBy, approved.contentHash], ["test", own.contentHash]);
  assertEquals((await verb(own.id, "approve")).body, approved, "again changes nothing");
  for (
    const changed of [
      () => change(own.id, { caption: "Other" }),
      () => change(own.id, { hashtags: ["other"] }),
      () => change(own.id, { socialAccountId: null }),
      () => change(own.id, { creationIds: [two], socialAccountId: account.id }),
      () => change(own.id, { overlay: { template: "captionBar", text: "New" } }),
      () => call("POST", `/v1/creations/${two}/overlay`, { overlay: null }),
      () => verb(own.id, "caption"),
      () => verb(own.id, "unapprove"),
    ]
  ) {
    assert((await verb(own.id, "approve")).body.approvedAt !== null);
    assertEquals((await changed()).status, 200);
    const now = await item(own.id);
    assertEquals([now.approvedAt, now.approvedBy], [null, null], changed.toString());
  }
  assert((await verb(own.id, "approve")).body.approvedAt !== null);
  await change(own.id, { altText: "Loaves", scheduledFor: TUESDAY });
  assert((await item(own.id)).approvedAt !== null, "neither time nor alternative text is content");
  await verb(own.id, "unapprove");
  await change(own.id, { caption: "Approved", hashtags: [] });
  await passAt(AFTER);
  await passAt(iso(Date.parse(TUESDAY) + 3 * DAY));
  assertEquals((await item(own.id)).status, "ready");
  const why = await whyOf(own.id);
  assertEquals([why.waitingFor, why.todo.operation], ["person", "approveItem"]);
  assertStringIncludes(why.summary, "approve");
  await change(own.id, { scheduledFor: iso(t.service.now() + HOUR) });
  await verb(own.id, "approve");
  await passAt(iso(t.service.now() + 2 * HOUR));
  assertEquals((await item(own.id)).status, "published");
  assertEquals(await kit.published(), ["Approved"]);
  assertEquals((await verb(own.id, "approve")).status, 409);
});

Deno.test("a series can ask for approval, and keep drafts for a person", async () => {
  await using t = await testService();
  const { create, items, slots, put, call, account, pass, whyOf, verb } = await itemsKit(t);
  const series = await create({ socialAccountId: account.id, needsApproval: true });
  assertEquals([series.needsApproval, series.publishDrafts], [true, true]);
  await pass();
  const [ready] = await items(series.id);
  t.turnTo(ready.scheduledFor);
  await pass();
  assertEquals((await items(series.id))[0].status, "ready");
  const off = { needsApproval: false, publishDrafts: false };
  assertEquals((await call("PATCH", `/v1/series/${series.id}`, off)).body.publishDrafts, false);
  const [stored] = await slots(series.id);
  await put(stored!, { decision: { ...stored!.decision, draft: true } });
  const why = await whyOf(ready.id);
  assertEquals([why.waitingFor, why.todo.operation], ["person", "approveItem"]);
  assertStringIncludes(why.summary, "draft");
  await pass();
  assertEquals((await items(series.id))[0].status, "ready");
  assertEquals((await verb(ready.id, "approve")).body.decision.draft, true);
  t.worker.start();
  await pass();
  assertEquals((await items(series.id))[0].status, "published");
});

Deno.test("publish takes what was looked at, by body or If-Match, and says where it is", async () => {
  await using t = await testService();
  const { schedule, verb, change, item, account, pictures, secret, tool, published } =
    await itemsKit(t);
  t.worker.start();
  const ids = await pictures(3);
  const make = (n: number) =>
    schedule({ creationIds: [ids[n]], caption: `Post ${n}`, socialAccountId: account.id });
  const [first, second, third] = [await make(0), await make(1), await make(2)];
  await change(first.id, { caption: "Changed" });
  const send = (id: string, tag: string) =>
    t.call(secret, `/v1/items/${id}/publish`, { method: "POST", headers: { "if-match": tag } });
  assertEquals((await verb(first.id, "publish", { expectedHash: first.contentHash })).status, 409);
  assertEquals((await send(first.id, `"${first.contentHash}"`)).status, 409);
  assertEquals((await verb(first.id, "approve", { expectedHash: "x" })).status, 409);
  const { contentHash } = await item(first.id);
  const answer = await send(first.id, `"${contentHash}"`);
  assertEquals([answer.status, await answer.text()], [204, ""]);
  const shown = await item(first.id);
  assertEquals(answer.headers.get("location"), shown.url);
  assertEquals([shown.status, shown.contentHash], ["published", contentHash]);
  assertNotEquals(shown.url, null);
  assertEquals(
    (await verb(second.id, "publish", { expectedHash: second.contentHash })).status,
    204,
  );
  const told = await tool("publish_item", { itemId: third.id, expectedHash: third.contentHash });
  const { url, externalPostId, publishedAt } = await item(third.id);
  assertEquals(told.structuredContent, { status: "published", url, externalPostId, publishedAt });
  assertEquals((await tool("publish_item", { itemId: third.id })).isError, true);
  assertEquals((await published()).toSorted(), ["Changed", "Post 1", "Post 2"]);
});

Deno.test("of two who act at once one wins, and what is published is what was claimed", async () => {
  await using t = await testService();
  const { schedule, verb, change, item, account, pictures, published, call } = await itemsKit(t);
  const [one] = await pictures(1);
  const make = (caption: string) =>
    schedule({ creationIds: [one], caption, socialAccountId: account.id });
  t.worker.start();
  // Two publishes.
  const twice = await make("Twice");
  const answers = await Promise.all([verb(twice.id, "publish"), verb(twice.id, "publish")]);
  assertEquals(answers.map(({ status }) => status).toSorted(), [204, 409]);
  // Publish against change: a refused change has no effect, an accepted one is what is published.
  for (let round = 0; round < 4; round++) {
    const own = await make(`Before ${round}`);
    const [out, changed] = await Promise.all([
      verb(own.id, "publish", { expectedHash: own.contentHash }),
      change(own.id, { caption: `After ${round}` }),
    ]);
    const isFirst = out.status === 204;
    assertEquals(out.status, isFirst ? 204 : 409);
    assertEquals(changed.status, isFirst ? 409 : 200);
    const { caption, status } = await item(own.id);
    assertEquals(
      [caption, status],
      isFirst ? [`Before ${round}`, "published"] : [
        `After ${round}`,
        "ready",
      ],
    );
    assertEquals((await published()).includes(`Before ${round}`), isFirst);
    assert(!(await published()).includes(`After ${round}`));
  }
  // Approve against change: the approval never covers what was not looked at.
  for (let round = 0; round < 4; round++) {
    const own = await make(`Seen ${round}`);
    await Promise.all([
      verb(own.id, "approve", { expectedHash: own.contentHash }),
      change(own.id, { caption: `Unseen ${round}` }),
    ]);
    const { caption, approvedAt } = await item(own.id);
    assertEquals([caption, approvedAt], [`Unseen ${round}`, null]);
  }
  // Pixels that change after the claim are not published.
  await t.worker.stop(0);
  const pinned = await make("Pinned");
  const { hash } = await claim(pinned.id);
  await call("POST", `/v1/creations/${one}/overlay`, {
    overlay: { template: "captionBar", text: "Too late" },
  });
  assertEquals((await item(pinned.id)).contentHash, hash);

  async function claim(id: string): Promise<{ hash: string }> {
    const { changeItem } = await import("../../domain/operations/item_address.ts");
    const { claimSlot } = await import("../../domain/series/making/publishing.ts");
    const { contentOf } = await import("../../domain/series/making/content.ts");
    const context = { ...t.service, brand: { id: account.brandId }, key: { budgets: null } };
    return await changeItem(context as never, { itemId: id }, async (commit, { slot }) => {
      const content = await contentOf(t.service.kv, slot, account.id);
      assert(content !== null);
      const wanted = { cause: "A test.", goodUntil: t.service.now() + DAY, content };
      await claimSlot(t.service, commit, slot, account, wanted);
      return content;
    });
  }
});

Deno.test("a pass and a person at once: what the person set stays", async () => {
  await using t = await testService();
  const { brand, create, items, item, change, account, pass, schedule, pictures } = await itemsKit(
    t,
  );
  const { id } = await create({ socialAccountId: account.id });
  await pass();
  const planned = (await items(id)).filter(({ status }: Json) => status === "planned");
  for (const [n, { id: itemId, scheduledFor }] of planned.slice(0, 3).entries()) {
    t.turnTo(iso(Date.parse(scheduledFor) - 23 * HOUR));
    const [, changed] = await Promise.all([
      passSeries(t.service, brand.id, id, () => {}),
      change(itemId, { caption: `By hand ${n}` }),
    ]);
    await pass();
    await t.worker.drain();
    const { caption, status } = await item(itemId);
    assertEquals(status, "ready");
    // Too late once the images were ordered; never half.
    if (changed.status === 200) assertEquals(caption, `By hand ${n}`);
    else assertEquals(changed.status, 409);
  }
  const [one] = await pictures(1);
  const own = await schedule({
    creationIds: [one],
    caption: "Due",
    socialAccountId: account.id,
    scheduledFor: iso(t.service.now() + MINUTE),
  });
  t.turn(2 * MINUTE);
  const [, moved] = await Promise.all([
    passOneOffs(t.service, brand.id, () => {}),
    change(own.id, { scheduledFor: iso(t.service.now() + DAY) }),
  ]);
  const { status } = await item(own.id);
  assertEquals(status, moved.status === 200 ? "ready" : "publishing");
});

Deno.test("a batch does each by itself, in order, with the scope that its verb needs", async () => {
  await using t = await testService();
  const { schedule, item, account, pictures, call, brand, tool } = await itemsKit(t);
  const [one] = await pictures(1);
  const fields = { creationIds: [one], caption: "x", socialAccountId: account.id };
  const [a, b] = [await schedule(fields), await schedule(fields)];
  const ids = [a.id, "slt_x", b.id];
  const { status, body } = await call("POST", "/v1/items/batch", { ids, verb: "approve" });
  assertEquals(status, 200);
  assertEquals(body.data.map(({ id, ok }: Json) => [id, ok]), [[a.id, true], ["slt_x", false], [
    b.id,
    true,
  ]]);
  assertEquals(body.data[1].error.code, "notFound");
  assert((await item(b.id)).approvedAt !== null);
  const told = await tool("batch_items", { ids: [a.id], verb: "unapprove" });
  assertEquals(told.structuredContent.data, [{ id: a.id, ok: true, error: null }]);
  await call("POST", "/v1/items/batch", { ids: [a.id], verb: "skip" });
  const again = await call("POST", "/v1/items/batch", { ids: [a.id, b.id], verb: "regenerate" });
  assertEquals(again.body.data.map(({ error }: Json) => error?.code), ["conflict", undefined]);
  const writer = caller(t, (await t.key(brand.id, ["createWrite"])).secret);
  const send = (verb: string) => writer("POST", "/v1/items/batch", { ids: [b.id], verb });
  assertEquals((await send("approve")).status, 403);
  assertEquals((await send("skip")).status, 200);
  for (const ids of [[], [a.id, a.id], Array.from({ length: 51 }, (_, n) => `slt_${n}`)]) {
    assertEquals((await call("POST", "/v1/items/batch", { ids, verb: "skip" })).status, 400);
  }
});
