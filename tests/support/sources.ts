/** The project's own source files, and which of them imports which. */

export const ROOT = new URL("../..", import.meta.url);
export const FACES = ["routes", "jobs", "mcp"];

export interface Source {
  /** Path from the project's root: `domain/kv/transact.ts`. */
  path: string;
  text: string;
  /** Paths from the root of every file that it names: by `from`, `import(…)` or `new URL(…)`. */
  imports: string[];
}

/** Reads the sources below the folders, tests apart unless they are asked for. */
export async function readSources(
  folders: string[] = ["domain", ...FACES],
): Promise<Source[]> {
  const sources: Source[] = [];
  for (const folder of folders) {
    for await (const url of filesBelow(new URL(`${folder}/`, ROOT))) {
      sources.push(await readSource(url));
    }
  }
  if (!folders.includes("tests")) sources.push(await readSource(new URL("main.ts", ROOT)));
  return sources;
}

async function* filesBelow(folder: URL): AsyncGenerator<URL> {
  if (!await Deno.stat(folder).catch(() => null)) return;
  for await (const entry of Deno.readDir(folder)) {
    const url = new URL(entry.name + (entry.isDirectory ? "/" : ""), folder);
    if (entry.isDirectory) yield* filesBelow(url);
    else if (/\.tsx?$/.test(entry.name)) yield url;
  }
}

const NAMED = /(?:\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\(\s*)"(\.{1,2}\/[^"]+)"/g;

async function readSource(url: URL): Promise<Source> {
  const text = await Deno.readTextFile(url);
  const imports = [...text.matchAll(NAMED)].map(([, named]) => pathOf(new URL(named ?? "", url)));
  return { path: pathOf(url), text, imports };
}

const pathOf = (url: URL): string => url.pathname.slice(ROOT.pathname.length);

/** Groups of files that import each other in a circle, a file that imports itself included. */
export function circles(sources: Source[]): string[][] {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports]));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];

  // Tarjan's strongly connected components.
  const visit = (path: string): number => {
    const index = order.size;
    order.set(path, index);
    let low = index;
    open.push(path);
    for (const next of importsOf.get(path) ?? []) {
      if (!importsOf.has(next)) continue;
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? low);
    }
    lowest.set(path, low);
    if (low === index) {
      const group = open.splice(open.indexOf(path));
      const importsItself = importsOf.get(path)?.includes(path) ?? false;
      if (group.length > 1 || importsItself) found.push(group.toSorted());
    }
    return low;
  };
  for (const path of importsOf.keys()) if (!order.has(path)) visit(path);
  return found;
}
