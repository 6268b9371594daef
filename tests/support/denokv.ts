/** A real KV Connect server for tests: Deno's own `denokv`, where `.ci/denokv` has installed it. */
import { freePort, sendSignal } from "./process.ts";

export const KV_TOKEN = "a token for tests only";
const START_MS = 10_000;

/** Whether tests over KV Connect can run here; else they say that they skip. */
export const hasDenokv: boolean = await new Deno.Command("denokv", { args: ["--help"] })
  .output().then(({ success }) => success, () => false);

export class Denokv implements AsyncDisposable {
  readonly url: string;
  readonly #port: number;
  readonly #dir: string;
  #child: Deno.ChildProcess;

  constructor(dir: string, port: number) {
    this.#dir = dir;
    this.#port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.#child = this.#launch();
  }

  #launch(): Deno.ChildProcess {
    return new Deno.Command("denokv", {
      args: ["--sqlite-path", `${this.#dir}/kv.sqlite3`, "serve", "--addr"]
        .concat(`127.0.0.1:${this.#port}`),
      env: { DENO_KV_ACCESS_TOKEN: KV_TOKEN },
      stdout: "null",
      stderr: "null",
    }).spawn();
  }

  /** Ends the server as a power cut would; what it has written stays. */
  async kill(): Promise<void> {
    sendSignal(this.#child, "SIGKILL");
    await this.#child.status;
  }

  /** Stops the server from answering, without closing a connection. */
  freeze(): void {
    sendSignal(this.#child, "SIGSTOP");
  }

  thaw(): void {
    sendSignal(this.#child, "SIGCONT");
  }

  async restart(): Promise<void> {
    await this.kill();
    this.#child = this.#launch();
    await this.answers();
  }

  async answers(): Promise<void> {
    const giveUpAt = performance.now() + START_MS;
    while (performance.now() < giveUpAt) {
      const answer = await fetch(this.url).catch(() => null);
      await answer?.body?.cancel();
      if (answer !== null) return;
      await new Promise((done) => setTimeout(done, 20));
    }
    throw new Error("denokv did not start");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await Deno.remove(this.#dir, { recursive: true });
  }
}

/** Starts a server on a fresh file; both go away when it is disposed. */
export async function startDenokv(): Promise<Denokv> {
  const dir = await Deno.makeTempDir({ prefix: "marquee-denokv-" });
  const denokv = new Denokv(dir, freePort());
  await denokv.answers();
  return denokv;
}

/** Opens the store as a service with `DENO_KV_ACCESS_TOKEN` does. */
export async function openRemote(url: string): Promise<Deno.Kv> {
  Deno.env.set("DENO_KV_ACCESS_TOKEN", KV_TOKEN);
  return await Deno.openKv(url);
}
