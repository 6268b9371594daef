/** Studio's calendar: posts are chosen, moved and skipped, and what is likely to come is shown. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { colleague } from "../support/colleagues.ts";
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
  const month = (await person.open("/calendar?view=month&day=2026-12-01")).text;
  assertStringIncludes(month, 'class="entry likely"');
  assertStringIncludes(month, ", by the series Cups");
  assertStringIncludes(month, person.at(`/series/${seriesId}`));
  const only = (await person.open(`/calendar?day=2026-12-01&series=${seriesId}`)).text;
  assert(!only.includes(", by the series Guests") && only.includes(", by the series Cups"));
  const other = (await person.open(`/calendar?day=2026-12-01&account=${accountId}x`)).text;
  assert(!other.includes("likely"), "another account has no series");
  const ready = (await person.open("/calendar?day=2026-12-01&state=ready")).text;
  assert(!ready.includes("likely"), "what is likely is not ready");
  await person.send(`/series/${seriesId}/pause`);
  const paused = (await person.open("/calendar?day=2026-12-01")).text;
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
  const pages = await Promise.all(
    ["2026-11-24", "2026-12-01", "2027-01-01"].map((day) =>
      poor.open(`/calendar?view=month&day=${day}`)
    ),
  );
  const marked = pages.map(({ text }) => text).find((text) => text.includes("Credits end"));
  assert(marked !== undefined, "thirty posts are more than a free brand has credits for");
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
