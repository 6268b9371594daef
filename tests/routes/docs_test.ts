/** The guide: every page is served, no link of it or of the README is broken, nothing is left out. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import manifest from "../../deno.json" with { type: "json" };
import { ACTIONS } from "../../domain/kv/audit.ts";
import { SETTING_NAMES } from "../../domain/foundation/settings.ts";
import { COMMANDS } from "../../jobs/commands.ts";
import { OFFLINE } from "../../jobs/commands/backup.ts";
import { PAGES, readPage } from "../../routes/docs/pages.ts";
import { toHtml } from "../../routes/docs/render.ts";
import { slug } from "../../routes/docs/slug.ts";
import { type TestService, testService } from "../support/service.ts";

const ROOT = new URL("../..", import.meta.url);
const GUIDE = new URL("routes/docs/", ROOT);
/** Markdown that people read in the repository. */
const FILES = [
  ...["README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md"],
  ...PAGES.map(({ name }) => `routes/docs/${name}.md`),
];

const readFile = (path: string) => Deno.readTextFile(new URL(path, ROOT));

async function page(t: TestService, path: string): Promise<string> {
  const answer = await t.request(null, path);
  assertEquals(answer.status, 200, path);
  return await answer.text();
}

Deno.test("every page is served as HTML and as the markdown it was written in", async () => {
  await using t = await testService();
  const written = [...Deno.readDirSync(GUIDE)].map(({ name }) => name);
  assertEquals(
    written.filter((name) => name.endsWith(".md")).toSorted(),
    PAGES.map(({ name }) => `${name}.md`).toSorted(),
  );
  for (const { name, title } of PAGES) {
    const html = await page(t, `/docs/${name}`);
    assertStringIncludes(html, `<title>${title} · Marquee</title>`);
    assertEquals([...html.matchAll(/<h1 .*?>(.*?)<\/h1>/g)].map(([, heading]) => heading), [title]);
    for (const other of PAGES) assertStringIncludes(html, `href="/docs/${other.name}"`);
    assert(!html.includes("<!-- "), "comments are for the files");
    assertEquals(await page(t, `/docs/${name}.md`), await readFile(`routes/docs/${name}.md`));
  }
  assertEquals((await t.request(null, "/docs/nowhere")).status, 404);
});

Deno.test("pages run nothing, may be cached, and are not sent again unchanged", async () => {
  await using t = await testService();
  for (const path of ["/docs/inside", "/docs/inside.md", "/docs/style.css"]) {
    const { headers } = await t.request(null, path);
    const policy = headers.get("content-security-policy") ?? "";
    assertStringIncludes(policy, "default-src 'none'; style-src 'self'; ");
    assert(!policy.includes("unsafe"), path);
    assertMatch(headers.get("cache-control") ?? "", /^public, max-age=\d+$/);
    assertEquals(headers.get("x-content-type-options"), "nosniff");
    const known = { "if-none-match": headers.get("etag") ?? "" };
    const again = await t.request(null, path, { headers: known });
    assertEquals([again.status, await again.text()], [304, ""]);
  }
  for (const { name } of PAGES) {
    const html = await page(t, `/docs/${name}`);
    assert(!/<script| style=|<style/.test(html), `${name} needs what its policy forbids`);
  }
});

Deno.test("every address reachable from /docs answers, and every fragment names a heading", async () => {
  await using t = await testService();
  const pages = new Map<string, string>();
  const open = ["/docs"];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (pages.has(path)) continue;
    const text = await page(t, path);
    pages.set(path, text);
    if (!/^\s*<!doctype html>/.test(text)) continue;
    for (const [, address] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) {
      const { host, pathname, hash } = new URL(address!, `http://marquee${path}`);
      if (host !== "marquee") continue;
      open.push(pathname);
      if (hash === "") continue;
      const target = pathname === path ? text : await page(t, pathname);
      assertStringIncludes(target, ` id="${decodeURI(hash.slice(1))}"`, `${path}: ${address}`);
    }
  }
  for (const { name } of PAGES) assert(pages.has(`/docs/${name}`), name);
});

