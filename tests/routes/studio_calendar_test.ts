/** Studio's calendar: posts are chosen, moved and skipped, and what is likely to come is shown. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { colleague } from "../support/colleagues.ts";
import { connectSandboxAccount } from "../../domain/platforms/sandbox_account.ts";
import { testService } from "../support/service.ts";
import { studioPerson } from "../support/studio.ts";
import { furnished } from "../support/studio_brand.ts";

const WEEK = "view=week&day=2026-11-24";

/** The part of the page from one mark to another. */
const between = (page: string, from: string, to: string): string =>
  page.slice(page.indexOf(from)).split(to)[0] ?? "";

Deno.test("many posts are approved, moved by days and skipped at once, and what is refused is said", async () => {
  await using t = await testService();
  const { person, postId } = await furnished(t);
  const list = (await person.open("/calendar?view=list")).text;
  const ids = [...list.matchAll(/name="ids" value="([^"]+)"/g)].map(([, id]) => id ?? "");
  assert(ids.includes(postId) && ids.length > 2);
  const [planned = ""] = ids.filter((id) => id !== postId);
  const send = (verb: string, chosen: string[], more: [string, string][] = []) =>
    person.send("/calendar/chosen", [
      ["verb", verb],
      ["back", WEEK],
      ...chosen.map((id): [string, string] => ["ids", id]),
      ...more,
    ]);

  const moved = await send("move", [postId], [["days", "2"]]);
  assertEquals(moved.next.split("?")[0], person.at("/calendar"));
  assertEquals(new URLSearchParams(moved.next.split("?")[1]).get("view"), "week", "as it was left");
  assertStringIncludes((await person.open(moved.next)).text, "1 post moved.");
  assertStringIncludes((await person.open(`/posts/${postId}`)).text, "Thu 26 Nov, 09:00");
  const past = await send("move", [postId], [["days", "-20"]]);
  assertMatch((await person.open(past.next)).text, /0 posts moved\.\s*Not done: .*before now/);
  for (const days of ["0", "", "61", "1.5", "x"]) {
    const refused = await send("move", [postId], [["days", days]]);
    assertEquals(refused.status, 400, days);
    assertStringIncludes(refused.text, "earlier or later");
  }

  const approved = await send("approve", [postId]);
  assertStringIncludes((await person.open(approved.next)).text, "1 post approved.");
  const asked = await send("skip", [postId, planned, planned]);
  assertEquals(asked.status, 200);
  assertStringIncludes(asked.text, "Skip 2 posts?");
  assertStringIncludes(asked.text, "can't be undone".replace("'", "&#39;"));
  assert(!(await person.open(`/posts/${postId}`)).text.includes("Skipped"), "it asks first");
  const skipped = await send("skip", [postId, planned], [["sure", "yes"]]);
  assertStringIncludes((await person.open(skipped.next)).text, "2 posts skipped.");
  const again = await send("approve", [postId]);
  assertMatch((await person.open(again.next)).text, /0 posts approved\.\s*Not done: /);
});

Deno.test("a post is moved from the calendar, which then shows it at its new time with an undo", async () => {
  await using t = await testService();
  const { person, postId } = await furnished(t);
  const page = (await person.open(`/calendar?${WEEK}`)).text;
  const card = between(page, `id="entry-${postId}"`, "</div>");
  assertStringIncludes(card, 'draggable="true"');
  const to = /href="([^"]+\/move\?[^"]+)"/.exec(card)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const form = (await person.open(to)).text;
  const back = (/name="back" value="([^"]+)"/.exec(form)?.[1] ?? "").replaceAll("&amp;", "&");
  assertEquals(new URLSearchParams(back).get("view"), "week");
  const moved = await person.send(`/posts/${postId}/move`, {
    scheduledFor: "2026-11-27T09:00",
    back,
  });
  const after = (await person.open(moved.next)).text;
  assertStringIncludes(after, "Moved to Fri 27 Nov, 09:00.");
  assertStringIncludes(after, 'name="scheduledFor" value="2026-11-24T09:00"');
  const undone = await person.send(`/posts/${postId}/move`, {
    scheduledFor: "2026-11-24T09:00",
    back,
  });
  assertStringIncludes((await person.open(undone.next)).text, "Moved to Tue 24 Nov, 09:00.");

  const refused = await person.send(`/posts/${postId}/move`, {
    scheduledFor: "2020-01-01T09:00",
    back,
  });
  assertEquals(refused.status, 400);
  assertStringIncludes(refused.text, 'value="2020-01-01T09:00"');
  const evil = { scheduledFor: "2026-11-27T09:00", back: "//evil.example/?x=1&view=week" };
  const stays = await person.send(`/posts/${postId}/move`, evil);
  assert(stays.next.startsWith(person.at("/calendar?view=week")), stays.next);
});

