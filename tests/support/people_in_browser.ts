/**
 * People who share a brand, in a real browser: an invitation, two tabs that stay current, a session that
 * ends, a browser without script, a phone. `tests/routes/studio_browser_test.ts` runs it.
 */
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { signOutEverywhere } from "../../domain/brands/accounts.ts";
import { browserOf, story } from "./stage.ts";
import { studioPerson } from "./studio.ts";
import { furnished } from "./studio_brand.ts";

const PASSWORD = "correct horse";

async function join(page: Page, link: string, email: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Your email").fill(email);
  await page.getByLabel("A password").fill(PASSWORD);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { name: /^Good / }).waitFor();
}

async function changeRole(page: Page, email: string, role: string): Promise<void> {
  await page.getByLabel(`Role of ${email}`, { exact: true }).selectOption(role);
  await page.getByRole("button", { name: `Change the role of ${email}` }).click();
  await page.getByText("Saved.").waitFor();
}

story(
  "a colleague is invited who may not publish; the owner approves what they made",
  async (t, browser) => {
    const f = await furnished(t);
    const base = t.service.settings.BASE_URL;
    const owner = await browserOf(t, browser, f.person);
    await owner.page.goto(base + f.person.at("/settings/people"));
    await owner.page.getByLabel("Editor").check();
    await owner.page.getByRole("button", { name: "Make an invitation link" }).click();
    const link = await owner.page.locator("code.secret").innerText();
    const colleague = await browserOf(t, browser, null);
    await join(colleague.page, link, "ed@example.com");
    await colleague.page.goto(base + f.person.at(`/posts/${f.postId}`));
    await colleague.page.getByRole("heading", { name: "Why" }).waitFor();
    for (const name of ["Approve", "Publish now…"]) {
      assertEquals(await colleague.page.getByRole("button", { name }).count(), 0, name);
      assertEquals(await colleague.page.getByRole("link", { name }).count(), 0, name);
    }
    await colleague.page.goto(base + f.person.at(`/pictures/${f.pictureId}`));
    await colleague.page.getByLabel("Caption").fill("Made by Ed");
    await colleague.page.getByRole("button", { name: "Schedule" }).click();
    await colleague.page.getByText("It is ready and waits for a person").waitFor();
    await owner.page.goto(colleague.page.url());
    await owner.page.getByRole("button", { name: "Approve" }).click();
    await owner.page.getByRole("button", { name: "Take back the approval" }).waitFor();
    await owner.page.goto(base + f.person.at("/settings/people"));
    await changeRole(owner.page, "ed@example.com", "viewer");
    await colleague.page.goto(base + f.person.at("/create"));
    await colleague.page.getByText("Your role here is viewer").waitFor();
    assertEquals(owner.problems, []);
  },
);

story(
  "two tabs stay current: what one does, the other shows without a reload",
  async (t, browser) => {
    const { person, postId } = await furnished(t);
    const base = t.service.settings.BASE_URL;
    const { page: today, open, problems } = await browserOf(t, browser, person);
    const calendar = await open();
    const post = await open();
    await today.goto(base + person.at(""));
    await calendar.goto(base + person.at("/calendar?view=list"));
    await post.goto(base + person.at(`/posts/${postId}`));
    for (const page of [today, calendar]) await page.evaluate("window.isTheSame = true");
    const line = calendar.locator(`#line-${postId}`);
    const other = calendar.locator("li[data-card] input").last();
    await other.check();
    await line.getByRole("link").first().focus();
    await post.getByRole("link", { name: "Skip…" }).click();
    await post.getByRole("status").getByText("Skipped.").waitFor();
    // A skip can be undone until its page is left.
    await post.goto(base + person.at("/library"));
    await today.locator(`#tile-${postId}`).waitFor({ state: "detached" });
    await line.getByText("Skipped").waitFor();
    const focused = "document.activeElement.closest('[data-card]')?.id";
    assertEquals(await calendar.evaluate(focused), `line-${postId}`, "the focus stays");
    assert(await other.isChecked(), "what was chosen stays chosen");
    for (const page of [today, calendar]) {
      assertEquals(await page.evaluate("window.isTheSame"), true, "no page was loaded again");
    }
    assertEquals(problems, []);
  },
);

story("a session that ends in the middle of a form loses no text", async (t, browser) => {
  const { person, postId } = await furnished(t);
  const base = t.service.settings.BASE_URL;
  const { page } = await browserOf(t, browser, null);
  const signIn = async () => {
    await page.getByLabel("Email").fill("ana@example.com");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  await page.goto(`${base}/studio`);
  await signIn();
  await page.getByRole("heading", { name: /^Good / }).waitFor();
  await page.goto(base + person.at(`/posts/${postId}`));
  await page.getByLabel("Caption").fill("Long thought about,\nand typed once");
  await signOutEverywhere(t.service, person.brand.accountId);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Your session has ended").waitFor();
  await signIn();
  await page.getByRole("heading", { name: "Nothing is lost" }).waitFor();
  await page.getByRole("button", { name: "Send it now" }).click();
  await page.getByRole("heading", { name: "Why" }).waitFor();
  const kept = await page.getByLabel("Caption").inputValue();
  assertEquals(kept, "Long thought about,\nand typed once");
});

story(
  "without script, people are invited, roles and the brand's settings change",
  async (t, browser) => {
    const person = await studioPerson(t);
    const base = t.service.settings.BASE_URL;
    const { page } = await browserOf(t, browser, person, { javaScriptEnabled: false });
    await page.goto(base + person.at("/settings/people"));
    await page.getByLabel("Approver").check();
    await page.getByRole("button", { name: "Make an invitation link" }).click();
    const link = await page.locator("code.secret").innerText();
    const colleague = await browserOf(t, browser, null, { javaScriptEnabled: false });
    await join(colleague.page, link, "app@example.com");
    await page.goto(base + person.at("/settings/people"));
    await changeRole(page, "app@example.com", "viewer");
    await colleague.page.goto(base + person.at("/settings/people"));
    await colleague.page.getByText("What the roles mean").waitFor();
    await page.goto(base + person.at("/settings"));
    await page.getByLabel("Time zone").selectOption("Europe/Berlin");
    await page.getByLabel("Colour 1", { exact: true }).fill("#1a2b3c");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    assertEquals(await page.getByLabel("Time zone").inputValue(), "Europe/Berlin");
  },
);

story(
  "on a phone, every page of Settings fits, and its places are in reach",
  async (t, browser) => {
    const { person } = await furnished(t);
    const base = t.service.settings.BASE_URL;
    const { page } = await browserOf(t, browser, person, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await page.goto(base + person.at(""));
    await page.locator(".bar summary").tap();
    await page.locator(".bar .menu").getByRole("link", { name: "Settings" }).tap();
    for (
      const tab of ["Brand", "Accounts", "People", "Notifications", "Developers", "Audit", "Plan"]
    ) {
      await page.locator(".tabs").getByRole("link", { name: tab, exact: true }).tap();
      await page.locator(`.tabs [aria-current]:text-is("${tab}")`).waitFor();
      const [wide, most] = await page.evaluate(
        "[document.body.scrollWidth, innerWidth]",
      ) as number[];
      assert(wide! <= most!, `${tab} is ${wide} wide on a screen of ${most}`);
    }
  },
);
