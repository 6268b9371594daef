/** Several processes on one KV Connect server behind haproxy, against one process on the same machine. */
import { hasDenokv, KV_TOKEN, startDenokv } from "../support/denokv.ts";
import { hasHaproxy, startHaproxy } from "../support/haproxy.ts";
import { freePort, sendSignal } from "../support/process.ts";
import { type Bench, type Figure, median } from "./figure.ts";
import { getRequest, load, type Loaded } from "./load.ts";

const SERVER = new URL("./scale_server.ts", import.meta.url).pathname;
const PROCESSES = 3;
/** Ticks of the processor clock in a second, as Linux reports them. */
const TICKS = 100;

export const bench: Bench = async ({ quick }) => {
  if (!hasDenokv || !hasHaproxy) {
    return [{
      name: "several processes: skipped, because denokv or haproxy is missing",
      measured: 0,
    }];
  }
  const [brands, posts, seconds, rounds] = quick ? [10, 5, 1, 1] : [500, 20, 8, 3];
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-bench-" });
  await using denokv = await startDenokv();
  const ports = Array.from({ length: PROCESSES }, freePort);
  const addresses = ports.map((port) => `127.0.0.1:${port}`);
  const store = new URL(denokv.url).host;
  await using one = await startHaproxy({ processes: addresses.slice(0, 1), denokv: store });
  await using pinned = await startHaproxy({ processes: addresses, denokv: store });
  await using anywhere = await startHaproxy({ processes: addresses, denokv: store }, {
    anywhere: true,
  });
  const environ = { DATA_DIR: dataDir, KV_URL: one.kvUrl, DENO_KV_ACCESS_TOKEN: KV_TOKEN };
  const secrets: string[] = JSON.parse(
    await firstLine(launch(["fill", String(brands), String(posts)], environ)),
  );
  const servers = ports.map((port) => launch(["serve", String(port)], environ));
  try {
    await Promise.all(servers.map(firstLine));
    const requests = secrets.map((secret) => getRequest("/v1/posts", secret));
    const measure = (balancer: { url: string }, sent = requests) =>
      measured(servers, { port: Number(new URL(balancer.url).port), seconds, requests: sent });
    const ways = { one, pinned, anywhere };
    // Each process reads each brand once, and haproxy sees that all processes are up.
    for (const way of [anywhere, anywhere, anywhere, pinned, one]) await measure(way);
    const runs: Record<string, Measured[]> = { one: [], pinned: [], anywhere: [], hot: [] };
    for (let round = 0; round < rounds; round++) {
      for (const [name, way] of Object.entries(ways)) runs[name]!.push(await measure(way));
      runs["hot"]!.push(await measure(anywhere, requests.slice(0, 1)));
    }
    return figures(brands, runs);
  } finally {
    for (const server of servers) sendSignal(server, "SIGKILL");
    await Promise.all(servers.map(({ status }) => status));
    await Deno.remove(dataDir, { recursive: true });
  }
};

interface Measured extends Loaded {
  /** Processor time of the service's processes for one request, ms. */
  cpu: number;
}

function figures(brands: number, runs: Record<string, Measured[]>): Figure[] {
  const of = (name: string, value: (run: Measured) => number) => median(runs[name]!.map(value));
  const speed = (name: string) => of(name, ({ requestsPerSecond }) => requestsPerSecond);
  const cpu = (name: string) => of(name, ({ cpu }) => cpu);
  const against = (name: string, atLeast: number, atMost: number): Figure[] => [
    {
      name:
        `${brands} brands, ${PROCESSES} processes, ${name}: requests a second against one process`,
      measured: speed(name) / speed("one"),
      atLeast,
      note: `${Math.round(speed(name))} against ${Math.round(speed("one"))}`,
    },
    {
      name: `the same: processor time a request against one process`,
      measured: cpu(name) / cpu("one"),
      atMost,
      note: `${cpu(name).toFixed(3)} against ${cpu("one").toFixed(3)} ms`,
    },
  ];
  const failed = Object.values(runs).flat().reduce((sum, run) => sum + run.failed, 0);
  const [p99, middle] = [
    of("hot", (run) => run.latency.p99),
    of("hot", (run) => run.latency.median),
  ];
  return [
    ...against("pinned", 1, 1.25),
    ...against("anywhere", 0.5, 2),
    {
      name: `one brand on ${PROCESSES} processes: p99 over the median`,
      measured: p99 / middle,
      atMost: 5,
      note: `${p99.toFixed(1)} over ${middle.toFixed(1)} ms, ${Math.round(speed("hot"))} a second`,
    },
    { name: "answers other than 200", measured: failed, atMost: 0 },
  ];
}

async function measured(
  servers: Deno.ChildProcess[],
  options: { port: number; seconds: number; requests: string[] },
): Promise<Measured> {
  const before = await processorTime(servers);
  const loaded = await load({ ...options, connections: 48 });
  const used = await processorTime(servers) - before;
  return { ...loaded, cpu: used / (loaded.requestsPerSecond * options.seconds) };
}

/** What the processes have used so far, in ms. Linux only; elsewhere 0. */
async function processorTime(servers: Deno.ChildProcess[]): Promise<number> {
  let ticks = 0;
  for (const { pid } of servers) {
    // Deno reads nothing below /proc without all permissions.
    const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/stat`] }).output();
    const stat = new TextDecoder().decode(stdout);
    // Fields 14 and 15, counted behind the name, which may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  }
  return ticks / TICKS * 1_000;
}

function launch(args: string[], env: Record<string, string>): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", "--allow-net", "--allow-env", "--allow-read", "--allow-write"],
      ...["--allow-ffi", "--allow-sys", SERVER, ...args],
    ],
    env,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

async function firstLine({ stdout }: Deno.ChildProcess): Promise<string> {
  let text = "";
  for await (const piece of stdout.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.includes("\n")) return text.slice(0, text.indexOf("\n"));
  }
  throw new Error("The process ended without a word");
}
