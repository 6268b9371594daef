/** The layout that counts a carousel's images counts them, however the overlay came to the post. */
import { assertEquals } from "@std/assert";
import type { Slot as Item } from "../../domain/series/shape.ts";
import { seriesKit } from "../support/series.ts";
import { testService } from "../support/service.ts";

const STEPS = { template: "stepCard", text: "Warm the cup" } as const;

const firstLines = ({ creations }: Item) =>
  creations.map(({ overlay }) => overlay?.text.split("\n")[0]);

Deno.test("a step card counts the images of a series' carousel, and again when a person sets it", async () => {
  await using t = await testService();
  const { call, create, items, pass } = await seriesKit(t);
  const { id } = await create({ format: "carousel", overlay: STEPS });
  await pass();
  const [item]: Item[] = await items(id);
  assertEquals(firstLines(item!), ["1/4", "2/4", "3/4", "4/4"]);
  assertEquals(item!.creations[0]!.overlay?.text, "1/4\nWarm the cup");
  const overlay = { ...STEPS, text: "Pour slowly" };
  const changed = await call("PATCH", `/v1/items/${item!.id}`, { overlay });
  assertEquals(changed.status, 200);
  assertEquals(changed.body.overlay, overlay);
  const [after]: Item[] = await items(id);
  assertEquals(firstLines(after!), ["1/4", "2/4", "3/4", "4/4"]);
});

Deno.test("a step card counts the images of a one-off carousel, and not a single image", async () => {
  await using t = await testService();
  const { call, pass } = await seriesKit(t);
  const prompts = ["A cup", "A hand", "A table"];
  const ordered = { format: "carousel", prompts, overlay: STEPS };
  const { body } = await call("POST", "/v1/items", ordered);
  await pass();
  const made = (await call("GET", `/v1/items/${body.id}`)).body;
  assertEquals(firstLines(made), ["1/3", "2/3", "3/3"]);
  const creationIds = made.creations.map((creation: { id: string }) => creation.id);
  const again = { creationIds: creationIds.toReversed(), overlay: STEPS };
  const second = (await call("POST", "/v1/items", { format: "carousel", ...again })).body;
  assertEquals(firstLines(second), ["1/3", "2/3", "3/3"]);
  const single = { creationIds: creationIds.slice(0, 1), overlay: STEPS };
  const post = (await call("POST", "/v1/items", { format: "post", ...single })).body;
  assertEquals(firstLines(post), ["Warm the cup"]);
});