Deno.test("days that nobody has planned show what a series will likely add, and where credits end", async () => {
  await using t = await testService();
  const { person, seriesId, accountId } = await furnished(t);
  const likely = async (query: string) => (await person.open(`/calendar?likely=yes&${query}`)).text;
  const month = await likely("view=month&day=2026-12-01");
  assertStringIncludes(month, 'class="entry likely"');
  assertStringIncludes(month, ", by the series Cups");
  assertStringIncludes(month, person.at(`/series/${seriesId}`));
  assertMatch(month, /\d+ more posts are likely from your series, as of \d\d:\d\d\./);
  const only = await likely(`day=2026-12-01&series=${seriesId}`);
  assert(!only.includes(", by the series Guests") && only.includes(", by the series Cups"));
  const other = await likely(`day=2026-12-01&account=${accountId}x`);
  assert(!other.includes('"entry likely"'), "another account has no series");
  const ready = await likely("day=2026-12-01&state=ready");
  assert(!ready.includes("likely from"), "what is likely is not ready");
  await person.send(`/series/${seriesId}/pause`);
  const paused = await likely("day=2026-12-01");
  assert(!paused.includes(", by the series Cups"), "a paused series plans nothing");

  const poor = await studioPerson(t, { email: "poor@example.com", name: "Kiln", plan: "free" });
  const daily = { name: "Daily", theme: "Clay", format: "post", cadenceDays: "1", hourUtc: "9" };
  const begun = await poor.send("/series/new", {
    mode: "manual",
    aspectRatio: "portrait",
    socialAccountId: "",
    ...daily,
  });
  assertEquals(begun.status, 303, begun.text);
  for (const view of ["month", "list"]) {
    const pages = await Promise.all(
      ["2026-11-24", "2026-12-01", "2027-01-01"].map((day) =>
        poor.open(`/calendar?view=${view}&day=${day}&likely=yes`)
      ),
    );
    const marked = pages.map(({ text }) => text).find((text) => text.includes("Credits end"));
    assert(marked !== undefined, "thirty posts are more than a free brand has credits for");
    assertMatch(marked, /<a class="chip warn credits-end"[^>]*><svg/, "an icon and a word");
  }
});

Deno.test("likely posts of all series are reckoned together: their credits, and those at one time", async () => {
  await using t = await testService({ at: Date.parse("2026-12-01T00:00:00Z") });
  const person = await studioPerson(t, { plan: "free" });
  const { id: socialAccountId } = await connectSandboxAccount(
    ...[t.service, person.brand.id, "instagram", "harbour"] as const,
  );
  const start = async (name: string, hourUtc: string) => {
    const recipe = { name, theme: "Clay", format: "post", cadenceDays: "4", hourUtc };
    const account = { socialAccountId, aspectRatio: "portrait" };
    const { status, text } = await person.send("/series/new", {
      ...{ mode: "manual", ...recipe, ...account },
    });
    assertEquals(status, 303, text);
  };
  const december = async () => (await person.open("/calendar?day=2026-12-01&likely=yes")).text;
  await start("One", "9");
  const one = await december();
  assertStringIncludes(one, ", by the series One");
  assert(!one.includes("Credits end") && !one.includes('class="near"'));
  await start("Other", "9");
  const both = await december();
  assertMatch(both, /entry likely(?:(?!<\/a>).)*Near 09:00/, "the other series' post");
  assertStringIncludes(both, "Credits end");
});

