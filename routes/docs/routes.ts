/** `/docs/…`: the guide, from the markdown files beside this one. No key. */
import { type Context as HonoContext, Hono } from "hono";
import { etag } from "hono/etag";
import { html, raw } from "hono/html";
import { once } from "../../domain/foundation/once.ts";
import type { Service } from "../../domain/service/service.ts";
import { basePath } from "../base_path.ts";
import type { AppEnv } from "../request.ts";
import type { Section } from "../markdown.ts";
import { PAGES, readPage } from "./pages.ts";
import { slug } from "./slug.ts";
import { STYLE } from "./style.ts";

const HEADERS = {
  "cache-control": "public, max-age=3600",
  "content-security-policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'; " +
    "base-uri 'none'; form-action 'none'",
  "x-content-type-options": "nosniff",
};

export function docsRoutes({ settings }: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const base = basePath(settings);
  const send = (c: HonoContext<AppEnv>, body: string, type: string) =>
    c.body(body, 200, { ...HEADERS, "content-type": `${type}; charset=utf-8` });
  app.use("/docs/*", etag());
  app.get("/docs/style.css", (c) => send(c, STYLE, "text/css"));
  const haproxy = once(() => Deno.readTextFile(new URL("haproxy.cfg", import.meta.url)));
  app.get("/docs/haproxy.cfg", async (c) => send(c, await haproxy(), "text/plain"));
  const sections = once(async () => {
    const [{ referenceSections }, { TABLE }, { readExamples }] = await Promise.all([
      import("../markdown.ts"),
      import("../table.ts"),
      import("../examples.ts"),
    ]);
    const { BASE_URL } = settings;
    return referenceSections(TABLE, { baseUrl: BASE_URL, examples: await readExamples(BASE_URL) });
  });
  const references = once(async () => {
    const { toHtml } = await import("./render.ts");
    const all = await sections();
    const pages = all.map(async ({ title, text }) => {
      const shown = { at: `/docs/reference/${slug(title)}`, title, markdown: "/docs.md" };
      return [
        slug(title),
        String(await frame(base, shown, toHtml(pageOf(text), base), all)),
      ] as const;
    });
    return new Map(await Promise.all(pages));
  });
  app.get("/docs/reference", (c) => c.redirect(`${base}/docs/reference/posts`, 302));
  app.get("/docs/reference/:name", async (c, next) => {
    const page = (await references()).get(c.req.param("name"));
    return page === undefined ? await next() : send(c, page, "text/html");
  });
  for (const page of PAGES) {
    const written = once(() => readPage(page));
    const rendered = once(async () => {
      const { toHtml } = await import("./render.ts");
      const { name, title } = page;
      const shown = { at: `/docs/${name}`, title, markdown: `/docs/${name}.md` };
      return String(await frame(base, shown, toHtml(await written(), base), await sections()));
    });
    app.get(`/docs/${page.name}`, async (c) => send(c, await rendered(), "text/html"));
    app.get(`/docs/${page.name}.md`, async (c) => send(c, await written(), "text/markdown"));
  }
  return app;
}

/** A section as a page of its own: its headings a level up, and shapes on their page. */
function pageOf(section: string): string {
  return section.replaceAll(/^#(#+ )/gm, "$1").replaceAll("](#", "](/docs/reference/shapes#");
}

interface Framed {
  at: string;
  title: string;
  /** Where the same is as markdown. */
  markdown: string;
}

function frame(
  base: string,
  { at, title, markdown }: Framed,
  content: string,
  sections: readonly Section[],
) {
  const link = (to: string, words: string) =>
    html`<li><a href="${base}${to}"${
      to === at ? raw(' aria-current="page"') : ""
    }>${words}</a></li>`;
  return html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>${title} · Marquee</title>
        <link rel="stylesheet" href="${base}/docs/style.css">
        <link rel="alternate" type="text/markdown" href="${base}${markdown}">
      </head>
      <body>
        <header><a href="${base}/docs/introduction">Marquee</a></header>
        <div class="frame">
          <nav aria-label="Guide">
            <h2>Guide</h2>
            <ul>
    ${PAGES.map(({ name, title }) => link(`/docs/${name}`, title))}
            </ul>
            <h2>Reference</h2>
            <ul>
    ${sections.map(({ title }) => link(`/docs/reference/${slug(title)}`, title))}
            </ul>
            <h2>For programs</h2>
            <ul>
              ${link("/docs", "Console")}
              ${link("/docs.md", "Markdown")}
              ${link("/v1/openapi.json", "OpenAPI 3.1")}
            </ul>
          </nav>
          <main>
    ${raw(content)}</main>
        </div>
      </body>
    </html>
  `;
}
