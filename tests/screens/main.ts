/** `deno task screens`: every page of Studio as PNG, in light, dark and on a phone, to be looked at. */
import { chromium } from "playwright-core";
import { CHROMIUM } from "../support/browser.ts";
import { scenes } from "./scenes.ts";

const OUT = new URL("../../.data/screens/", import.meta.url);
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const VARIANTS = [
  { name: "light", viewport: DESKTOP, colorScheme: "light" },
  { name: "dark", viewport: DESKTOP, colorScheme: "dark" },
  { name: "phone", viewport: PHONE, colorScheme: "light" },
] as const;

/** What a page could not load is not seen in every picture. */
const tell = (line: string) => void Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));

const [wanted] = Deno.args;
await Deno.mkdir(OUT, { recursive: true });
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
for await (const { name, url, cookie } of scenes()) {
  if (wanted !== undefined && !wanted.split(",").some((one) => name.includes(one))) continue;
  for (const { name: variant, ...look } of VARIANTS) {
    const context = await browser.newContext({ ...look, reducedMotion: "reduce" });
    await context.addCookies([{ ...cookie, url: new URL(url).origin }]);
    const page = await context.newPage();
    page.on("requestfailed", (request) => tell(`${name}: ${request.url()} failed`));
    page.on("response", (answer) => {
      if (answer.status() >= 400) tell(`${name}: ${answer.url()}: ${answer.status()}`);
    });
    await page.goto(url, { waitUntil: "networkidle" });
    // Pictures further down are loaded once they are near.
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await page.waitForLoadState("networkidle");
    await page.evaluate(
      "Promise.all([...document.images].map((image) => image.decode().catch(() => {})))",
    );
    await page.evaluate("scrollTo(0, 0)");
    const path = new URL(`${name}-${variant}.png`, OUT).pathname;
    await page.screenshot({ path, fullPage: true });
    await context.close();
  }
}
await browser.close();
Deno.exit(0);
