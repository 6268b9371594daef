/** Planning many series in one pass: processor time each, and what other requests feel of it. */
import { type Bench, median, percentile } from "./figure.ts";

/** A request every so many ms, whatever the answers take. */
const EVERY_MS = 5;
const IDLE_MS = 4_000;

export const bench: Bench = async ({ quick }) => {
  const count = quick ? 100 : 1_000;
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-bench-" });
  const server = await spawn(count, dataDir);
  try {
    const warm = probe(server);
    await wait(1_000);
    await warm.stop();
    const quiet = probe(server);
    await wait(IDLE_MS);
    const idle = await quiet.stop();
    const load = probe(server);
    // A probe alone costs processor time, too: what it cost while idle is taken off.
    const pass = await server.pass();
    const busy = await load.stop();
    const again = await server.pass();
    const [idle99, busy99] = [percentile(idle, 0.99), percentile(busy, 0.99)];
    return [
      {
        name: `processor time of planning one of ${count} series in one pass, ms`,
        measured: pass.cpuMs / pass.series,
        atMost: 5,
        note: `${pass.planned} slots in ${Math.round(pass.ms)} ms, requests included`,
      },
      {
        name: "processor time of a pass with nothing to plan, ms each",
        measured: again.cpuMs / again.series,
        atMost: 5,
        note: `${again.planned} slots in ${Math.round(again.ms)} ms`,
      },
      {
        name: "p99 of other requests during that pass / while idle",
        measured: busy99 / idle99,
        atMost: 3,
        note: `${busy99.toFixed(1)} and ${idle99.toFixed(1)} ms; medians ${
          median(busy).toFixed(1)
        } and ${median(idle).toFixed(1)} ms`,
      },
    ];
  } finally {
    await server.stop();
    await Deno.remove(dataDir, { recursive: true });
  }
};

interface PassTime {
  series: number;
  planned: number;
  cpuMs: number;
  ms: number;
}

interface Server {
  port: number;
  secrets: string[];
  pass(): Promise<PassTime>;
  stop(): Promise<void>;
}

async function spawn(count: number, dataDir: string): Promise<Server> {
  const file = new URL("./series_server.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "-A", file, String(count), dataDir],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const writer = child.stdin.getWriter();
  let text = "";
  const line = async () => {
    while (!text.includes("\n")) text += (await reader.read()).value ?? "";
    const [first = "", ...rest] = text.split("\n");
    text = rest.join("\n");
    return JSON.parse(first);
  };
  const { port, secrets } = await line();
  return {
    port,
    secrets,
    async pass() {
      await writer.write(new TextEncoder().encode("pass\n"));
      return await line();
    },
    async stop() {
      child.kill("SIGKILL");
      await child.status;
      await reader.cancel();
      await writer.abort().catch(() => {});
    },
  };
}

/** Asks for posts at a steady pace and keeps how long each answer took, ms. */
function probe({ port, secrets }: Server): { stop(): Promise<number[]> } {
  const times: number[] = [];
  const open: Promise<void>[] = [];
  let sent = 0;
  const ask = async () => {
    const secret = secrets[sent++ % secrets.length]!;
    const startedAt = performance.now();
    const answer = await fetch(
      `http://127.0.0.1:${port}/v1/posts?perPage=20&page=${sent % 5 + 1}`,
      {
        headers: { authorization: `Bearer ${secret}` },
      },
    );
    await answer.body?.cancel();
    times.push(performance.now() - startedAt);
  };
  const timer = setInterval(() => open.push(ask()), EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      return times;
    },
  };
}

const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
