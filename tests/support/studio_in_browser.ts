/**
 * Studio in a real browser: the first post by mouse and keyboard, and no axe violation on any page.
 * `tests/routes/studio_browser_test.ts` runs it in a process of its own.
 */
import { assert, assertEquals } from "@std/assert";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { invitation } from "./colleagues.ts";
import { browserOf, story } from "./stage.ts";
import { reviewOften } from "./reviewed_series.ts";
import { studioPerson } from "./studio.ts";
import { furnished } from "./studio_brand.ts";

/** Waits until the browser shows the page in its new colours or size. */
async function painted(page: Page): Promise<void> {
  const frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";
  await page.evaluate(`${frames}.then(() => null)`);
}

/** @param rules the only rules to check; all without it */
async function violations(page: Page, rules: string[] | null = null): Promise<string[]> {
  const options = rules === null ? {} : { runOnly: rules };
  const { passes, violations } = await page.evaluate(`axe.run(${JSON.stringify(options)})`) as {
    passes: unknown[];
    violations: { id: string; nodes: { html: string }[] }[];
  };
  assert(passes.length > 0, "axe looked at nothing");
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** The smallest PNG. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

story(
  "in a browser, an idea becomes a scheduled post, without a violation of the page's policy",
  async (t, browser) => {
    const person = await studioPerson(t);
    t.worker.start();
    const base = t.service.settings.BASE_URL;
    const { page, problems } = await browserOf(t, browser, person);
    await page.goto(base + person.at(""));
    await page.keyboard.press("n");
    await page.getByLabel("Idea").fill("A harbour at dawn");
    await page.getByRole("button", { name: "Write the prompt for me" }).click();
    // Not `waitForFunction`: it evaluates within the page, where our policy allows no eval.
    while (await page.evaluate("document.querySelector('#prompt').value") === "") {
      await page.waitForTimeout(20);
    }
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.locator("li a.tile img").waitFor();
    await page.locator("li a.tile").click();
    await page.getByLabel("Caption").fill("Good morning");
    await page.getByRole("button", { name: "Schedule" }).click();
    await page.getByRole("heading", { name: "What happened so far" }).waitFor();
    assert(page.url().includes("/posts/"));
    assertEquals(problems, []);
  },
);

story(
  "in a browser, Insights draws its chart for who points at it, and clicks and keys change what it shows",
  async (t, browser) => {
    const { person } = await furnished(t);
    const base = t.service.settings.BASE_URL;
    const { page, problems } = await browserOf(t, browser, person);
    await page.goto(base + person.at(""));
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    const canvas = page.locator(".plot canvas");
    await page.locator(".plot[tabindex]").waitFor();
    assertEquals(new URL(page.url()).pathname, person.at("/insights"));
    assert(await page.locator(".plot svg .line.now").isVisible(), "the server has drawn the line");
    assertEquals(await page.evaluate("typeof uPlot"), "undefined");
    await page.locator(".plot").hover();
    await canvas.waitFor();
    await page.locator("#kpi-likes").click();
    await page.locator("#kpi-likes[aria-current]").waitFor();
    await canvas.waitFor();
    assertEquals(new URL(page.url()).searchParams.get("metric"), "likes");
    assertEquals(await page.evaluate("document.activeElement.id"), "kpi-likes");
    await page.locator(".plot").focus();
    await page.keyboard.press("End");
    const [last] = await page.locator("tr[data-day]").last().allTextContents();
    const readout = await page.locator(".readout").textContent();
    assert(
      last?.startsWith(readout?.split(" Likes")[0]?.slice(0, 10) ?? "-"),
      `${last}: ${readout}`,
    );
    await page.locator("#against").selectOption("nothing");
    await page.locator('#against option[value="nothing"][selected]').waitFor({
      state: "attached",
    });
    assertEquals(await page.locator('th[data-kind="before"]').count(), 0);
    await page.goBack();
    await page.locator('th[data-kind="before"]').first().waitFor({ state: "attached" });
    await canvas.waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    assertEquals(await page.locator("dialog[open]").count(), 0);
    assertEquals(problems, []);
    const bare = { javaScriptEnabled: false };
    const { page: still } = await browserOf(t, browser, person, bare);
    await still.goto(base + person.at("/insights"));
    await still.locator("#kpi-likes").click();
    await still.getByText("The same as a table").click();
    await still.getByRole("columnheader", { name: "Likes" }).first().waitFor();
    assert(await still.locator(".plot svg .line.now").isVisible());
  },
);

story(
  "in a browser, files are dropped anywhere in the library, one after the other, and refused with words",
  async (t, browser) => {
    const person = await studioPerson(t);
    const base = t.service.settings.BASE_URL;
    const { page } = await browserOf(t, browser, person);
    await page.goto(base + person.at("/library?show=logo"));
    const drop = (file: string, content: string) =>
      page.evaluate(`(() => {
          const transfer = new DataTransfer();
          const bytes = Uint8Array.from(atob("${content}"), (one) => one.charCodeAt(0));
          transfer.items.add(new File([bytes], "${file}", { type: "image/png" }));
          const event = { dataTransfer: transfer, bubbles: true, cancelable: true };
          document.querySelector("h1").dispatchEvent(new DragEvent("drop", event));
        })()`);
    await drop("anchor.png", PNG);
    await page.getByRole("img", { name: "anchor" }).waitFor();
    await drop("boat.png", PNG);
    await page.getByRole("img", { name: "boat" }).waitFor();
    await page.getByRole("button", { name: "Make primary" }).waitFor();
    await drop("notes.png", btoa("no picture"));
    await page.getByRole("alert").waitFor();
  },
);

story(
  "in a browser, a webhook is added with its secret to copy, and a test's answer appears by itself",
  async (t, browser) => {
    const person = await studioPerson(t);
    const base = t.service.settings.BASE_URL;
    const { page, problems } = await browserOf(t, browser, person);
    await page.goto(base + person.at("/settings/webhooks"));
    await page.getByLabel("Address").fill("https://hooks.invalid/marquee");
    await page.getByLabel("A post is published").check();
    await page.getByRole("button", { name: "Add the webhook" }).click();
    await page.getByRole("heading", { name: "The signing secret" }).waitFor();
    await page.getByRole("button", { name: "Copy the secret" }).waitFor();
    await page.getByRole("link", { name: "https://hooks.invalid/marquee" }).click();
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText("Not tried yet.").waitFor();
    t.worker.start();
    await page.getByText("Tries again").waitFor();
    assertEquals(problems, []);
  },
);

story("axe finds nothing on Studio's pages, in light, dark and on a phone", async (t, browser) => {
  const { person, postId, autopilotId, publishedId, pictureId, webhookId } = await furnished(t);
  const base = t.service.settings.BASE_URL;
  const goal = { mode: "autopilot", name: "Back", goal: "More guests", formats: "post" };
  const { next } = await person.send("/series/new", { ...goal, hourUtc: "9" });
  const tried = next.slice(next.indexOf("/series/"));
  await reviewOften(t.service, person.brand.id, tried.slice("/series/".length));
  const way = /\/series\/\w+\/reviews\/\w+/.exec((await person.open(tried)).text)?.[0] ?? "";
  const paths = [
    "",
    "/calendar?view=list",
    "/calendar?day=2026-12-01&likely=yes",
    "/calendar?view=week&day=2026-11-24&likely=yes",
    `/posts/${postId}`,
    "/create",
    "/library?show=logo",
  ]
    .concat("/insights", "/insights?against=usual&metric=engagement&by=hashtag")
    .concat(
      `/published/${publishedId}`,
      `/series/${autopilotId}`,
      "/series/new",
      "/settings/keys",
    )
    .concat("/settings", "/settings/people", "/settings/audit", "/settings/notifications")
    .concat(tried, way, "/library?show=cast", `/create/made?ids=${pictureId}`)
    .concat("/settings/webhooks", `/settings/webhooks/${webhookId}`)
    .concat("/dashboard/account", await invitation(person, "editor"));
  const found: string[] = [];
  const { page } = await browserOf(t, browser, person);
  for (const path of paths) {
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1280, height: 900 });
    const answer = await page.goto(base + person.at(path));
    assertEquals(answer?.status(), 200, path);
    // The policy of our pages allows no script of others, so this one comes past it.
    await page.evaluate(axe.source);
    const look = async (name: string, rules: string[] | null = null) => {
      for (const one of await violations(page, rules)) found.push(`${path} ${name}: ${one}`);
    };
    await look("light");
    await page.emulateMedia({ colorScheme: "dark" });
    await painted(page);
    await look("dark", ["color-contrast"]);
    await page.setViewportSize({ width: 390, height: 844 });
    await painted(page);
    await look("phone");
  }
  assertEquals(found, []);
});
