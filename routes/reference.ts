/** The reference for people and programs: `/v1/openapi.json`, `/docs`, `/docs.md`. No key. */
import { Hono } from "hono";
import { ServiceError } from "../domain/foundation/errors.ts";
import { once } from "../domain/foundation/once.ts";
import type { Service } from "../domain/service/service.ts";
import { helpLink, jsonResponse } from "../domain/operations/http.ts";
import { represented } from "../domain/operations/representation.ts";
import { basePath } from "./base_path.ts";
import { fixedFile } from "./fixed_file.ts";
import type { AppEnv } from "./request.ts";

/** Files of swagger-ui-dist for the interactive reference, which uses no CDN. */
const ASSETS: Record<string, string> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
};

export function referenceRoutes({ settings }: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const base = basePath(settings);
  const examples = once(async () => {
    const { readExamples } = await import("./examples.ts");
    return await readExamples(settings.BASE_URL);
  });
  const description = once(async () => {
    const { describe } = await import("./openapi.ts");
    return describe(await wholeTable(), settings.BASE_URL, await examples());
  });
  const markdown = once(async () => {
    const { referenceMarkdown } = await import("./markdown.ts");
    const shown = { baseUrl: settings.BASE_URL, examples: await examples() };
    return referenceMarkdown(await wholeTable(), shown);
  });
  app.get("/v1/openapi.json", async (c) => {
    const asked = { request: c.req.raw, baseUrl: settings.BASE_URL };
    return await represented(asked, await description(), 200, {});
  });
  // Registered before `/v1/*`, because this path needs no key and counts nothing.
  app.all("/v1/openapi.json", () => {
    const error = new ServiceError("notFound", "This path takes GET, HEAD.");
    const help = helpLink(settings.BASE_URL, error.code);
    return jsonResponse(error.envelope, 405, { ...help, allow: "GET, HEAD" });
  });
  app.get(
    "/docs.md",
    async (c) => c.body(await markdown(), 200, { "content-type": "text/markdown; charset=utf-8" }),
  );
  app.get("/llms.txt", async (c) => {
    const { llmsText } = await import("./llms.ts");
    return c.body(llmsText(settings.BASE_URL), 200, {
      "content-type": "text/markdown; charset=utf-8",
    });
  });
  app.get(
    "/docs/console.css",
    (c) => c.body(CONSOLE_STYLE, 200, { "content-type": "text/css; charset=utf-8" }),
  );
  app.get("/docs", (c) =>
    c.html(page(base), 200, {
      "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; " +
        "connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; " +
        "form-action 'none'",
      "x-content-type-options": "nosniff",
    }));
  app.get("/docs/start.js", (c) =>
    c.body(startScript(base), 200, {
      "content-type": "text/javascript; charset=utf-8",
    }));
  for (const [name, type] of Object.entries(ASSETS)) {
    app.get(`/docs/${name}`, fixedFile(type, () => readAsset(name)));
  }
  return app;
}

const wholeTable = async () => (await import("./table.ts")).TABLE;

async function readAsset(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const { default: packageFolder } = await import("swagger-ui-dist/absolute-path.js");
  return await Deno.readFile(`${packageFolder()}/${name}`);
}

/** Swagger's own dark colours cover all but its page. */
const CONSOLE_STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; background: light-dark(#faf9fc, #1c2022); color: light-dark(#1c1b22, #e4e6e6); font: 16px/1.6 system-ui, sans-serif; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding: 1rem 1.5rem; border-bottom: 1px solid light-dark(#e4e0ec, #35313f); }
nav a { color: inherit; }
.swagger-ui .info { margin: 1.5rem 0; }
`;

function page(base: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Marquee API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/docs/swagger-ui.css">
<link rel="stylesheet" href="${base}/docs/console.css">
</head>
<body>
<nav aria-label="Documentation">
<a href="${base}/docs/introduction">Introduction</a>
<a href="${base}/docs/reference/posts">Reference with examples</a>
<a href="${base}/docs/inside">Guide</a>
<a href="${base}/docs/changelog">Changelog</a>
</nav>
<div id="reference"></div>
<script src="${base}/docs/swagger-ui-bundle.js"></script>
<script src="${base}/docs/start.js"></script>
</body>
</html>
`;
}

function startScript(base: string): string {
  const options = {
    url: `${base}/v1/openapi.json`,
    dom_id: "#reference",
    deepLinking: true,
    docExpansion: "none",
    defaultModelsExpandDepth: 0,
    persistAuthorization: false,
  };
  return `const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();
SwaggerUIBundle(${JSON.stringify(options)});
`;
}