Deno.test("the calendar comes without likely posts, looks for them afterwards, and links to them", async () => {
  await using t = await testService();
  const { person } = await furnished(t);
  for (const view of ["month", "week", "list"]) {
    const query = `view=${view}&day=2026-12-01`;
    const page = (await person.open(`/calendar?${query}`)).text;
    assert(!page.includes(", by the series"), "they would keep the posts waiting");
    const link = /href="([^"]+)">Show likely posts</.exec(page)?.[1]?.replaceAll("&amp;", "&");
    assertStringIncludes((await person.open(link ?? "")).text, "likely from your series");
    const part = /hx-get="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const news = (await person.open(part)).text;
    assert(!news.includes("<html"), "a part, not a page");
    assertStringIncludes(news, "likely from your series, as of ");
    const places = [...news.matchAll(/hx-swap-oob="\w+:#([^"]+)"/g)].map(([, id]) => id ?? "");
    assert(places.length > 2);
    for (const id of places) assertStringIncludes(page, `id="${id}"`);
    assertEquals(places.some((id) => id.startsWith("grid-")), view !== "list");
  }
  const past = (await person.open("/calendar?day=2026-09-01")).text;
  assert(!past.includes("Show likely posts"), "nothing is likely in the past");
});

Deno.test("posts of one account within an hour are marked by icon and word, in the grid and the list", async () => {
  await using t = await testService();
  const { person, pictureId, accountId } = await furnished(t);
  const schedule = async (scheduledFor: string, socialAccountId: string) => {
    const { next } = await person.send(`/pictures/${pictureId}/schedule`, {
      ...{ scheduledFor, caption: "Again", socialAccountId },
    });
    return next.split("/").at(-1) ?? "";
  };
  const first = await schedule("2026-11-24T14:00", accountId);
  const near = await schedule("2026-11-24T14:30", accountId);
  const later = await schedule("2026-11-24T15:30", accountId);
  const elsewhere = await schedule("2026-11-24T14:15", "");
  const marks = async (kind: "entry" | "line", view: string) => {
    const page = (await person.open(`/calendar?view=${view}&day=2026-11-24`)).text;
    const end = kind === "line" ? "</li>" : "</div>";
    return [first, near, later, elsewhere].map((id) =>
      /class="near"[^>]*><svg.*?Near (\d\d:\d\d)</.exec(between(page, `id="${kind}-${id}"`, end))
        ?.[1] ?? null
    );
  };
  assertEquals(await marks("entry", "week"), ["14:30", "14:00", null, null]);
  assertEquals(await marks("line", "list"), ["14:30", "14:00", null, null]);
  const filtered = (await person.open(`/calendar?${WEEK}&state=planned`)).text;
  assert(!filtered.includes("Near 14:00"), "a hidden post has no mark");
  await person.send(`/posts/${near}/skip`);
  assertEquals(await marks("entry", "week"), [null, null, null, null]);
});

Deno.test("who may not change posts can't choose, drag or move them; other sites and people neither", async () => {
  await using t = await testService();
  const { person, postId } = await furnished(t);
  const viewer = await colleague(t, person, "viewer");
  const seen = (await viewer.open(`/calendar?${WEEK}`)).text;
  assertStringIncludes(seen, `id="entry-${postId}"`);
  for (const mark of ['name="ids"', "data-moves", "data-drops", "/move?", 'name="verb"']) {
    assert(!seen.includes(mark), mark);
  }
  const approver = await colleague(t, person, "approver");
  const theirs = (await approver.open(`/calendar?${WEEK}`)).text;
  assertStringIncludes(theirs, 'value="approve"');
  for (const mark of ['value="skip"', 'value="move"', "data-moves"]) {
    assert(!theirs.includes(mark), mark);
  }
  const chosen = { verb: "move", days: "1", ids: postId };
  assertEquals((await viewer.send("/calendar/chosen", chosen)).status, 403);
  assertEquals((await approver.send("/calendar/chosen", chosen)).status, 403);
  const foreign = { origin: "https://evil.example" };
  assertEquals((await person.send("/calendar/chosen", chosen, foreign)).status, 403);
  const stranger = await studioPerson(t, { email: "mallory@example.com" });
  assertEquals((await stranger.send(`/posts/${postId}/move`, chosen)).status, 404);
  const answer = await stranger.send("/calendar/chosen", chosen);
  assertMatch((await stranger.open(answer.next)).text, /0 posts moved\.\s*Not done: /);
  assertStringIncludes((await person.open(`/posts/${postId}`)).text, "Tue 24 Nov, 09:00");
});
