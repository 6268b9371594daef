/** Deno Deploy's side of crons: it hears which ones a process registers, and runs them. */

/** What a process says, one JSON value a line (`ext/cron/socket.rs` of Deno). */
type Said =
  | { kind: "register"; crons: { name: string; schedule: string }[] }
  | { kind: "result"; name: string; success: boolean };

const START_MS = 30_000;

export class CronPlatform implements AsyncDisposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #registered = new Map<string, string>();
  readonly #waiting: { count: number; done: () => void }[] = [];
  readonly #running = new Map<string, PromiseWithResolvers<boolean>>();
  readonly #served: Promise<void>;
  #connection: Deno.TcpConn | null = null;

  constructor() {
    this.#served = this.#serve();
  }

  /** For the process's environment. */
  get environ(): Record<string, string> {
    return { DENO_UNSTABLE_CRON_SOCK: `tcp:127.0.0.1:${this.#listener.addr.port}` };
  }

  /** The schedules by name, once there are as many as `count`. */
  async registered(count: number): Promise<Record<string, string>> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = setTimeout(() => reject(new Error("No crons were registered.")), START_MS);
    this.#waiting.push({ count, done: resolve });
    this.#tell();
    await promise.finally(() => clearTimeout(late));
    return Object.fromEntries(this.#registered);
  }

  /** Runs a cron and waits for its end; false when it failed or its process ended. */
  async run(name: string): Promise<boolean> {
    const running = Promise.withResolvers<boolean>();
    this.#running.set(name, running);
    const message = `${JSON.stringify({ kind: "invoke", name })}\n`;
    await this.#connection?.write(new TextEncoder().encode(message));
    return await running.promise;
  }

  /** Serves one process. */
  async #serve(): Promise<void> {
    const connection = await this.#listener.accept().catch(() => null);
    if (connection === null) return;
    this.#connection = connection;
    let rest = "";
    const texts = connection.readable.pipeThrough(new TextDecoderStream());
    try {
      for await (const text of texts) {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) this.#hear(JSON.parse(line));
      }
    } catch (error) {
      // A killed process leaves its connection open at this end.
      if (!(error instanceof Deno.errors.ConnectionReset)) throw error;
    }
    for (const { resolve } of this.#running.values()) resolve(false);
  }

  #hear(said: Said): void {
    if (said.kind === "result") this.#running.get(said.name)?.resolve(said.success);
    if (said.kind !== "register") return;
    for (const { name, schedule } of said.crons) this.#registered.set(name, schedule);
    this.#tell();
  }

  #tell(): void {
    for (const { count, done } of this.#waiting) if (this.#registered.size >= count) done();
  }

  /** The process must have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#served;
  }
}
