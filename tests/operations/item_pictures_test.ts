/** Which images a scheduled post has now, which it had, and what others get that are put in their place. */
import { assertEquals, assertNotEquals } from "@std/assert";
import { itemsKit } from "../support/items.ts";
import type { Json } from "../support/json.ts";
import { testService } from "../support/service.ts";

Deno.test("a post names its current images among all that it ever had, and earlier ones can be put back", async () => {
  await using t = await testService();
  const { schedule, verb, item, pictures, change, pass } = await itemsKit(t);
  const ids = await pictures(4);
  const own = await schedule({ format: "carousel", creationIds: ids, caption: "Four" });
  assertEquals(own.creationIds, ids);
  const three = [ids[3], ids[0], ids[2]];
  const fewer = (await change(own.id, { creationIds: three })).body;
  assertEquals(fewer.creationIds, three);
  assertEquals(fewer.creations.map(({ id }: Json) => id), [ids[1], ...three]);
  await verb(own.id, "regenerate");
  const sentBack = await item(own.id);
  assertEquals([sentBack.status, sentBack.creationIds], ["planned", []]);
  assertEquals(sentBack.creations.length, 4);
  await pass();
  const renewed = await item(own.id);
  assertEquals([renewed.status, renewed.creationIds.length], ["ready", 3]);
  assertEquals(renewed.creations.length, 7);
  const back = (await change(own.id, { creationIds: three })).body;
  assertEquals([back.status, back.caption], ["ready", "Four"]);
  assertEquals(back.creationIds, three);
  assertEquals(back.creations.length, 7, "the newer ones stay in its history");
  assertEquals(back.contentHash, fewer.contentHash);
});

Deno.test("images that are put in place get the overlay that a person has set on the post", async () => {
  await using t = await testService();
  const { schedule, pictures, change } = await itemsKit(t);
  const [one, two, three] = await pictures(3);
  const overlay = { template: "captionBar", text: "Sale" };
  const own = await schedule({ creationIds: [one], caption: "Fine", overlay });
  const { body } = await change(own.id, { creationIds: [two] });
  assertEquals([body.overlay, body.creations.at(-1).overlay], [overlay, overlay]);
  assertNotEquals(body.creations.at(-1).url, body.creations.at(-1).rawUrl);
  const bare = (await change(own.id, { creationIds: [three], overlay: null })).body;
  assertEquals([bare.overlay, bare.creations.at(-1).overlay], [null, null]);
  const own2 = await schedule({ creationIds: [one], caption: "Fine" });
  const kept = (await change(own2.id, { creationIds: [two] })).body;
  assertEquals(kept.overlay, overlay, "nobody has set another, so the image keeps its own");
});
