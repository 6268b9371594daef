/** Scheduled posts over all series and of none: listed, read, scheduled, changed, deleted. */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import { MIGRATIONS } from "../../domain/service/migrations.ts";
import { itemsKit, TUESDAY } from "../support/items.ts";
import { caller } from "../support/series.ts";
import { NOON, testService } from "../support/service.ts";
import { storeSeries, storeSlot } from "../support/stored_series.ts";
import type { Json } from "../support/json.ts";

const idsOf = ({ data }: Json): string[] => data.map(({ id }: Json) => id);

Deno.test("items of all series and one-off posts are listed by time, filtered and paged", async () => {
  await using t = await testService();
  const { call, brand, account, pictures, schedule, create, pass } = await itemsKit(t);
  const bread = await create({ socialAccountId: account.id });
  const cake = await create({ name: "Cake", cadenceDays: 3 });
  const [one] = await pictures(1);
  const own = await schedule({ creationIds: [one], caption: "Ours", socialAccountId: account.id });
  await pass();
  const list = async (query = ""): Promise<Json> => {
    const { status, body } = await call("GET", `/v1/items?${query}`);
    assertEquals(status, 200, JSON.stringify(body));
    return body;
  };
  const all = await list("perPage=100");
  const order = all.data.map(({ scheduledFor, id }: Json) => `${scheduledFor} ${id}`);
  assertEquals(order, order.toSorted());
  assertEquals(all.pagination.total, all.data.length);
  assertEquals(
    new Set(all.data.map(({ seriesId }: Json) => seriesId)),
    new Set([
      bread.id,
      cake.id,
      null,
    ]),
  );
  assertEquals(all.data.find(({ id }: Json) => id === own.id), own);
  const ids = idsOf(all);
  const pages = [await list("perPage=4&page=1"), await list("perPage=4&page=2")];
  assertEquals(pages.flatMap(idsOf), ids.slice(0, 8));
  assertEquals(pages[0].pagination.pageCount, Math.ceil(ids.length / 4));
  assertEquals(idsOf(await list("page=1000")), []);
  const where = (test: (item: Json) => boolean) => all.data.filter(test).map(({ id }: Json) => id);
  assertEquals(
    idsOf(await list(`seriesId=${cake.id}&perPage=100`)),
    where(({ seriesId }) => seriesId === cake.id),
  );
  assertEquals(
    idsOf(await list(`accountId=${account.id}&perPage=100`)),
    where(({ socialAccountId }) => socialAccountId === account.id),
  );
  assertEquals(idsOf(await list("status=ready")), where(({ status }) => status === "ready"));
  const day = TUESDAY.slice(0, 10);
  assertEquals(
    idsOf(await list(`from=${day}&to=${day}`)),
    where(({ scheduledFor }) => scheduledFor.startsWith(day)),
  );
  for (const query of ["from=2026-02-30", "from=2026-12-01&to=2026-11-01", "status=late"]) {
    assertEquals((await call("GET", `/v1/items?${query}`)).status, 400, query);
  }
  // What a deleted series would have published is gone with it.
  await call("DELETE", `/v1/series/${cake.id}`);
  const rest = await list("perPage=100");
  assertEquals(idsOf(rest), where(({ seriesId }) => seriesId !== cake.id));
  const [gone] = where(({ seriesId }) => seriesId === cake.id);
  assertEquals((await call("GET", `/v1/items/${gone}`)).status, 404);
  const theirs = caller(t, (await t.brand()).secret);
  assertEquals((await theirs("GET", "/v1/items")).body.data, []);
  for (const path of [own.id, `${own.id}/why`]) {
    assertEquals((await theirs("GET", `/v1/items/${path}`)).status, 404);
  }
  assertEquals((await theirs("PATCH", `/v1/items/${own.id}`, { caption: "x" })).status, 404);
  for (const verb of ["skip", "regenerate", "caption", "publish", "approve", "validate"]) {
    assertEquals((await theirs("POST", `/v1/items/${own.id}/${verb}`)).status, 404, verb);
  }
  assertEquals((await theirs("DELETE", `/v1/items/${own.id}`)).status, 404);
  assertEquals(brand.id, (await call("GET", "/v1/brand")).body.id);
});

Deno.test("slots that an earlier version stored are in the list after the migration", async () => {
  await using t = await testService();
  const { call, brand } = await itemsKit(t);
  const series = await storeSeries(t.service, brand.id);
  const slot = await storeSlot(t.service, series, NOON + DAY);
  assertEquals((await call("GET", `/v1/items/${slot.id}`)).status, 404);
  for (const migrate of [...MIGRATIONS, ...MIGRATIONS]) await migrate(t.service.kv);
  const { body } = await call("GET", "/v1/items");
  assertEquals(idsOf(body), [slot.id]);
  const item = (await call("GET", `/v1/items/${slot.id}`)).body;
  assertEquals(item, body.data[0]);
  assertEquals([item.seriesId, item.approvedAt, item.contentHash], [series.id, null, null]);
});

