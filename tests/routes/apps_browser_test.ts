/** An app's sign-in in a real browser, where Debian's Chromium is installed; else it says that it skips. */
import { assert } from "@std/assert";
import { CHROMIUM, hasChromium } from "../support/browser.ts";

const STORY = new URL("../support/apps_in_browser.ts", import.meta.url);
const ignore = !await hasChromium();

// Playwright looks into /proc, for which Deno asks all permissions, so it runs in a process of its own.
Deno.test({
  name: ignore
    ? `an app's sign-in in a browser: skipped, because there is no ${CHROMIUM}`
    : "in a browser, a person lets an app in and is led back to it, and axe finds nothing",
  ignore,
  fn: async () => {
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "--no-check", "--no-prompt", "-A", STORY.pathname],
    }).output();
    assert(success, [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join(""));
  },
});
