/** What a slot is made by: its series when the images are ordered, not when the slot was planned. */
import { assert, assertEquals } from "@std/assert";
import { DAY } from "../../domain/foundation/calendar.ts";
import type { TextModel, WritingTask } from "../../domain/models/model.ts";
import { AUTOPILOT, seriesKit } from "../support/series.ts";
import { testService } from "../support/service.ts";

type Item = {
  id: string;
  status: string;
  format: string;
  decision: { direction: string; overlayTemplate: string };
  creations: { aspectRatio: string; overlay: unknown }[];
};

Deno.test("a manual series' overlay, ratio and format hold for planned and regenerated slots", async () => {
  await using t = await testService();
  const { create, call, items, pass, act } = await seriesKit(t);
  const { id } = await create({
    format: "story",
    overlay: { template: "captionBar", text: "HELLO" },
  });
  await pass();
  const [ready, planned]: Item[] = await items(id);
  assertEquals(ready!.creations.map(({ aspectRatio }) => aspectRatio), ["story"]);
  await call("PATCH", `/v1/series/${id}`, { overlay: null, aspectRatio: "landscape" });
  const [, shown]: Item[] = await items(id);
  assertEquals([shown!.id, shown!.decision.overlayTemplate], [planned!.id, "none"]);
  await call("PATCH", `/v1/series/${id}`, { format: "post" });
  assertEquals((await act(id, ready!.id, "regenerate")).status, 204);
  await pass();
  const [again]: Item[] = await items(id);
  assertEquals([again!.id, again!.status, again!.format], [ready!.id, "ready", "post"]);
  const last = again!.creations.at(-1)!;
  assertEquals([last.aspectRatio, last.overlay], ["landscape", null]);
});

Deno.test("a slot that LinkedIn refused as a story can be regenerated and published as a post", async () => {
  await using t = await testService();
  const { create, call, connect, items, pass, act } = await seriesKit(t);
  const { id } = await create({ format: "story" });
  await pass();
  const [story]: Item[] = await items(id);
  const account = await connect("linkedin");
  await call("PATCH", `/v1/series/${id}`, { format: "post", socialAccountId: account.id });
  t.worker.start();
  assertEquals((await act(id, story!.id, "publish")).status, 409);
  assertEquals((await act(id, story!.id, "regenerate")).status, 204);
  await pass();
  assertEquals((await act(id, story!.id, "publish")).status, 204);
});

Deno.test("an autopilot's slots wear the overlay that the series has now, also those planned later", async () => {
  await using t = await testService();
  const { create, call, items, pass } = await seriesKit(t);
  const { id } = await create({
    ...AUTOPILOT,
    postsPerWeek: 7,
    overlay: { template: "quoteCard", text: "AAA" },
  });
  await pass();
  const overlay = { template: "cornerTag", text: "BBB" };
  await call("PATCH", `/v1/series/${id}`, { overlay, aspectRatio: "square" });
  const before: Item[] = await items(id);
  const done = before.filter(({ status }) => status !== "planned").map(({ id }) => id);
  for (let day = 0; day < 3; day++) {
    t.turn(DAY);
    await pass();
  }
  const shown: Item[] = await items(id);
  assert(shown.length > before.length);
  const later = shown.filter(({ id }) => !done.includes(id));
  for (const { decision } of later) assertEquals(decision.overlayTemplate, "cornerTag");
  const made = later.flatMap(({ creations }) => creations);
  assert(made.length > 1);
  for (const creation of made) {
    assertEquals([creation.aspectRatio, creation.overlay], ["square", overlay]);
  }
});

Deno.test("a slot whose new images can't be paid stays what its images are, and can be published", async () => {
  await using t = await testService();
  const { create, call, connect, items, pass, act } = await seriesKit(t);
  const { id } = await create({ ...AUTOPILOT, postsPerWeek: 7, creditBudgetMonthly: 1 });
  await pass();
  const [ready]: Item[] = await items(id);
  assertEquals([ready!.status, ready!.format], ["ready", "post"]);
  const account = await connect();
  const change = { formats: ["carousel"], socialAccountId: account.id };
  assertEquals((await call("PATCH", `/v1/series/${id}`, change)).status, 200);
  assertEquals((await act(id, ready!.id, "regenerate")).status, 204);
  await pass();
  const [held]: Item[] = await items(id);
  assertEquals([held!.id, held!.status, held!.format], [ready!.id, "held", "post"]);
  t.worker.start();
  assertEquals((await act(id, ready!.id, "publish")).status, 204);
});

Deno.test("a series that is changed while a pass works on it holds for the images of that pass", async () => {
  const meanwhile = { happens: () => Promise.resolve() };
  const textModel: TextModel = {
    name: "slow",
    async write<T>(task: WritingTask<T>) {
      await meanwhile.happens();
      return task.local();
    },
  };
  await using t = await testService({ dependencies: { textModel } });
  const { create, call, items, pass } = await seriesKit(t);
  const { id } = await create({ ...AUTOPILOT, postsPerWeek: 7 });
  await pass();
  const before: Item[] = await items(id);
  t.turn(7 * DAY);
  meanwhile.happens = async () => {
    meanwhile.happens = () => Promise.resolve();
    const { status } = await call("PATCH", `/v1/series/${id}`, { formats: ["story"] });
    assertEquals(status, 200);
  };
  await pass();
  const known = new Set(before.map(({ id }) => id));
  const made = (await items(id) as Item[])
    .filter(({ id, creations }) => !known.has(id) && creations.length > 0);
  assert(made.length > 0);
  for (const { format } of made) assertEquals(format, "story");
});
