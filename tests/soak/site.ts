/** A running Marquee that can be hurt: processes, their store, their clock, and what the soak reads of it. */
import { iso, type Now } from "../../domain/foundation/calendar.ts";
import { silent } from "../../domain/foundation/log.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import { Passwords } from "../../domain/brands/passwords.ts";
import { openStore } from "../../domain/kv/open.ts";
import { readPass } from "../../domain/kv/passes.ts";
import { buildService } from "../../domain/service/build.ts";
import { MIGRATIONS } from "../../domain/service/migrations.ts";
import type { Service } from "../../domain/service/service.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import { QUICK } from "../support/service.ts";
import type { SiteName } from "./schedule.ts";

/** Early in a month, so that all turns of the clock stay in it. */
export const START = Date.parse("2026-11-02T00:30:00Z");
/** A process that can't start, because its store is away for example, is started again as often. */
const START_TRIES = 40;
const START_AGAIN_MS = 500;
const SUPERVISED_MS = 250;

export interface SiteOptions {
  name: SiteName;
  /** Where clients call. */
  url: string;
  ports: number[];
  dataDir: string;
  /** Settings of the processes. */
  environ: Record<string, string>;
  /** Settings of the soak's own look at the store, which no fault may touch. */
  ownEnviron: Record<string, string>;
}

export class Site implements AsyncDisposable {
  readonly name: SiteName;
  readonly url: string;
  readonly service: Service;
  /** Processes that ended without being told to, with what they printed last. */
  readonly ended: string[] = [];
  /** Lines that the processes logged as errors. */
  readonly errors: string[] = [];
  readonly #options: SiteOptions;
  readonly #clock: { offset: number };
  readonly #processes: ServiceProcess[] = [];
  /** Processes that are being restarted. */
  readonly #busy = new Set<number>();
  #supervisor: ReturnType<typeof setInterval> | undefined;

  private constructor(options: SiteOptions, service: Service, clock: { offset: number }) {
    this.name = options.name;
    this.url = options.url;
    this.service = service;
    this.#options = options;
    this.#clock = clock;
  }

  static async open(options: SiteOptions): Promise<Site> {
    const { environ, ownEnviron, dataDir } = options;
    const settings = readSettings({ ...environ, ...ownEnviron, DATA_DIR: dataDir }, "start");
    const kv = await openStore(settings, MIGRATIONS);
    const clock = { offset: START - Date.now() };
    const now = () => Date.now() + clock.offset;
    const built = await buildService({ settings, kv, now, log: silent });
    return new Site(options, { ...built, passwords: new Passwords(QUICK) }, clock);
  }

  get kv(): Deno.Kv {
    return this.service.kv;
  }

  get now(): Now {
    return this.service.now;
  }

  get processes(): readonly ServiceProcess[] {
    return this.#processes;
  }

  ask(path: string, secret: string): Promise<Response> {
    return fetch(this.url + path, { headers: { authorization: `Bearer ${secret}` } });
  }

  /** Starts all processes, and from then on again each that ends by itself. */
  async start(): Promise<void> {
    const { ports } = this.#options;
    this.#processes.push(...await Promise.all(ports.map((port) => this.#launch(port, this.now()))));
    // The balancer finds out a moment later that there are processes.
    for (let status = 503; status === 503; await pause(100)) {
      const answer = await fetch(`${this.url}/docs`).catch(() => null);
      await answer?.body?.cancel();
      status = answer?.status ?? 503;
    }
    this.#supervisor = setInterval(() => {
      for (const [nth, process] of this.#processes.entries()) {
        if (process.isEnded && !this.#busy.has(nth)) void this.#replace(nth);
      }
    }, SUPERVISED_MS);
  }

  /** Ends a process and starts it again; `clock` is an instant, ms. */
  async restart(nth: number, signal: Deno.Signal, clock = START): Promise<void> {
    const at = nth % this.#processes.length;
    while (this.#busy.has(at)) await pause(SUPERVISED_MS);
    this.#busy.add(at);
    try {
      const { output } = await this.#processes[at]!.stop(signal);
      this.#noteErrors(output);
      this.#processes[at] = await this.#launch(this.#options.ports[at]!, clock);
    } finally {
      this.#busy.delete(at);
    }
  }

  /** Lets a process stand still for so long, ms. */
  async stall(nth: number, lastsMs: number): Promise<void> {
    const process = this.#processes[nth % this.#processes.length];
    if (process === undefined || process.isEnded) return;
    process.signal("SIGSTOP");
    await pause(lastsMs);
    process.signal("SIGCONT");
  }

  /**
   * Turns the clock of all processes ahead: the last one is started at the later instant, and the
   * others take its time. It begins the passes that are due by then. Returns the instant, ms.
   */
  async turn(byMs: number): Promise<number> {
    const to = this.now() + byMs;
    await this.restart(this.#processes.length - 1, "SIGTERM", to);
    for (;;) {
      const { value } = await this.kv.get<{ offset: number }>(["clock"]);
      if (value !== null && Date.now() + value.offset >= to) {
        this.#clock.offset = value.offset;
        return to;
      }
      await pause(100);
    }
  }

  /** Whether the passes that became due by the last turn of the clock have ended. */
  async hasPassed(since: number): Promise<boolean> {
    const passes = await Promise.all(
      (["series", "metrics"] as const).map((name) => readPass(this.kv, name)),
    );
    return passes.every(({ lastFinishedAt }) => (lastFinishedAt ?? 0) >= since);
  }

  async #replace(nth: number): Promise<void> {
    this.#busy.add(nth);
    try {
      const { code, output } = await this.#processes[nth]!.ended();
      this.#noteErrors(output);
      this.ended.push(`process ${nth} ended with ${code}: ${output.slice(-300)}`);
      this.#processes[nth] = await this.#launch(this.#options.ports[nth]!, START);
    } finally {
      this.#busy.delete(nth);
    }
  }

  async #launch(port: number, clock: number): Promise<ServiceProcess> {
    const { dataDir, environ } = this.#options;
    for (let tries = 1;; tries++) {
      try {
        const own = { LOG_LEVEL: "error", CLOCK: iso(clock) };
        return await startProcess({ dataDir, port, environ: { ...own, ...environ } });
      } catch (error) {
        if (tries === START_TRIES) throw error;
        await pause(START_AGAIN_MS);
      }
    }
  }

  #noteErrors(output: string): void {
    const lines = output.split("\n").filter((line) => line.includes('"level":"error"'));
    this.errors.push(...lines.slice(-20));
    this.errors.splice(0, this.errors.length - 500);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#supervisor);
    while (this.#busy.size > 0) await pause(SUPERVISED_MS);
    for (const process of this.#processes) this.#noteErrors((await process.stop()).output);
    this.kv.close();
  }
}

export const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
