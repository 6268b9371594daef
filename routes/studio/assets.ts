/** What Studio's pages load: one style sheet, htmx, our scripts, a chart, two fonts. All of it from here. */
import { Hono } from "hono";
import { once } from "../../domain/foundation/once.ts";
import { fixedFile } from "../fixed_file.ts";
import type { AppEnv } from "../request.ts";
import { CHART_SCRIPT } from "./chart_script.ts";
import { CALENDAR_STYLE } from "./calendar_style.ts";
import { CHARTS_STYLE } from "./charts_style.ts";
import { DRAG_SCRIPT } from "./drag_script.ts";
import { FRAME_STYLE } from "./frame_style.ts";
import { PARTS_STYLE } from "./parts_style.ts";
import { SCRIPT } from "./script.ts";
import { STUDIO } from "./studio.ts";
import { TOKENS } from "./tokens.ts";

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">` +
  `<rect width="32" height="32" rx="9" fill="#4b3bd6"/>` +
  `<path d="M8 23V9l8 9 8-9v14" fill="none" stroke="#fff" stroke-width="3" ` +
  `stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const STYLE = TOKENS + FRAME_STYLE + PARTS_STYLE + CALENDAR_STYLE + CHARTS_STYLE;

const TEXTS: Record<string, [type: string, text: string]> = {
  "studio.css": ["text/css; charset=utf-8", STYLE],
  "studio.js": ["text/javascript; charset=utf-8", SCRIPT + DRAG_SCRIPT],
  "chart.js": ["text/javascript; charset=utf-8", CHART_SCRIPT],
  "icon.svg": ["image/svg+xml", ICON],
};

const FONT = "@fontsource/inter/files/inter-latin-";
const FILES: Record<string, [type: string, specifier: string]> = {
  "htmx.js": ["text/javascript; charset=utf-8", "htmx.org/dist/htmx.min.js"],
  "uplot.js": ["text/javascript; charset=utf-8", "uplot/dist/uPlot.iife.min.js"],
  "uplot.css": ["text/css; charset=utf-8", "uplot/dist/uPlot.min.css"],
  "inter-400.woff2": ["font/woff2", `${FONT}400-normal.woff2`],
  "inter-600.woff2": ["font/woff2", `${FONT}600-normal.woff2`],
};

export function assetRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const [name, [type, text]] of Object.entries(TEXTS)) {
    const bytes = once(() => Promise.resolve(new TextEncoder().encode(text)));
    app.get(`${STUDIO}/assets/${name}`, fixedFile(type, bytes));
  }
  for (const [name, [type, specifier]] of Object.entries(FILES)) {
    const read = () => Deno.readFile(new URL(import.meta.resolve(specifier)));
    app.get(`${STUDIO}/assets/${name}`, fixedFile(type, read));
  }
  return app;
}
