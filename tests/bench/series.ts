/** Planning many series in one pass: processor time each, and what other requests feel of it. */
import { type Bench, median, percentile } from "./figure.ts";

/** A request every so many ms, whatever the answers take. */
const EVERY_MS = 5;
const IDLE_MS = 4_000;
const ROUNDS = 3;

export const bench: Bench = async ({ quick }) => {
  const count = quick ? 100 : 1_000;
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-bench-" });
  const server = await spawn(count, dataDir);
  try {
    await during(server, () => wait(1_000));
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0) await server.reset();
      const idle = await during(server, () => wait(IDLE_MS));
      let pass: PassTime | undefined;
      const busy = await during(server, async () => pass = await server.pass());
      rounds.push({ pass: pass!, idle99: percentile(idle, 0.99), busy99: percentile(busy, 0.99) });
    }
    const again = await server.pass();
    const { pass, idle99, busy99 } = rounds.toSorted((a, b) => ratioOf(a) - ratioOf(b))[
      Math.floor(rounds.length / 2)
    ]!;
    const cpu = median(rounds.map(({ pass }) => pass.cpuMs / pass.series));
    return [
      {
        name: `processor time of planning one of ${count} series in one pass, ms`,
        measured: cpu,
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
        name: "p99 of other requests during that pass / while idle just before",
        measured: busy99 / idle99,
        atMost: 3,
        note: `${busy99.toFixed(1)} and ${idle99.toFixed(1)} ms; median of ${rounds.length} rounds`,
      },
    ];
  } finally {
    await server.stop();
    await Deno.remove(dataDir, { recursive: true });
  }
};

interface Round {
  pass: PassTime;
  idle99: number;
  busy99: number;
}

const ratioOf = ({ idle99, busy99 }: Round) => busy99 / idle99;

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
  /** Forgets what was planned. */
  reset(): Promise<void>;
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
    async reset() {
      await writer.write(new TextEncoder().encode("reset\n"));
      await line();
    },
    async stop() {
      child.kill("SIGKILL");
      await child.status;
      await reader.cancel();
      await writer.abort().catch(() => {});
    },
  };
}

/** Asks for posts at a steady pace during `action`; answers how long each answer took, ms. */
async function during(
  { port, secrets }: Server,
  action: () => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  const open: Promise<void>[] = [];
  const ask = async (sent: number) => {
    const page = sent % 5 + 1;
    const startedAt = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/v1/posts?perPage=20&page=${page}`, {
      headers: { authorization: `Bearer ${secrets[sent % secrets.length]}` },
    });
    await answer.body?.cancel();
    times.push(performance.now() - startedAt);
  };
  const timer = setInterval(() => open.push(ask(open.length)), EVERY_MS);
  await action();
  clearInterval(timer);
  await Promise.all(open);
  return times;
}

const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
