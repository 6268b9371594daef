/** The reference: valid for common linters, and good enough to generate a client. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ERRORS } from "../../domain/foundation/errors.ts";
import { TABLE } from "../../routes/table.ts";
import { PAGES } from "../../routes/docs/pages.ts";
import { slug } from "../../routes/docs/slug.ts";
import { CHROMIUM, hasChromium } from "../support/browser.ts";
import { testService } from "../support/service.ts";

const REDOCLY = "npm:@redocly/cli@2.77.0";
const OPENAPI_TYPESCRIPT = "npm:openapi-typescript@7.13.0";

/** The description in a file, in a folder that is deleted when the test ends. */
async function writtenDescription(): Promise<{ dir: string; file: string } & AsyncDisposable> {
  await using t = await testService();
  const answer = await t.request(null, "/v1/openapi.json");
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("x-ratelimit-limit"), null);
  const dir = await Deno.makeTempDir({ prefix: "marquee-test-" });
  const file = `${dir}/openapi.json`;
  await Deno.writeTextFile(file, JSON.stringify(await answer.json(), null, 2));
  return { dir, file, [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }) };
}

async function deno(args: string[]): Promise<{ code: number; output: string }> {
  const command = new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" } });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

Deno.test("the description passes redocly's recommended rules without a warning", async () => {
  await using written = await writtenDescription();
  const { code, output } = await deno(["run", "-A", "--no-lock", REDOCLY, "lint", written.file]);
  assertEquals(code, 0, output);
  assert(!output.includes("warning"), output);
});

Deno.test("openapi-typescript makes types from the description that a client checks against", async () => {
  await using written = await writtenDescription();
  const types = `${written.dir}/api.d.ts`;
  const made = await deno([
    ...["run", "-A", "--no-lock", OPENAPI_TYPESCRIPT, written.file, "-o", types],
  ]);
  assertEquals(made.code, 0, made.output);
  await Deno.writeTextFile(
    `${written.dir}/client.ts`,
    `import type { components, paths } from "./api.d.ts";
type List = paths["/v1/posts"]["get"];
type Answer = List["responses"]["200"]["content"]["application/json"];
const query: NonNullable<List["parameters"]["query"]> = { perPage: 5, page: 2 };
const url = "/v1/posts?" + new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]));
export async function firstViews(): Promise<number | undefined> {
  const { data }: Answer = await (await fetch(url)).json();
  const reach: number | null | undefined = data[0]?.metrics.reach;
  const code: components["schemas"]["Error"]["error"]["code"] = "notFound";
  return code && reach === null ? 0 : data[0]?.metrics.views;
}
// @ts-expect-error a platform that the contract does not know
export const wrong: components["schemas"]["Post"]["platform"] = "myspace";
`,
  );
  const checked = await deno(["check", "--no-lock", `${written.dir}/client.ts`]);
  assertEquals(checked.code, 0, checked.output);
});

Deno.test("the description has the version that health reports, and a text for every group", async () => {
  await using t = await testService();
  const { info, tags } = await (await t.request(null, "/v1/openapi.json")).json();
  assertEquals(info.version, (await (await t.request(null, "/healthz")).json()).version);
  assertEquals(tags.map(({ name }: { name: string }) => name), [
    ...new Set(TABLE.map(([, , { group }]) => group)),
  ]);
  for (const { name, description } of tags) assert(description && description !== name, name);
});

Deno.test("the description takes GET only, and other methods are refused without counting", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  for (const key of [secret, null]) {
    for (const method of ["POST", "DELETE"]) {
      const answer = await t.request(key, "/v1/openapi.json", { method });
      assertEquals([answer.status, answer.headers.get("allow")], [405, "GET, HEAD"]);
      assertEquals(answer.headers.get("x-quota-remaining"), null);
      assertEquals((await answer.json()).error.code, "notFound");
    }
  }
});

Deno.test("the markdown names every row, error, header and plan limit", async () => {
  await using t = await testService();
  const answer = await t.request(null, "/docs.md");
  assertMatch(answer.headers.get("content-type") ?? "", /^text\/markdown/);
  const text = await answer.text();
  for (const [verb, path] of TABLE) assertStringIncludes(text, `### ${verb} ${path}\n`);
  for (const code of Object.keys(ERRORS)) assertStringIncludes(text, `| ${code} |`);
  assertStringIncludes(text, "| X-Quota-Remaining |");
  assertStringIncludes(text, "| Studio | 20 | 250,000 | 20 |");
});

