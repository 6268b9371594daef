/** Studio in a real browser, where Debian's Chromium is installed; else it says that it skips. */
import { assert } from "@std/assert";
import { CHROMIUM, hasChromium } from "../support/browser.ts";

const STORIES = [
  "calendar_in_browser.ts",
  "post_in_browser.ts",
  "studio_in_browser.ts",
  "people_in_browser.ts",
];
const ignore = !await hasChromium();

// Playwright looks into /proc, for which Deno asks all permissions, so it runs in a process of its own.
for (const stories of STORIES) {
  Deno.test({
    name: ignore
      ? `${stories}: skipped, because there is no ${CHROMIUM}`
      : `the stories of ${stories} hold in a browser`,
    ignore,
    fn: async () => {
      const { pathname } = new URL(`../support/${stories}`, import.meta.url);
      const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["test", "--no-check", "--no-prompt", "-A", pathname],
      }).output();
      assert(success, [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join(""));
    },
  });
}
