/** The pictures of `deno task screens`: no page of Studio is missing among them. */
import { assertEquals } from "@std/assert";
import { studioRoutes } from "../../routes/studio/routes.tsx";
import { ANY, EMPTY, full, outside, outsideWrong, wrong } from "../screens/pages.ts";
import { testService } from "../support/service.ts";

/** Parts of pages, files and streams, which nobody opens by themselves. */
const NO_PAGES = [
  "/studio/assets/",
  "/layouts",
  "/pictures/:id/tile",
  "/calendar/likely",
  "/live",
  "/posts.csv",
  "/posts.ndjson",
  "/readings.csv",
  "/small.jpg",
];

/** The address of a brand's page, of a page of its own, or null for what is none of Studio's. */
function addressOf(path: string): string | null {
  const address = path.startsWith("/studio")
    ? path
    : /^\/(docs|dashboard)/.test(path)
    ? null
    : `/studio/brand${path}`;
  return address?.split("?")[0] ?? null;
}

Deno.test("every page of Studio is pictured", async () => {
  await using t = await testService();
  const links = { setUp: "/studio/set-up/a", join: "/studio/join/a" };
  const shown = [full(ANY), EMPTY, wrong(ANY), outside(links), outsideWrong(links)].flat();
  const addresses = new Set(shown.flatMap(({ path }) => addressOf(path) ?? []));
  const pages = studioRoutes(t.service).routes
    .filter(({ method, path }) => method === "GET" && !NO_PAGES.some((part) => path.includes(part)))
    .map(({ path }) => path);
  const patterns = pages.map((path) => [path, new URLPattern({ pathname: path })] as const);
  const isPictured = (pattern: URLPattern) =>
    [...addresses].some((pathname) => pattern.test({ pathname }));
  assertEquals(patterns.filter(([, pattern]) => !isPictured(pattern)).map(([path]) => path), []);
});

Deno.test("no two pictures have the same name", () => {
  const links = { setUp: "/studio/set-up/a", join: "/studio/join/a" };
  const states = [[...full(ANY), ...outside(links)], EMPTY, [
    ...wrong(ANY),
    ...outsideWrong(links),
  ]];
  for (const state of states) {
    const names = state.map(({ name }) => name);
    assertEquals(names.length, new Set(names).size, names.join());
  }
});
