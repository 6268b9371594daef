/**
 * `deno task screens [NAME,...]`: every page of Studio as PNG, to be looked at: with everything, empty
 * and in trouble, in light and dark, on a desk and on a phone. `--readme` takes the README's pictures.
 */
import { type Browser, chromium, type Page } from "playwright-core";
import { CHROMIUM } from "../support/browser.ts";
import { README, writeReadmePictures } from "./readme.ts";
import { scenes, type Shot } from "./scenes.ts";

const OUT = new URL("../../.data/screens/", import.meta.url);
const VIEWPORTS = {
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
};
const SCHEMES = ["light", "dark"] as const;
/** The longest wait for the pictures of a page, ms. */
const PICTURES_MS = 5_000;

/** What a page could not load is not seen in every picture. */
const tell = (line: string) => void Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));

const forReadme = Deno.args.includes("--readme");
const parts = Deno.args.find((arg) => !arg.startsWith("--"))?.split(",") ?? [""];
const isWanted = (name: string) =>
  forReadme ? Object.hasOwn(README, name) : parts.some((part) => name.includes(part));

await Deno.mkdir(OUT, { recursive: true });
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
for await (const shot of scenes(isWanted)) {
  for (const [device, viewport] of Object.entries(VIEWPORTS)) {
    await picture(browser, shot, device, viewport);
  }
}
await browser.close();
if (forReadme) await writeReadmePictures(OUT);
Deno.exit(0);

async function picture(
  browser: Browser,
  { name, url, cookie, form }: Shot,
  device: string,
  viewport: { width: number; height: number },
): Promise<void> {
  const context = await browser.newContext({
    ...{ viewport, locale: "en-GB", reducedMotion: "reduce" },
  });
  if (cookie !== null) await context.addCookies([{ ...cookie, url: new URL(url).origin }]);
  const page = await context.newPage();
  page.on("requestfailed", (request) => tell(`${name}: ${request.url()} failed`));
  page.on("response", (answer) => {
    if (answer.status() >= 500) tell(`${name}: ${answer.url()}: ${answer.status()}`);
  });
  await page.goto(url, { waitUntil: "networkidle" });
  if (form !== undefined) await send(page, form);
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme });
    await fit(page, viewport);
    // Parts that were far from the screen are laid out now, and may be lower than they were taken for.
    await fit(page, viewport);
    const overflow = await page.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    if (overflow !== 0) tell(`${name} on a ${device}: ${overflow}px too wide`);
    const path = new URL(`${name}-${device}-${scheme}.png`, OUT).pathname;
    await page.screenshot({ path, fullPage: true });
    await page.setViewportSize(viewport);
  }
  await context.close();
}

/** Makes the window as high as the page, so that bars fixed to the window's edge lie at the page's edge. */
async function fit(page: Page, viewport: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(viewport);
  const height = Number(await page.evaluate("document.documentElement.scrollHeight"));
  await page.setViewportSize({ ...viewport, height: Math.max(height, viewport.height) });
  await settled(page);
}

/** Fills the form and sends it past the browser's own checks, so that the service's words are seen. */
async function send(page: Page, { action, fields = {} }: NonNullable<Shot["form"]>) {
  await page.evaluate(`(() => {
    const form = [...document.forms].find((one) =>
      one.getAttribute("action")?.endsWith(${JSON.stringify(action)}));
    form.noValidate = true;
    let button;
    for (const [name, value] of Object.entries(${JSON.stringify(fields)})) {
      const own = [...form.elements].filter((one) => one.name === name);
      const choice = own.find((one) => one.value === value && one.type !== "text");
      if (choice?.type === "submit") button = choice;
      else if (choice !== undefined) choice.checked = true;
      else if (own.length > 0) own[0].value = value;
    }
    form.requestSubmit(button);
  })()`);
  await page.waitForTimeout(300);
  await page.waitForLoadState("networkidle");
}

/** Waits for the pictures, which are loaded once they are near, and for the colours. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  // A picture that is not shown is never loaded, so nobody may wait for it.
  await page.evaluate(`Promise.race([
    Promise.all([...document.images].filter((image) => image.checkVisibility())
      .map((image) => image.decode().catch(() => {}))),
    new Promise((done) => setTimeout(done, ${PICTURES_MS})),
  ]).then(() => null)`);
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))",
  );
}
