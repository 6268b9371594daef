/**
 * The calendar in a real browser: a post is dragged to another day, many are chosen, keys steer.
 * `tests/routes/studio_browser_test.ts` runs it in a process of its own.
 */
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { browserOf, story, violations } from "./stage.ts";
import { itemOf } from "./studio.ts";
import { furnished } from "./studio_brand.ts";

/** Waits for what the service does after the page has asked for it. */
async function eventually(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 200; looks++) {
    if (await isSo()) return;
    await page.waitForTimeout(50);
  }
  throw new Error("It never was so.");
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
    await page.getByRole("status").getByText("Skipped.").waitFor();
    assertEquals(await page.getByRole("link", { name: "Skip…" }).isVisible(), false);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Skip…" }).waitFor();
    assert((await person.open(`/posts/${postId}`)).text.includes("Rewrite the caption"));
    await page.getByRole("button", { name: "Rewrite the caption" }).click();
    await page.getByRole("heading", { name: "Choose a caption" }).waitFor();
    assertEquals(await violations(page), []);
    await page.getByRole("button", { name: "Use caption 1" }).click();
    await page.getByRole("button", { name: "Save" }).waitFor();
    assertEquals(problems, []);
  },
);

story(
  "in a browser, a skip can be undone for eight seconds, and is sent when they or the visit are over",
  async (t, browser) => {
    const { person, postId } = await furnished(t);
    const { page, problems } = await browserOf(t, browser, person);
    const statusOf = async (id: string) => (await itemOf(t, person, id)).status;
    await page.clock.install();
    const open = async () => {
      await page.goto(
        t.service.settings.BASE_URL + person.at("/calendar?view=week&day=2026-11-24"),
      );
    };
    await open();
    const card = page.locator(`#entry-${postId}`);
    const toast = page.locator(".toast");
    const before = await statusOf(postId);
    const skip = async () => {
      await card.locator("a.open").focus();
      await page.keyboard.press("s");
      await toast.getByText("Skipped.").waitFor();
      assertEquals(await card.isVisible(), false);
    };
    await skip();
    // Who points at the toast has more time, and axe may need it on a slow machine.
    await toast.hover();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      assertEquals(await violations(page), [], colorScheme);
    }
    await toast.getByRole("button", { name: "Undo" }).click();
    await page.mouse.move(0, 0);
    await card.waitFor();
    assertEquals(
      await page.evaluate("document.activeElement.closest('[data-card]').id"),
      `entry-${postId}`,
    );
    await page.clock.fastForward(20_000);
    assertEquals(await statusOf(postId), before, "undone, and nothing was sent");

    await skip();
    const told = page.waitForResponse((answer) => answer.request().method() === "POST");
    await page.clock.fastForward(8_000);
    await told;
    await page.locator(`#entry-${postId}.skipped`).waitFor();
    assertEquals(await toast.isVisible(), false);
    const focusedCard = "document.activeElement.closest('[data-card]')?.id ?? null";
    assert(await page.evaluate(focusedCard) !== null, "the focus is on the next post");
    assertEquals(await statusOf(postId), "skipped");

    const other = page.locator(".entry.planned, .entry.ready").first();
    const otherId = (await other.getAttribute("id"))?.slice("entry-".length) ?? "";
    await other.hover();
    await other.getByRole("checkbox").check();
    await page.locator(".month + .chosen").getByRole("button", { name: "Skip…" }).click();
    await toast.getByText("Skipped.").waitFor();
    await page.getByRole("link", { name: "Library" }).click();
    await page.getByRole("heading", { name: "Library" }).waitFor();
    await eventually(page, async () => await statusOf(otherId) === "skipped");
    assertEquals(problems, []);
  },
);

