/** The load balancer of the guide (`routes/docs/haproxy.cfg`), at addresses of the test's own. */
import { freePort, sendSignal } from "./process.ts";

const CONFIG = new URL("../../routes/docs/haproxy.cfg", import.meta.url);
/** The processes that the configuration names, for reads and for writes. */
const PROCESSES = ["127.0.0.1:8001", "127.0.0.1:8002"];
const READS = lines(PROCESSES, () => "");
const WRITES = lines(PROCESSES, (name) => ` track reads/${name}`);
const START_MS = 10_000;

/** Whether haproxy is installed; else tests that need it say that they skip. */
export const hasHaproxy: boolean = await new Deno.Command("haproxy", { args: ["-v"] })
  .output().then(({ success }) => success, () => false);

interface Addresses {
  /** Of the processes, without `http://`. */
  processes: string[];
  denokv: string;
}

export class Haproxy implements AsyncDisposable {
  /** Where clients call. */
  readonly url: string;
  /** For `KV_URL`. */
  readonly kvUrl: string;
  readonly #child: Deno.ChildProcess;
  readonly #dir: string;

  constructor(child: Deno.ChildProcess, dir: string, port: number, kvPort: number) {
    this.#child = child;
    this.#dir = dir;
    this.url = `http://127.0.0.1:${port}`;
    this.kvUrl = `http://127.0.0.1:${kvPort}`;
  }

  async listens(): Promise<void> {
    const giveUpAt = performance.now() + START_MS;
    while (performance.now() < giveUpAt) {
      const port = Number(new URL(this.url).port);
      const connection = await Deno.connect({ hostname: "127.0.0.1", port }).catch(() => null);
      connection?.close();
      if (connection !== null) return;
      await new Promise((done) => setTimeout(done, 20));
    }
    throw new Error("haproxy did not start");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    sendSignal(this.#child, "SIGTERM");
    await this.#child.status;
    await Deno.remove(this.#dir, { recursive: true });
  }
}

/** Starts it. `anywhere` sends each request to the next process instead of the key's own. */
export async function startHaproxy(
  { processes, denokv }: Addresses,
  { anywhere = false } = {},
): Promise<Haproxy> {
  const [port, kvPort] = [freePort(), freePort()];
  const changes: Record<string, string> = {
    "127.0.0.1:8000": `127.0.0.1:${port}`,
    [READS]: lines(processes, () => ""),
    [WRITES]: lines(processes, (name) => ` track reads/${name}`),
    "127.0.0.1:4513": `127.0.0.1:${kvPort}`,
    "127.0.0.1:4512": denokv,
    ...(anywhere && { "balance hdr(Authorization)": "balance roundrobin" }),
  };
  let config = await Deno.readTextFile(CONFIG);
  for (const [written, here] of Object.entries(changes)) {
    if (!config.includes(written)) throw new Error(`haproxy.cfg has no ${written}`);
    config = config.replaceAll(written, here);
  }
  const dir = await Deno.makeTempDir({ prefix: "marquee-haproxy-" });
  await Deno.writeTextFile(`${dir}/haproxy.cfg`, config);
  const child = new Deno.Command("haproxy", {
    args: ["-db", "-f", `${dir}/haproxy.cfg`],
    stdout: "null",
    stderr: "null",
  }).spawn();
  const haproxy = new Haproxy(child, dir, port, kvPort);
  await haproxy.listens();
  return haproxy;
}

/** The lines of a backend's servers. */
function lines(processes: string[], more: (name: string) => string): string {
  return processes
    .map((address, nth) => `  server p${nth + 1} ${address}${more(`p${nth + 1}`)}\n`).join("");
}
