/** The house rules that a machine can check: the top level, and imports that run one way. */
import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("..", import.meta.url);
const ROOMS = ["domain", "routes", "jobs", "mcp"];
const MAY_IMPORT: Record<string, string[]> = {
  domain: ["domain"],
  routes: ["routes", "domain"],
  mcp: ["mcp", "domain"],
  jobs: ["jobs", "domain"],
};

async function* sources(folder: URL): AsyncGenerator<URL> {
  if (!await Deno.stat(folder).catch(() => null)) return;
  for await (const entry of Deno.readDir(folder)) {
    const url = new URL(entry.name + (entry.isDirectory ? "/" : ""), folder);
    if (entry.isDirectory) yield* sources(url);
    else if (entry.name.endsWith(".ts")) yield url;
  }
}

Deno.test("the top level holds what the design names and what tools demand", async () => {
  const allowed = new Set([
    ...["main.ts", ...ROOMS, "tests", "deno.json", "deno.lock", "README.md"],
    ...[".ci", ".git", ".github", ".gitignore", "LICENSE", ".data", "node_modules", "coverage"],
  ]);
  for await (const entry of Deno.readDir(ROOT)) assert(allowed.has(entry.name), entry.name);
});

Deno.test("imports run one way, and routes and mcp don't know each other", async () => {
  for (const room of ROOMS) {
    const home = new URL(`${room}/`, ROOT);
    for await (const file of sources(home)) {
      const text = await Deno.readTextFile(file);
      for (const [, path] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
        const target = new URL(path!, file).pathname.slice(ROOT.pathname.length).split("/")[0]!;
        if (target === "deno.json") continue;
        assert(MAY_IMPORT[room]!.includes(target), `${file.pathname} imports ${path}`);
      }
    }
  }
});

Deno.test("the domain reads time, environment and the network only through the context", async () => {
  const doors: Record<string, string[]> = {
    // Where a door is made, the outside may be named.
    "Date.now(": ["domain/clock.ts"],
    "Deno.env": ["domain/store.ts", "domain/overlays/fonts.ts", "domain/images/sharp.ts"],
    "new Date()": [],
    " fetch(": [],
  };
  for await (const file of sources(new URL("domain/", ROOT))) {
    const name = file.pathname.slice(ROOT.pathname.length);
    const text = await Deno.readTextFile(file);
    for (const [use, where] of Object.entries(doors)) {
      if (text.includes(use)) assert(where.includes(name), `${name} uses ${use.trim()}`);
    }
  }
});

Deno.test("every file opens with a line that says what it is for, and none needs 300 lines", async () => {
  const folders = [...ROOMS, "tests"].map((room) => new URL(`${room}/`, ROOT));
  for (const folder of folders) {
    for await (const file of sources(folder)) {
      const text = await Deno.readTextFile(file);
      assert(text.startsWith("/**"), `${file.pathname} has no opening line`);
      const lines = text.split("\n").length;
      assertEquals(lines <= 300, true, `${file.pathname} has ${lines} lines`);
    }
  }
});

Deno.test("nothing names the folder that lies beside the project at run time", async () => {
  for (const room of ROOMS) {
    for await (const file of sources(new URL(`${room}/`, ROOT))) {
      const text = await Deno.readTextFile(file);
      assert(!text.includes("../shared"), file.pathname);
    }
  }
});
