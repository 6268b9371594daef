/** What Lighthouse says of Studio's pages on a brand with many posts, in Debian's Chromium. */
import { CHROMIUM, hasChromium } from "../support/browser.ts";
import { npmTool, runTool } from "../support/npm_tool.ts";
import { freePort } from "../support/process.ts";
import { testService } from "../support/service.ts";
import { busyBrand } from "./busy_brand.ts";
import type { Bench, Figure } from "./figure.ts";

const TOOL = "npm:lighthouse@13.5.0";
const PAGES = { Today: "", Calendar: "/calendar", Insights: "/insights" };
/** The least of each category, of 100. */
const CATEGORIES = { accessibility: 100, "best-practices": 95, performance: 95 } as const;
/** The one that depends on what else the machine does: the best of so many runs counts. */
const RUNS = 3;

interface Report {
  categories: Record<keyof typeof CATEGORIES, { score: number | null }>;
  audits: Record<string, { score: number | null; title: string; displayValue?: string }>;
}

export const bench: Bench = async ({ quick, page: wanted }) => {
  // A quick run is a part of the gate, which must not depend on a download and a browser's mood.
  if (quick) return [];
  if (!await hasChromium()) return skipped(`there is no ${CHROMIUM}`);
  const tool = await npmTool(TOOL);
  if (tool.ignore) return skipped(`${TOOL} can't be fetched`);
  const [posts, scheduled] = [10_000, 500];
  const port = freePort();
  const BASE_URL = `http://127.0.0.1:${port}`;
  // Painted pictures are as large as a real brand's, which decides how long a phone waits for them.
  await using t = await testService({ environ: { BASE_URL, PORT: String(port) }, paints: true });
  const { furnished: { person }, app } = await busyBrand(t, { posts, scheduled });
  const server = Deno.serve(
    { port, hostname: "127.0.0.1", onListen() {} },
    (request) => app.fetch(request),
  );
  const look = async (path: string): Promise<Report> => {
    const { code, output, errors } = await runTool(tool, [
      BASE_URL + person.at(path),
      ...["--output=json", "--quiet", `--only-categories=${Object.keys(CATEGORIES)}`],
      `--extra-headers=${JSON.stringify({ cookie: person.cookie })}`,
      "--chrome-flags=--headless=new --no-sandbox",
    ], { CHROME_PATH: CHROMIUM });
    if (code !== 0) throw new Error(errors);
    return JSON.parse(output);
  };
  const figures: Figure[] = [];
  for (const [page, path] of Object.entries(PAGES)) {
    if (wanted !== "" && page !== wanted) continue;
    // The first answer builds the tables of the brand, which a service that is used has.
    const headers = { cookie: person.cookie };
    await (await fetch(BASE_URL + person.at(path), { headers })).text();
    const reports: Report[] = [];
    for (let run = 0; run < RUNS; run++) reports.push(await look(path));
    for (const [name, atLeast] of Object.entries(CATEGORIES)) {
      const scores = reports.map(({ categories }) =>
        (categories[name as keyof typeof CATEGORIES].score ?? 0) * 100
      );
      figures.push({
        name: `Lighthouse: ${page} on a phone, ${name.replace("-", " ")}, of 100`,
        measured: Math.max(...scores),
        atLeast,
        note: `${posts.toLocaleString("en-US")} posts, ${scheduled} scheduled`,
      });
    }
  }
  await server.shutdown();
  return figures;
};

const skipped = (why: string): Figure[] => [{ name: `Lighthouse: skipped, ${why}`, measured: 0 }];