Deno.test("every link in the README, the guide and .github leads to a file and a heading", async () => {
  for (const path of FILES) {
    const text = (await readFile(path)).replaceAll(/```.*?```/gs, "");
    for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      // What begins with a slash is an address of the service: the test above follows those.
      if (/^(?:[a-z]+:|\/)/.test(link!)) continue;
      const target = new URL(link!, new URL(path, ROOT));
      const { hash } = target;
      target.hash = "";
      assert(await Deno.stat(target).catch(() => null), `${path}: there is no ${link}`);
      if (hash === "") continue;
      const headings = [...(await Deno.readTextFile(target)).matchAll(/^#+ (.+)$/gm)];
      assert(headings.some(([, heading]) => `#${slug(heading!)}` === hash), `${path}: ${link}`);
    }
  }
});

Deno.test("every path that the files name exists", async () => {
  for (const path of FILES) {
    const named = (await readFile(path))
      .matchAll(/`((?:domain|routes|mcp|jobs|tests|\.ci|\.github)\/[\w./-]+)`/g);
    for (const [, target] of named) {
      const found = await Deno.stat(new URL(target!, ROOT)).catch(() => null);
      assert(found, `${path}: there is no ${target}`);
    }
  }
});

Deno.test("every task and admin call that the files name exists", async () => {
  const tasks = Object.keys(manifest.tasks);
  for (const path of FILES) {
    const text = await readFile(path);
    for (const [, task] of text.matchAll(/\bdeno(?:@[\d.]+)? task (?:--quiet )?([a-z]+)\b/g)) {
      assert(tasks.includes(task!), `${path}: there is no task ${task}`);
    }
    for (const [, words] of text.matchAll(/\btask (?:--quiet )?admin ((?:[a-z]+ ?)+)/g)) {
      const call = words!.trim();
      assert(
        Object.keys({ ...COMMANDS, ...OFFLINE }).includes(call),
        `${path}: there is no call ${call}`,
      );
    }
  }
});

Deno.test("the guide leaves out no setting, no dependency and no action of the audit trail", async () => {
  const data = await readFile("routes/docs/data.md");
  for (const action of ACTIONS) assertStringIncludes(data, `\`${action}\``);
  const settings = await readFile("routes/docs/settings.md");
  for (const name of SETTING_NAMES) assert(settings.includes(`| \`${name}\` `), name);
  const dependencies = await readFile("routes/docs/dependencies.md");
  for (const name of Object.keys(manifest.imports)) {
    const shown = name.startsWith("@fontsource/") ? "@fontsource/…" : name;
    assert(dependencies.includes(`\`${shown}\``), name);
  }
});

Deno.test("links fit the address, wide tables scroll, and HTML in a page is dropped", () => {
  const html = toHtml(
    "# A `b` c\n\n[x](settings.md#platforms) [y](/dashboard) [z](https://deno.com/a.md)\n\n" +
      "| a |\n| - |\n| 1 |\n\n<script>alert(1)</script>\n\n<!-- note -->\n\n```\n1 < 2\n```\n",
    "/base",
  );
  assertStringIncludes(html, '<h1 id="a-b-c">A <code>b</code> c</h1>');
  assertStringIncludes(html, '<a href="settings#platforms">x</a> <a href="/base/dashboard">y</a>');
  assertStringIncludes(html, '<a href="https://deno.com/a.md">z</a>');
  assertStringIncludes(html, '<div class="wide" tabindex="0"><table>');
  assertStringIncludes(html, '<pre tabindex="0"><code>1 &lt; 2\n');
  assert(!html.includes("script") && !html.includes("note"), html);
});

Deno.test("a start loads neither the renderer nor another library that a request may never need", async () => {
  const args = ["info", "--json", new URL("main.ts", ROOT).pathname];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout));
  const known = new Map<string, Module>(
    modules.map((module: Module) => [module.specifier, module]),
  );
  const open = [new URL("main.ts", ROOT).href];
  const loaded = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (loaded.has(name)) continue;
    loaded.add(name);
    for (const { code, isDynamic } of known.get(name)?.dependencies ?? []) {
      if (code !== undefined && isDynamic !== true) open.push(code.specifier);
    }
  }
  assert(loaded.has(new URL("routes/app.ts", ROOT).href));
  const late = [
    "marked@",
    "sharp@",
    "openai@",
    "swagger-ui-dist@",
    "@aws-sdk/",
    "@opentelemetry/",
    "@modelcontextprotocol/",
  ];
  for (const name of loaded) {
    assert(!late.some((library) => isOf(name, library)), name);
  }
  assert([...loaded].some((name) => isOf(name, "hono@")), "libraries are told by name");
});

const isOf = (module: string, library: string) =>
  module.replace(/^npm:\/?/, "npm:").startsWith(`npm:${library}`);

interface Module {
  specifier: string;
  dependencies?: { code?: { specifier: string }; isDynamic?: boolean }[];
}

Deno.test("each state picture stands behind its marker", async () => {
  const text = await readPage(PAGES.find(({ name }) => name === "inside")!);
  for (const machine of ["creation", "slot", "account"]) {
    assertMatch(text, new RegExp(`<!-- states: ${machine} -->\\n\\n\`\`\`\\n[^\`]*──▶`));
  }
});
