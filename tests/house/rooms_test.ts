/** The order of the rooms: imports run down the list, no file is outside a room, none imports itself. */
import { assert, assertEquals } from "@std/assert";
import { circles, FACES, readSources, ROOT, type Source } from "../support/sources.ts";

/** A room imports only rooms before it in the list. */
const ROOMS = [
  ...["foundation", "kv", "brands", "media", "models", "posts", "insights", "service", "events"],
  ...["creations", "platforms", "series", "operations"],
];
/** Rooms side by side, which don't know each other although the list has to put one first. */
const SIDE_BY_SIDE = [["brands", "media"], ["brands", "posts"], ["media", "posts"], [
  "creations",
  "platforms",
]];

/** Where `!` reads a typed array, whose every index below its length holds a number. */
const TYPED_ARRAYS = [
  ...["domain/media/images/", "domain/media/overlays/", "domain/models/painter/painting/"],
  ...["domain/posts/index/", "domain/insights/", "domain/series/strategist/posterior.ts"],
  "domain/series/strategist/cholesky.ts",
];
const MOST_ASSERTIONS = 40;

const roomOf = (path: string): string | null =>
  path.startsWith("domain/") ? path.split("/")[1] ?? null : null;

Deno.test("domain holds the rooms of the list and no loose file", async () => {
  const names = await Array.fromAsync(Deno.readDir(new URL("domain/", ROOT)));
  assertEquals(names.map(({ name }) => name).toSorted(), ROOMS.toSorted());
  assert(names.every(({ isDirectory }) => isDirectory));
});

Deno.test("a room imports only rooms that stand before it", async () => {
  const wrong: string[] = [];
  for (const { path, imports } of await readSources(["domain"])) {
    const room = roomOf(path);
    if (room === null) continue;
    for (const target of imports) {
      const other = roomOf(target);
      if (target === "deno.json" || other === room) continue;
      const isDown = other !== null && ROOMS.indexOf(other) < ROOMS.indexOf(room);
      const isBeside = SIDE_BY_SIDE.some((pair) => pair.includes(room) && pair.includes(other!));
      if (!isDown || isBeside) wrong.push(`${path} imports ${target}`);
    }
  }
  assertEquals(wrong, []);
});

Deno.test("routes, jobs and mcp import the domain and not each other", async () => {
  const wrong = (await readSources(FACES)).flatMap(({ path, imports }) => {
    const face = path.split("/")[0]!;
    if (!FACES.includes(face)) return []; // main.ts joins them
    const allowed = (target: string) =>
      target === "deno.json" || [face, "domain"].includes(target.split("/")[0]!);
    return imports.filter((target) => !allowed(target)).map((target) => `${path}: ${target}`);
  });
  assertEquals(wrong, []);
});

Deno.test("no file imports itself, by any way and through any number of others", async () => {
  assertEquals(circles(await readSources()), []);
});

Deno.test("a circle is found: by a type, by a worker's address, through three files", () => {
  const file = (path: string, ...imports: string[]): Source => ({ path, text: "", imports });
  const found = circles([
    file("a.ts", "b.ts"),
    file("b.ts", "c.ts", "d.ts"),
    file("c.ts", "a.ts"),
    file("d.ts"),
    file("e.ts", "e.ts"),
  ]);
  assertEquals(found, [["a.ts", "b.ts", "c.ts"], ["e.ts"]]);
});

Deno.test("no file needs 300 lines, and half of them need fewer than 100", async () => {
  const sources = [...await readSources(), ...await readSources(["tests"])];
  const length = ({ text }: Source) => text.split("\n").length - 1;
  assertEquals(sources.filter((source) => length(source) > 300).map(({ path }) => path), []);
  const lengths = (await readSources()).map(length).toSorted((a, b) => a - b);
  assert(lengths[Math.floor(lengths.length / 2)]! < 100, "the median file has 100 lines or more");
});

Deno.test("outside of typed arrays, few values are asserted to be there with `!`", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["lint", "--json", "--rules-tags=", "--rules-include=no-non-null-assertion"]
      .concat("domain", FACES, "main.ts"),
    cwd: ROOT,
  }).output();
  const { diagnostics } = JSON.parse(new TextDecoder().decode(stdout)) as {
    diagnostics: { filename: string; code: string; range: { start: { line: number } } }[];
  };
  const places = diagnostics.filter(({ code }) => code === "no-non-null-assertion")
    .map(({ filename, range }) => `${filename.slice(ROOT.href.length)}:${range.start.line}`)
    .filter((place) => !TYPED_ARRAYS.some((folder) => place.startsWith(folder)));
  assert(places.length <= MOST_ASSERTIONS, `${places.length} places: ${places.join(", ")}`);
});
