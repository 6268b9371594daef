/** A real service in a real process: for kill -9, two processes on one store, real sockets. */
import type { Environ } from "../../domain/foundation/settings.ts";
import { TASK_ENVIRON, taskFlags } from "./task_flags.ts";
import type { Json } from "./json.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const START_MS = 30_000;

export interface ProcessOptions {
  dataDir: string;
  /** `dev` seeds a demo brand and mounts the sandbox; `start` is production. */
  mode?: "dev" | "start";
  environ?: Environ;
  port?: number;
  /** Another Deno than the one that runs the tests. */
  deno?: string;
  /** Other permissions and flags than the task's. */
  flags?: string[];
}

/** A port that was free a moment ago. */
export function freePort(): number {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  return listener.addr.port;
}

/** Sends a signal; a child that ended a moment before is as good as stopped. */
export function sendSignal(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    child.kill(signal);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

export class ServiceProcess implements AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly #child: Deno.ChildProcess;
  readonly #read: Promise<unknown>;
  #printed = "";
  #ended = false;

  constructor(child: Deno.ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    void child.status.then(() => this.#ended = true);
    this.#read = Promise.all([child.stdout, child.stderr].map(async (stream) => {
      for await (const text of stream.pipeThrough(new TextDecoderStream())) this.#printed += text;
    }));
  }

  /** What it has printed so far. */
  get printed(): string {
    return this.#printed;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    await this.stop("SIGKILL");
  }

  /** Sends a signal that does not end it. */
  signal(signal: Deno.Signal): void {
    sendSignal(this.#child, signal);
  }

  get isEnded(): boolean {
    return this.#ended;
  }

  /** Sends a signal and waits for the end; answers what it printed. */
  async stop(signal: Deno.Signal = "SIGTERM"): Promise<{ code: number; output: string }> {
    sendSignal(this.#child, signal);
    return await this.ended();
  }

  /** The exit code and what was printed, once it ended by itself. */
  async ended(): Promise<{ code: number; output: string }> {
    const { code } = await this.#child.status;
    await this.#read;
    return { code, output: this.#printed };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop("SIGKILL");
  }
}

/** Starts the service without waiting for it to answer. */
export function launch(options: ProcessOptions): ServiceProcess {
  const port = options.port ?? freePort();
  const mode = options.mode ?? "start";
  const flags = options.flags ?? taskFlags(mode, options.dataDir);
  const child = new Deno.Command(options.deno ?? Deno.execPath(), {
    args: ["run", ...flags, "main.ts", ...(mode === "dev" ? ["--dev"] : [])],
    cwd: ROOT,
    env: {
      ...TASK_ENVIRON,
      DATA_DIR: options.dataDir,
      PORT: String(port),
      SECRET_KEY: "a secret for tests only, and long enough",
      LOG_LEVEL: "warn",
      ...options.environ as Record<string, string>,
    },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return new ServiceProcess(child, port);
}

/** Starts the service and waits until it answers. */
export async function startProcess(options: ProcessOptions): Promise<ServiceProcess> {
  const service = launch(options);
  const giveUpAt = performance.now() + START_MS;
  while (performance.now() < giveUpAt && !service.isEnded) {
    const answer = await fetch(`${service.url}/healthz`).catch(() => null);
    await answer?.body?.cancel();
    if (answer !== null) return service;
    await new Promise((done) => setTimeout(done, 20));
  }
  const { output } = await service.stop("SIGKILL");
  throw new Error(`The service did not start: ${output}`);
}

/** Runs `deno task admin ...` as a process of its own; throws what it printed on stderr. */
export async function admin(
  dataDir: string,
  args: string[],
  environ: Environ = {},
  stdin?: string,
): Promise<Json> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...taskFlags("admin", dataDir), "jobs/admin.ts", ...args],
    cwd: ROOT,
    env: {
      DATA_DIR: dataDir,
      SECRET_KEY: "a secret for tests only, and long enough",
      ...environ as Record<string, string>,
    },
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  if (stdin !== undefined) await new Response(stdin).body?.pipeTo(child.stdin);
  const { code, stdout, stderr } = await child.output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** Runs a program's text in a process of its own; answers what it printed. */
export async function runProgram(flags: string[], program: string): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", ...flags, "-"],
    cwd: new URL("../..", import.meta.url).pathname,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(program));
  await writer.close();
  return new TextDecoder().decode((await child.output()).stdout);
}
