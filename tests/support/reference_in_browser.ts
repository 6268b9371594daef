/**
 * The reference in a real browser: the console sends a request under its strict policy, and axe finds
 * nothing on our own pages. `tests/routes/reference_test.ts` runs it in a process of its own.
 */
import { assert, assertEquals } from "@std/assert";
import axe from "axe-core";
import { chromium, type Page } from "playwright-core";
import { CHROMIUM } from "./browser.ts";
import { testService } from "./service.ts";

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

Deno.test({
  name:
    "the console sends a request without a violation of its policy, and follows the dark scheme",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    const { port } = listener.addr;
    listener.close();
    const environ = { BASE_URL: `http://127.0.0.1:${port}`, PORT: String(port) };
    await using t = await testService({ environ });
    const { secret } = await t.brand();
    const options = { port, hostname: "127.0.0.1", onListen: () => {} };
    const server = Deno.serve(options, (request) => t.app.fetch(request));
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage({ colorScheme: "dark" });
      const problems: string[] = [];
      page.on("console", (line) => {
        if (line.type() === "error") problems.push(line.text());
      });
      page.on("pageerror", (error) => problems.push(error.message));
      await page.goto(`${environ.BASE_URL}/docs`);
      await page.getByRole("button", { name: "Authorize" }).first().click();
      await page.locator("#auth-bearer-value").fill(secret);
      await page.locator(".auth-btn-wrapper .authorize").click();
      await page.locator(".auth-btn-wrapper .btn-done").click();
      await page.locator('[id="operations-tag-Brands"]').click();
      await page.locator("#operations-Brands-getBrand").click();
      await page.locator(".try-out__btn").click();
      await page.locator(".execute").click();
      await page.locator(".live-responses-table").getByText("Test brand").first().waitFor();
      const isDark = await page.evaluate(
        "document.documentElement.classList.contains('dark-mode')",
      );
      assert(isDark, "the console is light in the dark");
      await page.emulateMedia({ colorScheme: "light" });
      await page.locator("html:not(.dark-mode)").waitFor({ state: "attached" });
      assertEquals(problems, []);
      const found: string[] = [];
      for (const path of ["/docs/introduction", "/docs/reference/creations", "/docs/changelog"]) {
        await page.emulateMedia({ colorScheme: "light" });
        await page.goto(environ.BASE_URL + path);
        // The policy of our pages allows no script of others, so this one comes past it.
        await page.evaluate(axe.source);
        found.push(...await violations(page));
        await page.emulateMedia({ colorScheme: "dark" });
        found.push(...await violations(page, ["color-contrast"]));
      }
      assertEquals(found, []);
    } finally {
      await browser.close();
      await server.shutdown();
    }
  },
});
