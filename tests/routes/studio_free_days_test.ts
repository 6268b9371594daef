/** Free days of Studio's calendar: in the grid and in the list, each leads to a new post. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { colleague } from "../support/colleagues.ts";
import { testService } from "../support/service.ts";
import { furnished } from "../support/studio_brand.ts";

Deno.test("a free day leads to a new post on that day, from idea to time; past days and viewers have none", async () => {
  await using t = await testService();
  const { person, pictureId } = await furnished(t);
  const month = (await person.open("/calendar?view=month&day=2026-11-24")).text;
  const freeIn = (page: string) =>
    [...page.matchAll(/<a class="add" href="([^"]+)" aria-label="([^"]+)"/g)]
      .map(([, href = "", label]) => ({ day: href.split("day=")[1] ?? "", href, label }));
  const free = freeIn(month);
  const today = /id="day-([\d-]+)" class="day\s+today/.exec(month)?.[1] ?? "";
  assert(today !== "" && free.length > 3 && free.every(({ day }) => day >= today));
  assert(!free.some(({ day }) => day === "2026-11-24"), "that day has a post");
  const first = free.find(({ day }) => day > today);
  const { day = "", href = "" } = first ?? {};
  assertMatch(first?.label ?? "", /^New post on \w{3} \d+ \w{3}$/);
  const form = (await person.open(href)).text;
  assertStringIncludes(form, `name="day" value="${day}"`);
  const ordered = await person.send("/create", { idea: "A cup", prompt: "A cup", day });
  assertEquals(ordered.status, 303, ordered.text);
  await t.worker.drain();
  const made = (await person.open(ordered.next)).text;
  const picture = /href="([^"]+#schedule)"/.exec(made)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const { text } = await person.open(picture.split("#")[0] ?? "");
  assertStringIncludes(text, `value="${day}T09:00"`);
  const library = new RegExp(`href="([^"]+/library.day=${day})"`).exec(form)?.[1] ?? "";
  assertStringIncludes((await person.open(library)).text, `/pictures/${pictureId}?day=${day}"`);
  const past = (await person.open("/create?day=2020-01-01")).text;
  assert(!past.includes('name="day"'), "nobody can make a post for a day that is over");

  const isFree = async () =>
    freeIn((await person.open(`/calendar?day=${day}`)).text).some((one) => one.day === day);
  const { next } = await person.send(`/pictures/${pictureId}/schedule`, {
    ...{ scheduledFor: `${day}T09:00`, caption: "Hello", socialAccountId: "" },
  });
  assert(!await isFree(), "it has a post now");
  await person.send(`${next}/skip`);
  assert(await isFree(), "a day whose posts are skipped is free");
  for (const role of ["viewer", "approver"] as const) {
    const colleagues = (await (await colleague(t, person, role)).open("/calendar")).text;
    assert(!colleagues.includes('class="add"'), role);
  }
});

Deno.test("the list shows free days too, a line for each run of them, and each leads to a new post", async () => {
  await using t = await testService();
  const { person, pictureId, postId } = await furnished(t);
  const linesOf = (page: string) =>
    [...page.matchAll(/<(div|details) class="free">(.*?)<\/\1>(?=<section)/gs)]
      .map(([, , line = ""]) => ({
        title: /<h2>([^<]+)</.exec(line)?.[1],
        days: [...line.matchAll(/href="[^"]+\/create\?day=([\d-]+)"/g)].map(([, day]) => day),
      }));
  const lines = async (query: string, who = person) =>
    linesOf((await who.open(`/calendar?${query}`)).text);
  const put = async (day: string) => {
    const { next } = await person.send(`/pictures/${pictureId}/schedule`, {
      ...{ scheduledFor: `${day}T09:00`, caption: "Hello", socialAccountId: "" },
    });
    return next;
  };
  await put("2027-01-02");
  const skipped = await put("2027-01-04");
  await put("2027-01-07");
  const january = "view=list&day=2027-01-01";
  const [first, second, third, last, ...more] = await lines(january);
  assertEquals(first, { title: "Fri 1 Jan", days: ["2027-01-01"] });
  assertEquals(second, { title: "Sun 3 Jan", days: ["2027-01-03"] });
  assertEquals(third, { title: "Tue 5 – Wed 6 Jan", days: ["2027-01-05", "2027-01-06"] });
  assertEquals([last?.title, last?.days.length], ["Fri 8 – Sun 31 Jan", 24]);
  assertEquals(more, []);
  await person.send(`${skipped}/skip`);
  const [, joined] = await lines(january);
  assertEquals(joined?.title, "Sun 3 – Wed 6 Jan", "a day whose posts are skipped is free");
  assertEquals((await lines("day=2027-01-01"))[0]?.title, "Mon 28 Dec – Fri 1 Jan");
  assertEquals(await lines(`${january}&state=ready`), [], "a part of the posts tells no free days");
  assertEquals(await lines("view=list&day=2026-10-01"), [], "days that are over");
  for (const role of ["viewer", "approver"] as const) {
    assertEquals(await lines(january, await colleague(t, person, role)), [], role);
  }
  const today = (await person.open("/calendar?view=list")).text;
  assertStringIncludes(today, `id="line-${postId}"`);
  const empty = (await person.open(`${"/calendar?"}${january}&state=held`)).text;
  assertStringIncludes(empty, "No post matches these filters");
  const all = /href="([^"]+)">Show all posts</.exec(empty)?.[1]?.replaceAll("&amp;", "&") ?? "";
  assertEquals(linesOf((await person.open(all)).text).length, 3);
});
