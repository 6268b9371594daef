/** The pictures that the README shows of Studio: the first screen of the pages that say most. */
import { loadSharp } from "../../domain/media/images/sharp.ts";

/** The name of the page, and of the file in `tests/data/`. */
export const README: Record<string, string> = {
  "full-today": "studio_today.webp",
  "full-calendar": "studio_calendar.webp",
  "full-post": "studio_post.webp",
  "full-insights": "studio_insights.webp",
  "full-published": "studio_published.webp",
  "full-series-tried": "studio_autopilot.webp",
};

const DATA = new URL("../data/", import.meta.url);
const FIRST_SCREEN = { left: 0, top: 0, width: 1_280, height: 900 };
const WIDTH = 1_120;
const QUALITY = 82;

/** @param shots the folder with the pages as PNG */
export async function writeReadmePictures(shots: URL): Promise<void> {
  const sharp = await loadSharp();
  for (const [name, file] of Object.entries(README)) {
    const page = sharp(await Deno.readFile(new URL(`${name}-desktop-light.png`, shots)));
    const picture = page.extract(FIRST_SCREEN).resize({ width: WIDTH });
    await Deno.writeFile(new URL(file, DATA), await picture.webp({ quality: QUALITY }).toBuffer());
  }
}
