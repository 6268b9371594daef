/**
 * The calendar in a real browser: a post is dragged to another day, many are chosen, keys steer.
 * `tests/routes/studio_browser_test.ts` runs it in a process of its own.
 */
import { assert, assertEquals } from "@std/assert";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { browserOf, story } from "./stage.ts";
import { furnished } from "./studio_brand.ts";

/** What axe finds on the page as it is. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate("axe.run()") as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

story(
  "in a browser, a post is dragged to another day, and chosen posts move together",
  async (t, browser) => {
    const { person, postId } = await furnished(t);
    const { page, problems } = await browserOf(t, browser, person);
    const at = (path: string) => t.service.settings.BASE_URL + person.at(path);
    await page.goto(at("/calendar?view=week&day=2026-11-24"));
    const card = page.locator(`#entry-${postId}`);
    const on = (day: string) => page.locator(`[data-day="${day}"] #entry-${postId}`);
    await on("2026-11-24").waitFor();
    await card.dragTo(page.locator('[data-day="2026-11-27"]'));
    await page.getByText("Moved to Fri 27 Nov, 09:00.").waitFor();
    await on("2026-11-27").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Moved to Tue 24 Nov, 09:00.").waitFor();
    await on("2026-11-24").waitFor();

    const bar = page.locator(".month + .chosen");
    assertEquals(await bar.isVisible(), false, "nothing is chosen");
    await card.hover();
    await card.getByRole("checkbox").check();
    await bar.getByText("1 chosen").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      assertEquals(await violations(page), [], colorScheme);
    }
    await bar.getByRole("combobox").selectOption("2");
    await bar.getByRole("button", { name: "Move" }).click();
    await page.getByText("1 post moved.").waitFor();
    await on("2026-11-26").waitFor();

    await card.locator("a.open").focus();
    await page.keyboard.press("s");
    await page.getByRole("heading", { name: "Skip 1 post?" }).waitFor();
    assertEquals(await violations(page), []);
    await page.getByRole("link", { name: "Keep it" }).click();
    await card.locator("a.open").focus();
    await page.keyboard.press("m");
    await page.getByRole("heading", { name: "Move it to…" }).waitFor();
    await page.getByRole("link", { name: "Leave it" }).click();
    await card.locator("a.open").focus();
    await page.keyboard.press("a");
    await page.getByText("1 post approved.").waitFor();
    assertEquals(problems, []);
  },
);

story(
  "in a browser, a post's text is counted while one types, and keys steer the post",
  async (t, browser) => {
    const { person, postId } = await furnished(t);
    const { page, problems } = await browserOf(t, browser, person);
    await page.goto(t.service.settings.BASE_URL + person.at(`/posts/${postId}`));
    await page.getByLabel("Caption").fill("Ahoy 🚢");
    await page.getByLabel("Hashtags", { exact: true }).fill("#sea, boat");
    const length = await page.locator("#lengths output").first().textContent();
    assert(length?.startsWith("18 / "), `${length}`);
    await page.locator("h1").click();
    await page.keyboard.press("a");
    await page.getByRole("button", { name: "Take back the approval" }).waitFor();
    await page.keyboard.press("s");
    await page.getByRole("heading", { name: "Skip this post?" }).waitFor();
    await page.getByRole("link", { name: "Keep it" }).click();
    await page.getByRole("button", { name: "Rewrite the caption" }).click();
    await page.getByRole("heading", { name: "Choose a caption" }).waitFor();
    assertEquals(await violations(page), []);
    await page.getByRole("button", { name: "Use caption 1" }).click();
    await page.getByRole("button", { name: "Save" }).waitFor();
    assertEquals(problems, []);
  },
);

story(
  "on a phone and without script, posts are chosen in the list and moved",
  async (t, browser) => {
    const { person, postId } = await furnished(t);
    const { page } = await browserOf(t, browser, person, {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    await page.goto(t.service.settings.BASE_URL + person.at("/calendar?view=month&day=2026-11-24"));
    await page.locator(`#line-${postId} input[name=ids]`).check();
    const bar = page.locator(".only-phone .chosen");
    const { x = -1, width = 999 } = await bar.boundingBox() ?? {};
    assert(x >= 0 && x + width <= 390, `the bar goes from ${x} over ${width}`);
    await bar.getByRole("button", { name: "Move" }).click();
    await page.getByText("1 post moved.").waitFor();
  },
);