Deno.test("the interactive reference is served without any other host", async () => {
  await using t = await testService();
  const page = await t.request(null, "/docs");
  assertEquals(page.status, 200);
  const html = await page.text();
  const policy = page.headers.get("content-security-policy") ?? "";
  assert(!policy.includes("unsafe"), policy);
  assert(!/<script>| style=|<style/.test(html), "the page needs what its policy forbids");
  const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
  for (const address of addresses.filter((address) => address !== "data:,")) {
    assert(address.startsWith("/docs/"), address);
    const asset = await t.request(null, address);
    assertEquals(asset.status, 200);
    assert((await asset.arrayBuffer()).byteLength > 0);
  }
});

Deno.test("every group has a page with the examples of its operations, and runs nothing", async () => {
  await using t = await testService();
  const moved = await t.request(null, "/docs/reference");
  assertEquals(moved.headers.get("location"), "/docs/reference/posts");
  for (const [group, rows] of Map.groupBy(TABLE, ([, , { group }]) => group)) {
    const answer = await t.request(null, `/docs/reference/${slug(group)}`);
    assertEquals(answer.status, 200, group);
    const html = await answer.text();
    assertStringIncludes(html, `<title>${group} · Marquee</title>`);
    assert(!/<script| style=|<style/.test(html), `${group} needs what its policy forbids`);
    for (const [verb, path] of rows) assertStringIncludes(html, `>${verb} ${path}</h2>`);
    const samples = html.match(/<summary>Python<\/summary>/g) ?? [];
    assertEquals(samples.length, rows.length, group);
  }
  assertEquals((await t.request(null, "/docs/reference/nothing")).status, 404);
});

Deno.test("llms.txt leads to the guide and to every group, and each of its links answers", async () => {
  await using t = await testService();
  const { BASE_URL } = t.service.settings;
  const answer = await t.request(null, "/llms.txt");
  assertMatch(answer.headers.get("content-type") ?? "", /^text\/markdown/);
  const text = await answer.text();
  assertMatch(text, /^# Marquee\n\n> /);
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
  for (const link of links) {
    assert(link.startsWith(`${BASE_URL}/`), link);
    const target = await t.request(null, link.slice(BASE_URL.length));
    assertEquals(target.status, 200, link);
    await target.body?.cancel();
  }
  for (const { name } of PAGES) assert(links.includes(`${BASE_URL}/docs/${name}.md`), name);
  for (const group of new Set(TABLE.map(([, , { group }]) => group))) {
    assert(links.includes(`${BASE_URL}/docs/reference/${slug(group)}`), group);
  }
});

Deno.test("the README and the pages say the same about each page", async () => {
  const readme = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
  for (const { name, title, about } of PAGES) {
    assertMatch(
      readme,
      new RegExp(
        `\\| \\[${title}\\]\\(routes/docs/${name}.md\\) +\\| ${RegExp.escape(about)} +\\|`,
      ),
    );
  }
});

Deno.test("the introduction and the page of errors have every code", async () => {
  const read = (name: string) =>
    Deno.readTextFile(new URL(`../../routes/docs/${name}.md`, import.meta.url));
  const introduction = await read("introduction");
  for (const code of Object.keys(ERRORS)) {
    assertStringIncludes(introduction, `](errors.md#${code.toLowerCase()})`);
  }
  const errors = await read("errors");
  for (const code of Object.keys(ERRORS)) assertStringIncludes(errors, `## ${code}\n`);
});

const STORY = new URL("../support/reference_in_browser.ts", import.meta.url);
const hasBrowser = await hasChromium();

// Playwright looks into /proc, for which Deno asks all permissions, so it runs in a process of its own.
Deno.test({
  name: hasBrowser
    ? "in a browser the console works, and axe and the policy find nothing, light and dark"
    : `the console in a browser: skipped, because there is no ${CHROMIUM}`,
  ignore: !hasBrowser,
  fn: async () => {
    const { code, output } = await deno([
      ...["test", "--no-check", "--no-prompt", "-A", STORY.pathname],
    ]);
    assertEquals(code, 0, output);
  },
});
