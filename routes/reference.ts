/** The reference people and programs read: `/v1/openapi.json`, `/docs`, `/docs.md`. No key. */
import { Hono } from "hono";
import { ServiceError } from "../domain/errors.ts";
import { once } from "../domain/once.ts";
import type { Service } from "../domain/service.ts";
import { jsonResponse } from "../domain/wire.ts";
import { basePath } from "./base_path.ts";
import type { AppEnv } from "./request.ts";

/** Files of swagger-ui-dist that the interactive reference needs, served by us and not by a CDN. */
const ASSETS: Record<string, string> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
};

export function referenceRoutes({ settings }: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const base = basePath(settings);
  const description = once(async () => {
    const { describe } = await import("./openapi.ts");
    return describe(await wholeTable(), settings.BASE_URL);
  });
  const markdown = once(async () => {
    const { referenceMarkdown } = await import("./markdown.ts");
    return referenceMarkdown(await wholeTable(), settings.BASE_URL);
  });
  app.get("/v1/openapi.json", async () => jsonResponse(await description(), 200));
  // Here, before key and meter: this path asks for no key and counts nothing.
  app.all("/v1/openapi.json", () => {
    const error = new ServiceError("notFound", "This path takes GET, HEAD.");
    return jsonResponse(error.envelope, 405, { allow: "GET, HEAD" });
  });
  app.get(
    "/docs.md",
    async (c) => c.body(await markdown(), 200, { "content-type": "text/markdown; charset=utf-8" }),
  );
  app.get("/docs", (c) =>
    c.html(page(base), 200, {
      "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; " +
        "img-src 'self' data:; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
    }));
  app.get("/docs/start.js", (c) =>
    c.body(startScript(base), 200, {
      "content-type": "text/javascript; charset=utf-8",
    }));
  for (const [name, type] of Object.entries(ASSETS)) {
    app.get(`/docs/${name}`, async (c) =>
      c.body(await readAsset(name), 200, {
        "content-type": type,
        "cache-control": "public, max-age=86400",
      }));
  }
  return app;
}

const wholeTable = async () => (await import("./table.ts")).TABLE;

async function readAsset(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const { default: packageFolder } = await import("swagger-ui-dist/absolute-path.js");
  return await Deno.readFile(`${packageFolder()}/${name}`);
}

function page(base: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Marquee API</title>
<link rel="stylesheet" href="${base}/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="${base}/docs/swagger-ui-bundle.js"></script>
<script src="${base}/docs/start.js"></script>
</body>
</html>
`;
}

function startScript(base: string): string {
  const options = { url: `${base}/v1/openapi.json`, dom_id: "#reference", deepLinking: true };
  return `SwaggerUIBundle(${JSON.stringify(options)});\n`;
}
