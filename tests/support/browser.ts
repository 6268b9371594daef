/** The browser for tests that need a real one: Debian's Chromium, when it is installed. */

export const CHROMIUM = "/usr/bin/chromium";

export async function hasChromium(): Promise<boolean> {
  return await Deno.stat(CHROMIUM).then(() => true, () => false);
}
