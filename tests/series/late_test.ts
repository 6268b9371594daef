/** Slots whose time has passed: in a pause, or while a killed process was publishing them. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../domain/foundation/calendar.ts";
import { publishPost } from "../../domain/platforms/publish.ts";
import { contentOf } from "../../domain/series/making/content.ts";
import { claimSlot } from "../../domain/series/making/publishing.ts";
import { LATE } from "../../domain/series/timing.ts";
import { requireSlot } from "../../domain/series/records.ts";
import { transact } from "../../domain/kv/transact.ts";
import { rehearse } from "../support/rehearsal.ts";
import { AUTOPILOT, seriesKit, truth } from "../support/series.ts";
import { NOON, testService } from "../support/service.ts";

interface Item {
  id: string;
  status: string;
  scheduledFor: string;
}

Deno.test("what a pause leaves are holes: nothing of it is made or published afterwards", async () => {
  await using t = await testService();
  const { call, connect, create, items, pass } = await seriesKit(t);
  const account = await connect();
  const all = [
    await create({ hourUtc: 13 }),
    await create({ hourUtc: 13, socialAccountId: account.id }),
    await create({ ...AUTOPILOT, postsPerWeek: 7, theme: undefined, format: undefined }),
  ];
  const setActive = async (active: boolean) => {
    for (const { id } of all) await call("PATCH", `/v1/series/${id}`, { active });
  };
  await pass();
  const made = new Map<string, Item[]>();
  for (const { id } of all) {
    made.set(id, (await items(id)).filter(({ status }: Item) => status !== "planned"));
  }
  await setActive(false);
  t.turn(5 * DAY - HOUR);
  const resumed = t.service.now();
  await setActive(true);
  await pass();
  for (const { id } of all) {
    const known = made.get(id)!.map((item) => item.id);
    const others: Item[] = (await items(id)).filter((item: Item) => !known.includes(item.id));
    assert(others.length >= 7);
    for (const { scheduledFor } of others) assert(Date.parse(scheduledFor) > resumed);
  }
  const posts = await truth(t, "instagram", "bakery", NOON);
  assertEquals(posts, []);
});

Deno.test("a pause of months leaves no planned slot behind, either", async () => {
  await using t = await testService();
  const { call, create, slots, pass } = await seriesKit(t);
  const { id } = await create();
  await pass();
  await call("PATCH", `/v1/series/${id}`, { active: false });
  t.turn(100 * DAY);
  const planned = async () =>
    (await slots(id)).filter(({ status }) => status === "planned").map(({ id }) => id);
  assert((await planned()).length > 0);
  await call("PATCH", `/v1/series/${id}`, { active: true });
  assertEquals(await planned(), []);
});

Deno.test("a post whose time is over is only looked for: found it is published, else outdated", async () => {
  await using r = await rehearse();
  for (const platform of ["instagram", "linkedin"] as const) {
    const account = await r.connect(platform);
    const count = async (text: string) =>
      (await r.truth(account)).filter(({ caption }) => caption === text).length;
    const unsent = await r.attempt(account, { goodUntil: r.service.now() - 1 });
    assertEquals((await publishPost(r.service, unsent)).state, "outdated");
    assertEquals(await count(unsent.text), 0);
    const sent = await r.attempt(account);
    await r.fault(platform, "publish", "timeoutAfterAccept");
    await r.fault(platform, "list", "serverError", 20);
    await publishPost(r.service, sent);
    assertEquals(await count(sent.text), 1);
    await r.clearFaults(platform);
    r.t.turn(2 * DAY);
    assertEquals((await publishPost(r.service, sent)).state, "published");
    assertEquals(await count(sent.text), 1);
  }
});

Deno.test("a slot that a killed process was publishing days ago is held, and can be published by hand", async () => {
  await using t = await testService();
  const kit = await seriesKit(t);
  const account = await kit.connect();
  const { id } = await kit.create({ socialAccountId: account.id });
  await kit.pass();
  const [item] = await kit.items(id);
  t.turnTo(item.scheduledFor);
  await transact(t.service.kv, async (commit) => {
    const slot = await requireSlot(commit, kit.brand.id, id, item.id);
    const goodUntil = Date.parse(slot.scheduledFor) + LATE;
    const content = await contentOf(t.service.kv, slot, account.id);
    assert(content !== null);
    await claimSlot(t.service, commit, slot, account, { cause: "Due.", goodUntil, content });
  });
  t.turn(5 * DAY);
  await t.worker.drain();
  const [held] = await kit.items(id);
  assertEquals(held.status, "held");
  assertStringIncludes(held.error, "not public");
  assertEquals((await kit.why(id, item.id)).heldFor, "late");
  assertEquals(await truth(t, "instagram", "bakery", NOON), []);
  t.turn(MINUTE);
  t.worker.start();
  assertEquals((await kit.act(id, item.id, "publish")).status, 204);
  assertEquals((await truth(t, "instagram", "bakery", NOON)).length, 1);
});
