/** The page of an autopilot: what its playbook rests on, how good its word is, and the way back. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { reader } from "../../domain/kv/transact.ts";
import { readStrategy } from "../../domain/series/records.ts";
import { certaintyWords } from "../../routes/studio/parts/playbook.tsx";
import { changesOf } from "../../routes/studio/parts/reviews.tsx";
import { reviewOften } from "../support/reviewed_series.ts";
import { testService } from "../support/service.ts";
import { studioPerson } from "../support/studio.ts";

const AUTOPILOT = {
  ...{ mode: "autopilot", name: "Guests", goal: "More guests", formats: "post" },
  ...{ hourUtc: "9", aspectRatio: "portrait" },
};

Deno.test("an autopilot shows what it is sure of and why, and returns to an earlier playbook when told twice", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const { next } = await person.send("/series/new", AUTOPILOT);
  const path = next.slice(next.indexOf("/series/"));
  const id = path.slice("/series/".length);
  await reviewOften(t.service, person.brand.id, id);
  const page = (await person.open(path)).text;
  assertMatch(page, /[Ee]arns more than the others: \d\d% sure\./);
  const [post = ""] = /\/published\/post_\w+/.exec(page) ?? [];
  assertEquals((await person.open(post)).status, 200, "the evidence leads to the posts");
  assertMatch(page, /Its error is 0\.\d\d: 0 is perfect/);
  assertStringIncludes(page, "The first playbook.");
  assertStringIncludes(page, "What it changed");
  assertStringIncludes(page, "Review now");
  const words = page.replaceAll(/<[^>]*>/g, " ");
  assert(!/\b(slots?|creations?|rev_\w+|post_\w{26})\b/.test(words), "jargon");

  const ways = [...page.matchAll(/href="[^"]*(\/series\/\w+\/reviews\/(\w+))"/g)];
  assertEquals(ways.length, 2, "all but the one in force");
  const [, way = "", reviewId] = ways.at(-1) ?? [];
  const force = async () =>
    (await readStrategy(reader(t.service.kv), person.brand.id, id))?.reviewId;
  const before = await force();
  const asked = (await person.open(way)).text;
  assertStringIncludes(asked, "Return to the playbook of ");
  assertEquals(await force(), before, "a look changes nothing");
  assertEquals((await person.send(way)).status, 303);
  assertEquals(await force(), reviewId);
  const after = (await person.open(path)).text;
  assert(!after.includes(way), "that one is in force now");
  assertEquals((await person.open(`${path}/reviews/rev_none`)).status, 404);
  const other = await studioPerson(t, { email: "other@example.com" });
  assertEquals((await other.send(way)).status, 404);
});

Deno.test("certainty and changes are said in sentences", () => {
  assertEquals(certaintyWords(null), "Nothing to compare with yet");
  assertEquals(certaintyWords(0.999), "Earns more than the others: 99% sure");
  assertEquals(certaintyWords(0.8), "Probably earns more than the others: 80% sure");
  assertEquals(certaintyWords(0.5), "Can't tell yet whether it earns more or less");
  assertEquals(certaintyWords(0.02), "Earns less than the others: 98% sure");
  const diff = {
    cadencePerWeek: { from: 3, to: 5 },
    formats: [{ format: "carousel", from: 0.2, to: 0.45 }],
    hoursAdded: [8],
    hoursRemoved: [],
    directions: [{ direction: "Boats", from: "test", to: "drop" } as const],
  };
  assertEquals(changesOf(diff), [
    "5 posts a week instead of 3.",
    "Carousel: 45% of the posts instead of 20%.",
    "Also at 08:00 UTC.",
    "“Boats”: no more, before trying it.",
  ]);
});
