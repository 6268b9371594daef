/** Planning and the strategist are calculations: they reach no store, no service and no platform. */
import { assert, assertEquals } from "@std/assert";

const DOMAIN = new URL("../../domain/", import.meta.url);
const ALLOWED =
  /^(?:foundation|series|models\/writer|posts|media\/images|media\/overlays|platforms\/contract\/format)\b/;
/** Files of those rooms that read or write. */
const STORES = ["series/records.ts", "series/states.ts", "series/strategy.ts", "posts/store.ts"];

/** The files that a file loads at run time, itself included. */
async function loadedBy(file: URL, known = new Set<string>()): Promise<Set<string>> {
  const name = file.href.slice(DOMAIN.href.length);
  if (known.has(name)) return known;
  known.add(name);
  const text = await Deno.readTextFile(file);
  const imports = text.matchAll(
    /^(?:import|export) (?!type\b)[^;]*? from "(\.[^"]+)"|import\("(\.[^"]+)"\)/gm,
  );
  for (const [, named, dynamic] of imports) {
    const target = new URL(named ?? dynamic ?? "", file);
    if (target.pathname.endsWith(".ts")) await loadedBy(target, known);
  }
  return known;
}

for (const folder of ["planning", "strategist"]) {
  Deno.test(`${folder} loads nothing that stores, serves or calls out`, async () => {
    const home = new URL(`series/${folder}/`, DOMAIN);
    const loaded = new Set<string>();
    for await (const { name } of Deno.readDir(home)) await loadedBy(new URL(name, home), loaded);
    assert(loaded.size > 6, "their imports are followed");
    assertEquals([...loaded].filter((name) => !ALLOWED.test(name) || STORES.includes(name)), []);
  });
}
