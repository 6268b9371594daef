/** Memory of many small brands, and what a cold process reads before it answers for a large one. */
import { type Bench, type Figure } from "./figure.ts";
import type { Cold } from "./memory_cold.ts";
import type { Served } from "./memory_server.ts";

const MB = 1e6;
/** V8 as on a plan of 768 MB; on a large machine it keeps some 50 MB more of garbage. */
const PLAN = "--v8-flags=--max-heap-size=512";

export const bench: Bench = async ({ quick }) => [
  ...await small(quick ? 20 : 1_000, 100),
  ...await large(quick ? 2_000 : 100_000),
];

async function small(brands: number, posts: number): Promise<Figure[]> {
  await using dir = await folder();
  await run(["fill", dir.path, String(brands), String(posts)]);
  const plan: Served = await run(["serve", dir.path], [PLAN]);
  const here: Served = await run(["serve", dir.path]);
  const shown = ({ rss }: Served) => rss.map((bytes) => Math.round(bytes / MB)).join(", ");
  const name = `resident memory after two reads of each of ${
    brands.toLocaleString("en-US")
  } brands of ${posts} posts, MB`;
  return [
    {
      name: `${name}, with the heap of a plan of 768 MB`,
      measured: plan.rss.at(-1)! / MB,
      atMost: 250,
      note: `at the start, after one and two: ${shown(plan)}`,
    },
    { name: `${name}, as this machine has it`, measured: here.rss.at(-1)! / MB, note: shown(here) },
  ];
}

async function large(posts: number): Promise<Figure[]> {
  await using dir = await folder();
  await run(["fill", dir.path, "1", String(posts)]);
  const { list, first, firstReads, listed, saved, held }: Cold = await run(["cold", dir.path]);
  const cold = `a cold process, ${posts.toLocaleString("en-US")} posts`;
  const all = `a bare list of the posts ${Math.round(list)} ms`;
  const against = (name: string, measured: number, theirs: number): Figure[] => [
    { name: `${cold}: ${name} from a saved index, ms`, measured, atMost: 1_500, note: all },
    {
      name: `${cold}: the same against an index from the list`,
      measured: measured / theirs,
      atMost: 0.5,
      note: `from the list ${Math.round(theirs)} ms`,
    },
  ];
  return [
    { name: `${cold}: values read for the first page`, measured: firstReads, atMost: 50 },
    { name: `${cold}: first page, ms`, measured: first, atMost: 300 },
    ...against("another order and a filter", saved.sorted, listed.sorted),
    ...against("free text", saved.searched, listed.searched),
    { name: `${cold}: values read with a saved index`, measured: saved.reads, atMost: 50 },
    {
      name: `${cold}: another order and a filter from the list, against a bare list`,
      measured: listed.sorted / list,
      atMost: 1.6,
    },
    {
      name: `${cold}: free text from the list, against a bare list`,
      measured: listed.searched / list,
      atMost: 2,
    },
    { name: "the longest that loading it holds others up, ms", measured: held.loading, atMost: 20 },
    { name: "the longest that saving it holds others up, ms", measured: held.saving, atMost: 20 },
  ];
}

async function run<T>(args: string[], flags: string[] = []): Promise<T> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", "--allow-net", "--allow-env", "--allow-read", "--allow-write"],
      ...["--allow-ffi", "--allow-sys", ...flags],
      ...[new URL("./memory_server.ts", import.meta.url).pathname, ...args],
    ],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`${args[0]} failed`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function folder() {
  const path = await Deno.makeTempDir({ prefix: "marquee-bench-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
