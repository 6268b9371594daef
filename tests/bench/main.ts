/** `deno task bench [--quick] [--page=NAME] [NAME ...]`: the figures the issues name, as a markdown table. */
import { type Bench, type Figure, holds } from "./figure.ts";

/** Benchmarks by name; each is imported only when it runs. */
const BENCHES: Record<string, () => Promise<{ bench: Bench }>> = {
  meter: () => import("./meter.ts"),
  posts: () => import("./posts.ts"),
  scale: () => import("./scale.ts"),
  memory: () => import("./memory.ts"),
  insights: () => import("./insights.ts"),
  exports: () => import("./exports.ts"),
  metrics: () => import("./metrics.ts"),
  creations: () => import("./creations.ts"),
  mcp: () => import("./mcp.ts"),
  overlays: () => import("./overlays.ts"),
  series: () => import("./series.ts"),
  studio: () => import("./studio.ts"),
  lighthouse: () => import("./lighthouse.ts"),
  bounds: () => import("./bounds.ts"),
  start: () => import("./start.ts"),
  strategist: () => import("./strategist.ts"),
};

const quick = Deno.args.includes("--quick");
const page = Deno.args.find((arg) => arg.startsWith("--page="))?.slice("--page=".length) ?? "";
const wanted = Deno.args.filter((arg) => !arg.startsWith("--"));
const names = wanted.length > 0 ? wanted : Object.keys(BENCHES);

const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
print("| figure | measured | must | |\n|---|---|---|---|");
let missed = 0;
for (const name of names) {
  const load = BENCHES[name];
  if (load === undefined) throw new Error(`No benchmark ${name}: ${Object.keys(BENCHES)}`);
  const { bench } = await load();
  for (const figure of await bench({ quick, page })) {
    print(row(figure));
    if (!holds(figure)) missed++;
  }
}
// A quick run only shows that the benchmarks run: its sizes are too small to judge by.
Deno.exit(missed > 0 && !quick ? 1 : 0);

function row(figure: Figure): string {
  const must = figure.atLeast !== undefined
    ? `at least ${figure.atLeast}`
    : figure.atMost !== undefined
    ? `at most ${figure.atMost}`
    : "stated";
  const verdict = must === "stated" ? "" : holds(figure) ? "holds" : "missed";
  const note = figure.note === undefined ? "" : ` (${figure.note})`;
  return `| ${figure.name}${note} | ${
    Number(figure.measured.toPrecision(3))
  } | ${must} | ${verdict} |`;
}