Deno.test("a one-off post takes own creations or prompts, the right number, and a time to come", async () => {
  await using t = await testService();
  const { call, account, connect, pictures, schedule, item, whyOf, pass } = await itemsKit(t);
  const used = async () => (await call("GET", "/v1/credits")).body.used;
  const ids = await pictures(3);
  const spent = await used();
  const ready = await schedule({ creationIds: [ids[0]] });
  assertEquals([ready.status, ready.seriesId, ready.format], ["ready", null, "post"]);
  assertEquals(ready.creations.map(({ id }: Json) => id), [ids[0]]);
  assertNotEquals(ready.caption, "", "a caption that is left out is written");
  assertEquals(ready.decision.draft, true, "by the local writer");
  assertEquals((await whyOf(ready.id)).todo.operation, "updateItem");
  assertEquals(await used(), spent, "own creations cost nothing");
  const carousel = await schedule({
    format: "carousel",
    creationIds: [ids[2], ids[0], ids[1]],
    caption: "Three",
    hashtags: ["#Bread", "bread", "Oven"],
    overlay: { template: "captionBar", text: "Today" },
    altText: "Loaves",
    socialAccountId: account.id,
  });
  assertEquals(carousel.creations.map(({ id }: Json) => id), [ids[2], ids[0], ids[1]]);
  assertEquals([carousel.caption, carousel.hashtags], ["Three", ["bread", "oven"]]);
  assertEquals(carousel.creations[0].overlay.text, "Today");
  assertEquals([carousel.altText, carousel.socialAccountId], ["Loaves", account.id]);
  const { body: bare } = await call("POST", "/v1/items", { creationIds: [ids[1]], caption: "" });
  assertEquals(bare.caption, "");
  assertEquals(bare.scheduledFor, iso(t.service.now()));

  const ordered = await schedule({ prompts: ["A loaf on a table"], format: "story" });
  assertEquals([ordered.status, ordered.contentHash], ["generating", null]);
  assertEquals(await used(), spent + 1);
  await t.worker.drain();
  const complete = await item(ordered.id);
  assertEquals([complete.status, complete.creations[0].aspectRatio], ["ready", "story"]);
  assertNotEquals(complete.caption, "");
  assert(complete.creations[0].prompt.includes("A loaf on a table"));
  // New images come from the same prompts, by the same pass as a series'.
  assertEquals((await call("POST", `/v1/items/${ordered.id}/regenerate`)).status, 204);
  assertEquals((await item(ordered.id)).status, "planned");
  await pass();
  const again = await item(ordered.id);
  assertEquals([again.status, again.creations.length], ["ready", 2]);
  assertEquals(again.creations[1].prompt, complete.creations[0].prompt);
  assertEquals(again.caption, complete.caption);

  const youtube = await connect("youtube", "channel");
  const linkedin = await connect("linkedin", "acme");
  const [pending] = [
    (await call("POST", "/v1/creations", {
      prompt: "p",
      idea: "i",
      aspectRatio: "square",
    })).body.id,
  ];
  const refused: [object, number][] = [
    [{}, 400],
    [{ creationIds: [ids[0]], prompts: ["p"] }, 400],
    [{ creationIds: [ids[0], ids[1]] }, 400],
    [{ creationIds: ids.slice(0, 2), format: "carousel" }, 400],
    [{ creationIds: [ids[0], ids[0], ids[1]], format: "carousel" }, 400],
    [{ creationIds: ["cre_x"] }, 400],
    [{ creationIds: [pending] }, 409],
    [{ creationIds: [ids[0]], scheduledFor: "2026-11-19T00:00:00Z" }, 400],
    [{ creationIds: [ids[0]], scheduledFor: "tomorrow" }, 400],
    [{ creationIds: [ids[0]], hashtags: ["!"] }, 400],
    [{ creationIds: [ids[0]], socialAccountId: "soc_x" }, 400],
    [{ creationIds: [ids[0]], socialAccountId: youtube.id }, 400],
    [{ creationIds: [ids[0]], format: "story", socialAccountId: linkedin.id }, 400],
  ];
  for (const [body, status] of refused) {
    const answer = await call("POST", "/v1/items", body);
    assertEquals(answer.status, status, JSON.stringify([body, answer.body]));
  }
});

