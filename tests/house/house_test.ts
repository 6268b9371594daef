/** The house rules that a machine can check beside the order of rooms: top level, doors, opening lines. */
import { assert } from "@std/assert";
import { FACES, readSources, ROOT } from "../support/sources.ts";

Deno.test("the top level holds what the design names and what tools demand", async () => {
  const allowed = new Set([
    ...["main.ts", "domain", ...FACES, "tests", "deno.json", "deno.lock", "README.md"],
    ...[
      ".ci",
      ".git",
      ".github",
      ".gitignore",
      "LICENSE",
      ".data",
      "node_modules",
      "coverage",
      "target",
    ],
  ]);
  for await (const entry of Deno.readDir(ROOT)) assert(allowed.has(entry.name), entry.name);
});

Deno.test("the domain reads time, environment and the network only through the context", async () => {
  /** Where a door is made, the outside may be named. */
  const doors: Record<string, string[]> = {
    "Date.now(": ["domain/foundation/calendar.ts"],
    "Deno.env": [
      "domain/kv/open.ts",
      "domain/media/images/fonts.ts",
      "domain/media/images/sharp.ts",
    ],
    "new Date()": [],
    " fetch(": [],
  };
  for (const { path, text } of await readSources(["domain"])) {
    if (path === "main.ts") continue;
    for (const [use, where] of Object.entries(doors)) {
      if (text.includes(use)) assert(where.includes(path), `${path} uses ${use.trim()}`);
    }
  }
});

Deno.test("every file opens with a line that says what it is for", async () => {
  for (const { path, text } of [...await readSources(), ...await readSources(["tests"])]) {
    assert(text.startsWith("/**"), `${path} has no opening line`);
  }
});

Deno.test("nothing names the folder that lies beside the project at run time", async () => {
  for (const { path, text } of await readSources()) assert(!text.includes("../shared"), path);
});

Deno.test("Studio reads and writes by operations only, never the store", async () => {
  const studio = (await readSources(["routes"])).filter(({ path }) =>
    path.startsWith("routes/studio/")
  );
  assert(studio.length > 0);
  for (const { path, text, imports } of studio) {
    assert(!/\bkv\b/.test(text), `${path} names the store`);
    for (const target of imports) {
      assert(!target.startsWith("domain/kv/"), `${path} imports ${target}`);
    }
  }
});
