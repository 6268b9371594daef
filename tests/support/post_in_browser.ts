/**
 * A post and its place in the calendar in a real browser: earlier pictures, free days on a phone, a post
 * that somebody else moves. `tests/routes/studio_browser_test.ts` runs it in a process of its own.
 */
import { assert, assertEquals } from "@std/assert";
import type { Locator } from "playwright-core";
import { pass } from "./series.ts";
import { browserOf, story, violations } from "./stage.ts";
import { furnished } from "./studio_brand.ts";

const PHONE = { width: 390, height: 844 };
const TOUCH = 44;

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  assert(box !== null, "it is not seen");
  return box;
}

story(
  "on a phone and without script, an earlier picture of a post is used again",
  async (t, browser) => {
    const { person, postId } = await furnished(t);
    const base = t.service.settings.BASE_URL;
    const { page } = await browserOf(t, browser, person, {
      javaScriptEnabled: false,
      viewport: PHONE,
    });
    const picture = () => page.locator(".picture-first .picture img").first().getAttribute("src");
    await page.goto(base + person.at(`/posts/${postId}`));
    const first = await picture();
    await page.getByRole("button", { name: "New pictures" }).click();
    await page.getByText("A new picture comes here.").waitFor();
    t.turn(60_000);
    await pass(t);
    await page.reload();
    const second = await picture();
    assert(first !== null && second !== null && first !== second);
    const again = page.getByRole("button", { name: "Use this picture again" });
    assert((await boxOf(again)).height >= TOUCH);
    await again.click();
    await page.getByRole("heading", { name: "Earlier pictures" }).waitFor();
    assertEquals(await picture(), first);
    assertEquals(await page.locator(".versions img").getAttribute("src"), second);
  },
);

story("axe finds nothing in the strip of earlier pictures", async (t, browser) => {
  const { person, postId } = await furnished(t);
  for (let round = 0; round < 3; round++) {
    t.turn(60_000);
    await person.send(`/posts/${postId}/regenerate`);
    await pass(t);
  }
  const { page, problems } = await browserOf(t, browser, person, { viewport: PHONE });
  await page.goto(t.service.settings.BASE_URL + person.at(`/posts/${postId}`));
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    assertEquals(await violations(page), [], colorScheme);
  }
  assertEquals(await page.evaluate("document.documentElement.scrollWidth"), PHONE.width);
  const last = page.getByRole("button", { name: "Use this picture again" }).last();
  await last.focus();
  const { x, width } = await boxOf(last);
  assert(x >= 0 && x + width <= PHONE.width, "the strip scrolls to what has the focus");
  assertEquals(problems, []);
});

story(
  "on a phone, the calendar's filters are one block, and a free day leads to a new post",
  async (t, browser) => {
    const { person, pictureId } = await furnished(t);
    await person.send(`/pictures/${pictureId}/schedule`, {
      ...{ scheduledFor: "2027-01-02T09:00", caption: "Hello", socialAccountId: "" },
    });
    const { page, problems } = await browserOf(t, browser, person, { viewport: PHONE });
    const january = t.service.settings.BASE_URL + person.at("/calendar?day=2027-01-01");
    await page.goto(january);
    const filters = ["account", "series", "state"].map((name) => page.locator(`#filter-${name}`));
    const [one, ...others] = await Promise.all(filters.map(boxOf));
    assert(one !== undefined && one.height >= TOUCH);
    for (const { y, width } of others) assertEquals([y, width], [one.y, one.width]);
    assertEquals(await page.evaluate("document.documentElement.scrollWidth"), PHONE.width);
    await page.locator("#view-list").focus();
    for (const name of ["account", "series", "state"]) {
      await page.keyboard.press("Tab");
      assertEquals(await page.evaluate("document.activeElement.id"), `filter-${name}`);
    }
    await page.locator("#filter-state").selectOption("held");
    await page.getByText("No post matches these filters").waitFor();
    await page.getByRole("link", { name: "Show all posts" }).click();

    const run = page.locator("details.free").filter({ hasText: "Sun 3 – Sun 31 Jan" });
    await run.locator("summary").click();
    const day = run.getByRole("link", { name: "New post on Wed 6 Jan" });
    assert((await boxOf(day)).height >= TOUCH);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      assertEquals(await violations(page), [], colorScheme);
    }
    await day.click();
    await page.getByRole("heading", { name: "Create" }).waitFor();
    assertEquals(await page.locator("input[name=day]").inputValue(), "2027-01-06");
    assertEquals(problems, []);
  },
);

story(
  "in a browser, a post that somebody moves to another day changes its place in the open calendar",
  async (t, browser) => {
    const { person, postId } = await furnished(t);
    const { page, problems } = await browserOf(t, browser, person);
    await page.goto(
      t.service.settings.BASE_URL + person.at("/calendar?view=week&day=2026-11-24&state=ready"),
    );
    await page.locator(`#day-2026-11-24 #entry-${postId}`).waitFor();
    await page.evaluate("window.isTheSame = true");
    await person.send(`/posts/${postId}/move`, { scheduledFor: "2026-11-26T09:00" });
    await page.locator(`#day-2026-11-26 #entry-${postId}`).waitFor();
    assertEquals(await page.evaluate("window.isTheSame"), true, "no page was loaded again");
    assertEquals(problems, []);
  },
);

story(
  "in a browser, a post whose picture is being made shows it by itself, and then rests",
  async (t, browser) => {
    const { person, accountId } = await furnished(t);
    const { secret } = await t.key(person.brand.id, ["createWrite"]);
    const body = { prompts: ["A cup"], caption: "A cup", socialAccountId: accountId };
    const { id } = await (await t.call(secret, "/v1/items", { method: "POST", body })).json();
    const { page, problems } = await browserOf(t, browser, person);
    await page.goto(t.service.settings.BASE_URL + person.at(`/posts/${id}`));
    await page.getByText("Being made…").waitFor();
    await page.evaluate("window.isTheSame = true");
    await t.worker.drain();
    await page.locator(".picture-first .picture img").first().waitFor();
    await page.getByRole("link", { name: "Publish now…" }).waitFor();
    await page.getByLabel("Alt text").fill("A blue cup");
    assertEquals(await page.locator("[data-live]").count(), 0, "what is typed is never taken away");
    assertEquals(await page.evaluate("window.isTheSame"), true, "no page was loaded again");
    assertEquals(problems, []);
  },
);