story(
  "in a browser, a month is worked through by keyboard alone, and the focus is never lost",
  async (t, browser) => {
    const { person, postId } = await furnished(t);
    t.worker.start();
    const { page, problems } = await browserOf(t, browser, person);
    const press = (key: string) => page.keyboard.press(key);
    /** What has the focus: it is seen, and its ring too. */
    const focused = async (): Promise<{ id: string; card: string; day: string; words: string }> => {
      const found = await page.evaluate(`(() => {
        const one = document.activeElement;
        const [card, day] = [one.closest("[data-card]"), one.closest(".day")];
        return {
          id: one.id, card: card?.id ?? "", day: day?.id ?? "",
          words: one.getAttribute("aria-label") ?? one.textContent.trim(),
          tag: one.tagName,
          isSeen: one.checkVisibility(),
          // A field of a time shows the ring on the part of it that is written.
          hasRing: one.type === "datetime-local" || one.matches(":focus-visible") && getComputedStyle(one).outlineStyle !== "none",
        };
      })()`) as Record<string, string> & { isSeen: boolean; hasRing: boolean };
      assert(found.tag !== "BODY" && found.isSeen && found.hasRing, JSON.stringify(found));
      const { id = "", card = "", day = "", words = "" } = found;
      return { id, card, day, words };
    };
    /** Presses a key until the focus is where it should be. */
    const until = async (
      key: string,
      isThere: (at: { id: string; card: string; day: string; words: string }) => boolean,
    ) => {
      for (let presses = 0; presses < 60; presses++) {
        await press(key);
        const at = await focused();
        if (isThere(at)) return at;
      }
      throw new Error(`${key} never got there`);
    };
    const card = `entry-${postId}`;

    await page.goto(t.service.settings.BASE_URL + person.at(""));
    await press("g");
    await press("c");
    await page.getByRole("heading", { name: "Calendar" }).waitFor();
    await page.getByText("likely from your series").waitFor();
    await until("j", (at) => at.card === card);
    const here = await focused();
    await press("ArrowRight");
    await press("ArrowDown");
    await press("ArrowUp");
    assert((await focused()).day > here.day, "the day after");
    await press("k");
    await press("ArrowLeft");
    await until("j", (at) => at.card === card);

    await press("a");
    await page.getByText("1 post approved.").waitFor();
    assertEquals((await focused()).card, card);
    assert((await itemOf(t, person, postId)).approvedAt !== null);

    await press("m");
    await page.getByRole("heading", { name: "Move it to…" }).waitFor();
    assertEquals((await focused()).id, "scheduledFor");
    // The day comes first or second, as the browser's language has it; both are 25.
    await page.getByLabel("New time").fill("2026-11-25T10:30");
    await press("Enter");
    await page.getByText("Moved to Wed 25 Nov, 10:30.").waitFor();
    assertEquals((await focused()).card, card);
    assertEquals((await itemOf(t, person, postId)).scheduledFor, "2026-11-25T10:30:00.000Z");

    const before = await itemOf(t, person, postId);
    await press("s");
    await page.getByRole("status").getByText("Skipped.").waitFor();
    assert((await focused()).card !== card, "the next card");
    await press("u");
    assertEquals((await focused()).card, card);
    assertEquals(await itemOf(t, person, postId), before, "undone");

    for (const view of ["week", "list", "month"]) {
      await page.locator(`#view-${view}`).focus();
      await press("Enter");
      await page.locator(`#view-${view}[aria-current]`).waitFor();
      assertEquals((await focused()).id, `view-${view}`);
    }
    await page.getByText("likely from your series").waitFor();
    await until("j", (at) => at.card === card);
    const free = await until("ArrowRight", (at) => at.words.startsWith("New post on"));
    await press("Enter");
    await page.getByRole("heading", { name: "Create" }).waitFor();
    await until("Tab", (at) => at.id === "idea");
    await page.keyboard.type("A cup of tea");
    await until("Tab", (at) => at.words === "Create");
    await press("Enter");
    await page.locator("li a.tile img").waitFor();
    await until("Tab", (at) => at.words === "Schedule");
    await press("Enter");
    await page.getByRole("heading", { name: "Schedule it" }).waitFor();
    const day = free.day.slice("day-".length);
    assertEquals(await page.getByLabel("Time").inputValue(), `${day}T09:00`);
    await until("Tab", (at) => at.words === "Schedule");
    await press("Enter");
    await page.getByRole("heading", { name: "What happened so far" }).waitFor();
    await press("g");
    await press("c");
    await page.locator(`#day-${day} .entry a.open`).first().waitFor();
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
