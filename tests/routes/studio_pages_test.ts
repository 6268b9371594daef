/** Studio's pages: each one answers, empty and full, and needs nothing that its policy forbids. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { testService } from "../support/service.ts";
import { studioPerson } from "../support/studio.ts";
import { type Furnished, furnished } from "../support/studio_brand.ts";

const PAGES = [
  "",
  "/calendar",
  "/calendar?view=week",
  "/calendar?view=list&state=ready",
  "/create",
  "/insights",
  "/insights?days=90&platform=youtube&metric=reach&against=nothing&by=hashtag&sort=views&dir=asc",
  "/insights?from=2026-11-01&to=2026-11-20&against=usual&metric=engagement&by=series&all=yes",
  "/insights?from=2026-11-20&to=2026-11-01&by=weekday",
  "/library",
  "/library?show=logo",
  "/library?show=inspiration",
  "/library?show=castReference",
  "/library?show=cast",
  "/cast/new",
  "/series",
  "/series/new",
  "/series/new?mode=autopilot",
  "/settings",
  "/settings/accounts",
  "/settings/people",
  "/settings/people/leave",
  "/settings/keys",
  "/settings/plan",
  "/settings/notifications",
  "/settings/audit",
];

const pagesOf = (f: Furnished): string[] => [
  ...PAGES,
  `/create/made?ids=${f.pictureId}`,
  `/pictures/${f.pictureId}`,
  `/posts/${f.postId}`,
  `/posts/${f.postId}/move`,
  `/posts/${f.postId}/publish`,
  `/published/${f.publishedId}`,
  `/published/${f.publishedId}?readings=all`,
  `/cast/${f.memberId}`,
  `/series/${f.seriesId}`,
  `/series/${f.seriesId}/change`,
  `/series/${f.autopilotId}`,
  `/settings/accounts/${f.accountId}/disconnect`,
];

/** Words of the domain that no person should meet. */
const JARGON = /\b(slots?|creations?|socialAccountId|rev_\w+|post_[0-9A-Z]{26})\b/;

function requirePage(path: string, text: string): void {
  assert(text.startsWith("<!doctype html>"), path);
  assertEquals(text.match(/<h1/g)?.length, 1, `${path} has one heading of the first level`);
  assert(!/ style=|<style| on\w+="|javascript:/.test(text), `${path} needs what is forbidden`);
  assert(!/<script(?! src=)/.test(text), `${path} has a script of its own`);
  assertMatch(text, /<main id="main"/);
  const words = text.replaceAll(/<[^>]*>/g, " ");
  assertEquals(JARGON.exec(words)?.[0], undefined, path);
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assertEquals(ids.length, new Set(ids).size, `${path} has an id twice`);
}

Deno.test("every page answers for a brand that has everything, and for one that has nothing", async () => {
  await using t = await testService();
  const full = await furnished(t);
  for (const path of pagesOf(full)) {
    const { status, text, headers } = await full.person.open(path);
    assertEquals(status, 200, `${path}: ${text}`);
    requirePage(path, text);
    const policy = headers.get("content-security-policy") ?? "";
    assertStringIncludes(policy, "script-src 'self'; style-src 'self'; ");
    assert(!policy.includes("unsafe"), path);
  }
  const empty = await studioPerson(t, { email: "new@example.com", plan: "free" });
  for (const path of PAGES) {
    const { status, text } = await empty.open(path);
    assertEquals(status, 200, `${path}: ${text}`);
    requirePage(path, text);
  }
});

Deno.test("a new brand sees four steps, which are ticked by what is there", async () => {
  await using t = await testService();
  const empty = await studioPerson(t, { email: "new@example.com" });
  const { text } = await empty.open("");
  assertStringIncludes(text, "Four steps to your first post");
  assertEquals(text.match(/class="tick"/g)?.length, 4);
  assert(!text.includes("Done:"));
  const { person } = await furnished(t);
  assertStringIncludes((await person.open("")).text, "One step is left");
});

Deno.test("script and style are small, compressed and served by the service", async () => {
  await using t = await testService();
  const size = async (name: string) => {
    const headers = { "accept-encoding": "gzip" };
    const answer = await t.request(null, `/studio/assets/${name}`, { headers });
    assertEquals(answer.status, 200, name);
    assertEquals(answer.headers.get("content-encoding"), "gzip");
    return (await answer.bytes()).byteLength;
  };
  const scripts = ["htmx.js", "studio.js", "uplot.js", "chart.js"];
  const sizes = async (names: string[]) =>
    (await Promise.all(names.map(size))).reduce((a, b) => a + b);
  assert(await sizes(scripts) < 60 * 1024);
  assert(await sizes(["studio.css", "uplot.css"]) < 20 * 1024);
  for (const name of ["inter-400.woff2", "inter-600.woff2", "icon.svg"]) await size(name);
});

Deno.test("lists show pictures small, at addresses that browsers keep and other brands don't have", async () => {
  await using t = await testService();
  const { person, pictureId } = await furnished(t);
  const seen = async (path: string): Promise<string> => {
    const { text } = await person.open(path);
    const found = new RegExp(`<img src="([^"]+/${pictureId}/small\\.jpg[^"]*)"`).exec(text);
    return (found?.[1] ?? "").replaceAll("&amp;", "&");
  };
  const sharp = await loadSharp();
  for (const [path, width] of [["", 400], ["/library", 400], ["/calendar", 160]] as const) {
    const { status, headers, bytes } = await person.take(await seen(path));
    assertEquals([status, headers.get("content-type")], [200, "image/jpeg"], path);
    assertStringIncludes(headers.get("cache-control") ?? "", "private, max-age=31536000");
    assertEquals((await sharp(bytes).metadata()).width, width);
  }
  const before = await seen("/library");
  const text = { template: "textOnly", overlayText: "Doors at seven" };
  assertEquals((await person.send(`/pictures/${pictureId}/text`, text)).status, 303);
  const after = await seen("/library");
  assert(after !== before, "a browser must not show the picture that it has kept");
  const eve = await studioPerson(t, { email: "eve@example.com" });
  assertEquals((await eve.take(`/pictures/${pictureId}/small.jpg?size=tile`)).status, 404);
  assertEquals((await eve.take(after)).status, 404);
  assertEquals((await t.request(null, after)).status, 401);
});

Deno.test("another account's brand and another brand's ids are not found, signed in or not", async () => {
  await using t = await testService();
  const full = await furnished(t);
  const other = await studioPerson(t, { email: "other@example.com" });
  for (const path of pagesOf(full)) {
    const { status, text } = await other.open(`/studio/${full.person.brand.id}${path}`);
    assertEquals(status, 404, path);
    assert(!text.includes("Harbour"), path);
    const own = path.includes("_") && !path.startsWith("/create/made");
    if (own) assertEquals((await other.open(path)).status, 404, path);
    const stranger = await t.request(null, full.person.at(path));
    assertEquals(stranger.status, 401, path);
    assertStringIncludes(await stranger.text(), 'name="password"');
  }
});
