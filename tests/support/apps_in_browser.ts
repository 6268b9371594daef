/**
 * An app's sign-in in a real browser, whose policy has a say in where a form may lead.
 * `tests/routes/apps_browser_test.ts` runs it in a process of its own.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import axe from "axe-core";
import { chromium } from "playwright-core";
import { createAccount } from "../../domain/brands/accounts.ts";
import { createBrand } from "../../domain/brands/brands.ts";
import { CHROMIUM } from "./browser.ts";
import { HandMadeApp, served } from "./oauth.ts";

const PERSON = { email: "ana@example.com", password: "correct horse" };

/** A page of the app; what it answers to. */
function appPage(answer: (url: string) => Response) {
  const seen = Promise.withResolvers<URL>();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url }) => {
    if (!url.endsWith("favicon.ico")) seen.resolve(new URL(url));
    return answer(url);
  });
  return { server, seen: seen.promise };
}

Deno.test({
  name: "a person signs in, lets an app in, and the browser goes on to the app",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    await using s = await served();
    const account = await createAccount(s.t.service, PERSON);
    await createBrand(s.t.service, { name: "Harbour", plan: "studio", accountId: account.id });
    const done = appPage(() => new Response("signed in"));
    // Apps often lead on to another site of theirs.
    const next = `http://localhost:${done.server.addr.port}/done`;
    const callback = appPage(() => Response.redirect(next, 302));
    const redirect_uri = `http://127.0.0.1:${callback.server.addr.port}/callback`;
    const app = await HandMadeApp.registered(s.t, [redirect_uri]);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on("console", (line) => {
        if (line.type() === "error") problems.push(line.text());
      });
      await page.goto(await app.address({ redirect_uri }));
      problems.length = 0; // the sign-in's own status is 401
      await page.getByLabel("Email").fill(PERSON.email);
      await page.getByLabel("Password").fill(PERSON.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Let an app in" }).waitFor();
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate("axe.run()") as { violations: { id: string }[] };
      assertEquals(violations.map(({ id }) => id), []);
      await page.getByRole("button", { name: "Let it in" }).click();
      await page.waitForURL(next);
      const code = (await callback.seen).searchParams.get("code") ?? "";
      assertEquals((await app.exchange(code, { redirect_uri })).status, 200);
      assertStringIncludes(await page.content(), "signed in");
      assertEquals(problems, []);
    } finally {
      await browser.close();
      await callback.server.shutdown();
      await done.server.shutdown();
    }
  },
});