Deno.test("what a person changes stays: no pass overwrites it, and its place is not planned again", async () => {
  await using t = await testService();
  const kit = await itemsKit(t);
  const { create, items, change, item, pass, account, slots, passAt } = kit;
  const { id } = await create({ socialAccountId: account.id, cadenceDays: 2 });
  await pass();
  const planned = (await items(id)).filter(({ status }: Json) => status === "planned");
  const [first, second] = planned;
  const moved = iso(Date.parse(first.scheduledFor) + 5 * HOUR);
  const overlay = { template: "quoteCard", text: "By hand" };
  const { status, body } = await change(first.id, {
    caption: "Mine",
    hashtags: ["own"],
    scheduledFor: moved,
    overlay,
    altText: "A loaf",
  });
  assertEquals(status, 200, JSON.stringify(body));
  assertEquals([body.id, body.scheduledFor, body.caption], [first.id, moved, "Mine"]);
  assertEquals([body.overlay, body.altText, body.status], [overlay, "A loaf", "planned"]);
  await pass();
  assertEquals((await items(id)).length, planned.length + 1, "nothing is planned in its place");
  // A change of the series drops what nobody touched.
  await kit.call("PATCH", `/v1/series/${id}`, { theme: "Cake" });
  assertEquals((await items(id)).map((each: Json) => each.id).includes(first.id), true);
  assertEquals((await kit.call("GET", `/v1/items/${second.id}`)).status, 404);
  await passAt(iso(Date.parse(moved) - 23 * HOUR));
  const made = await item(first.id);
  assertEquals([made.status, made.caption, made.hashtags], ["ready", "Mine", ["own"]]);
  assertEquals(made.creations[0].overlay, overlay);
  // Far beyond the instant of its id, the pass still finds it.
  const later = iso(Date.parse(moved) + 20 * DAY);
  assertEquals((await change(first.id, { scheduledFor: later })).status, 200);
  await passAt(iso(Date.parse(later) - HOUR));
  assertEquals((await item(first.id)).status, "ready");
  const fresh = (await slots(id)).filter(({ scheduledFor }) => scheduledFor === later);
  assertEquals(fresh.map((slot) => slot.id), [first.id]);
  t.worker.start();
  await passAt(iso(Date.parse(later) + 1_000));
  assertEquals((await item(first.id)).status, "published");
  assert((await kit.published()).includes("Mine\n\n#own"));
});

Deno.test("a change is refused where it is too late or wrong, and cures what it can", async () => {
  await using t = await testService();
  const kit = await itemsKit(t);
  const { schedule, change, item, verb, account, pictures, create, items, pass } = kit;
  const [one, two] = await pictures(2);
  const own = await schedule({ creationIds: [one], caption: "One" });
  assertEquals((await change(own.id, { scheduledFor: "2026-11-19T00:00:00Z" })).status, 400);
  assertEquals((await change(own.id, { creationIds: ["cre_x"] })).status, 400);
  assertEquals((await change(own.id, { creationIds: [one, two] })).status, 400);
  assertEquals((await change(own.id, { socialAccountId: "soc_x" })).status, 400);
  assertEquals((await change(own.id, { caption: "x".repeat(2_201) })).status, 400);
  assertEquals((await change(own.id, {})).body.caption, "One");
  const other = await change(own.id, { creationIds: [two], socialAccountId: account.id });
  assertEquals(other.body.creations.map(({ id }: Json) => id), [one, two]);
  assertNotEquals(other.body.contentHash, own.contentHash);
  // Late, so the pass holds it; a new time makes it ready again.
  t.turnTo(iso(Date.parse(TUESDAY) + 25 * HOUR));
  await pass();
  assertEquals((await item(own.id)).status, "held");
  const cured = (await change(own.id, { scheduledFor: kit.inDays(1) })).body;
  assertEquals([cured.status, cured.error], ["ready", null]);
  assertEquals((await verb(own.id, "skip")).status, 204);
  assertEquals((await change(own.id, { caption: "Late" })).status, 409);
  assertEquals((await kit.call("DELETE", `/v1/items/${own.id}`)).status, 204);
  assertEquals((await kit.call("DELETE", `/v1/items/${own.id}`)).status, 404);
  assertEquals((await kit.call("GET", "/v1/items")).body.data, []);
  // Images by hand make a planned post of a series ready, and it can only be skipped.
  const { id } = await create({ theme: "Cake" });
  await pass();
  const planned = (await items(id)).find(({ status }: Json) => status === "planned");
  const filled = (await change(planned.id, { creationIds: [one] })).body;
  assertEquals([filled.status, filled.creations.length], ["ready", 1]);
  assertNotEquals(filled.caption, "");
  assertEquals((await kit.call("DELETE", `/v1/items/${planned.id}`)).status, 409);
  const why = await kit.whyOf(planned.id);
  assertStringIncludes(why.chain.at(-1).cause, "creationIds");
});

Deno.test("validate says what the platform would refuse, field by field, and changes nothing", async () => {
  await using t = await testService();
  const { schedule, verb, item, account, pictures, change } = await itemsKit(t);
  const [one] = await pictures(1);
  const own = await schedule({ creationIds: [one], caption: "Fine" });
  const fields = async () => {
    const { body } = await verb(own.id, "validate");
    assertEquals(body.ok, body.problems.length === 0);
    return body.problems.map(({ field }: Json) => field);
  };
  assertEquals(await fields(), ["socialAccountId"]);
  await change(own.id, { socialAccountId: account.id });
  assertEquals(await fields(), []);
  const hashtags = Array.from({ length: 30 }, (_, n) => `tag${n}x`);
  await change(own.id, { caption: "@a".repeat(1) + " @b".repeat(30), hashtags });
  const before = await item(own.id);
  assertEquals(await fields(), ["caption"]);
  assertEquals(await item(own.id), before);
  await verb(own.id, "regenerate");
  assertEquals(await fields(), ["creationIds", "caption"]);
});
