/** Deno Deploy in small: instances without a disk, started by a request or a cron, stopped when idle. */
import { PASS_NAMES } from "../../domain/kv/passes.ts";
import { CronPlatform } from "../support/cron_platform.ts";
import { freePort, type ServiceProcess, startProcess } from "../support/process.ts";

/** Deploy's limits: memory by default, and how long an instance may take to end. */
const MEMORY_MB = 768;
const END_MS = 5_000;

interface Instance {
  process: ServiceProcess;
  crons: CronPlatform;
  tmp: string;
}

export interface Tally {
  started: number;
  stopped: number;
  killed: number;
  /** Took longer than Deploy allows. */
  endedLate: number;
  cronsFailed: number;
}

export class Cloud implements AsyncDisposable {
  /** The public address. */
  readonly url: string;
  readonly tally: Tally = { started: 0, stopped: 0, killed: 0, endedLate: 0, cronsFailed: 0 };
  readonly #environ: Record<string, string>;
  readonly #writable: string[];
  readonly #slots: (Promise<Instance> | null)[];
  readonly #gateway: Deno.HttpServer<Deno.NetAddr>;
  readonly #printed: string[] = [];
  /** Traffic is led around this slot, because its instance is about to be killed. */
  #avoided = -1;
  #turn = 0;
  #clock = "";

  /** @param writable folders that all instances share; usually none */
  constructor(instances: number, environ: Record<string, string>, writable: string[] = []) {
    this.#slots = Array.from({ length: instances }, () => null);
    this.#writable = writable;
    const port = freePort();
    this.url = `http://127.0.0.1:${port}`;
    this.#environ = { ...environ, BASE_URL: this.url };
    const options = { hostname: "127.0.0.1", port, onListen: () => {} };
    this.#gateway = Deno.serve(options, (request) => this.#forward(request));
  }

  /** What the instances have logged, one JSON value a line. */
  get logged(): string[] {
    return this.#printed.join("").split("\n").filter((line) => line.startsWith("{"));
  }

  /** Stops the idle instances; those that start next live at `instant`. */
  async turnTo(instant: string): Promise<void> {
    await Promise.all(this.#slots.map((_, slot) => this.#stop(slot)));
    this.#clock = instant;
  }

  /** Runs all crons on one instance, which they start. */
  async runCrons(slot: number): Promise<void> {
    const { crons } = await this.#started(slot);
    const ran = await Promise.all(PASS_NAMES.map((name) => crons.run(name)));
    this.tally.cronsFailed += ran.filter((success) => !success).length;
  }

  /** Kills an instance in the middle of its crons; clients no longer reach it by then. */
  async killInCrons(slot: number, afterMs: number): Promise<void> {
    this.#avoided = slot;
    const { process, crons, tmp } = await this.#started(slot);
    const ran = Promise.all(PASS_NAMES.map((name) => crons.run(name)));
    await new Promise((done) => setTimeout(done, afterMs));
    const { output } = await process.stop("SIGKILL");
    await ran;
    await this.#forget(slot, { process, crons, tmp }, output);
    this.tally.killed++;
    this.#avoided = -1;
  }

  /** Deploy leads each request to any instance. */
  async #forward(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    let slot = this.#turn++ % this.#slots.length;
    if (slot === this.#avoided) slot = this.#turn++ % this.#slots.length;
    const { process } = await this.#started(slot);
    const { method, headers } = request;
    const body = method === "GET" || method === "HEAD" ? null : await request.arrayBuffer();
    const init = { method, headers, body, redirect: "manual" } as const;
    const answer = await fetch(process.url + pathname + search, init).catch(() => null);
    if (answer === null) return new Response("no instance", { status: 502 });
    // `fetch` has decompressed the body.
    const told = new Headers(answer.headers);
    for (const name of ["content-encoding", "content-length"]) told.delete(name);
    return new Response(answer.body, { status: answer.status, headers: told });
  }

  #started(slot: number): Promise<Instance> {
    return this.#slots[slot] ??= this.#start();
  }

  async #start(): Promise<Instance> {
    const tmp = await Deno.makeTempDir({ prefix: "marquee-instance-" });
    const crons = new CronPlatform();
    const writable = [tmp, ...this.#writable].join(",");
    const process = await startProcess({
      dataDir: `${tmp}/none`,
      environ: { TMPDIR: tmp, CLOCK: this.#clock, ...crons.environ, ...this.#environ },
      flags: ["--no-prompt", "--allow-net", "--allow-env", "--allow-read", "--allow-ffi"]
        .concat("--allow-sys", `--allow-write=${writable}`)
        .concat(`--v8-flags=--max-old-space-size=${MEMORY_MB}`),
    });
    await crons.registered(PASS_NAMES.length);
    this.tally.started++;
    return { process, crons, tmp };
  }

  async #stop(slot: number): Promise<void> {
    const starting = this.#slots[slot];
    if (!starting) return;
    const instance = await starting;
    const since = performance.now();
    const { output } = await instance.process.stop("SIGINT");
    if (performance.now() - since > END_MS) this.tally.endedLate++;
    this.tally.stopped++;
    await this.#forget(slot, instance, output);
  }

  async #forget(slot: number, { crons, tmp }: Instance, output: string): Promise<void> {
    this.#slots[slot] = null;
    this.#printed.push(`${output}\n`);
    await crons[Symbol.asyncDispose]();
    await Deno.remove(tmp, { recursive: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#slots.map((_, slot) => this.#stop(slot)));
    await this.#gateway.shutdown();
  }
}
