/** The stage of stories in a real browser: a service on a port, and people who are signed in to it. */
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { CHROMIUM } from "./browser.ts";
import { type TestService, testService } from "./service.ts";
import type { StudioPerson } from "./studio.ts";

/** A service on a port, with a browser. */
async function inBrowser(
  test: (t: TestService, browser: Browser) => Promise<void>,
): Promise<void> {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  listener.close();
  const environ = { BASE_URL: `http://127.0.0.1:${port}`, PORT: String(port), SANDBOX: "on" };
  await using t = await testService({ environ });
  const options = { port, hostname: "127.0.0.1", onListen: () => {} };
  const server = Deno.serve(options, (request) => t.app.fetch(request));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    await test(t, browser);
  } finally {
    await browser.close();
    await server.shutdown();
  }
}

/** A browser of a person's own, with one page. What its console complains about is collected. */
export async function browserOf(
  t: TestService,
  browser: Browser,
  person: StudioPerson | null,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; open: () => Promise<Page>; problems: string[] }> {
  // A slow machine aborts the transition between two pages, which is no fault of theirs.
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const url = t.service.settings.BASE_URL;
  const problems: string[] = [];
  if (person !== null) {
    const [name = "", value = ""] = person.cookie.split("=");
    await context.addCookies([{ name, value, url }]);
  }
  const open = async () => {
    const page = await context.newPage();
    page.on("console", (line) => {
      if (line.type() === "error") problems.push(line.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
    return page;
  };
  return { page: await open(), open, problems };
}

/** A story in a browser, as a test. Playwright keeps resources open beyond it. */
export function story(
  name: string,
  tell: (t: TestService, browser: Browser) => Promise<void>,
): void {
  Deno.test({
    name,
    sanitizeOps: false,
    sanitizeResources: false,
    fn: () => inBrowser(tell),
  });
}

/** What axe finds on the page as it is. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate("axe.run()") as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
