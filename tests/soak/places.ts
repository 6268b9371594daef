/** The two sites: three processes on denokv behind haproxy, and one on the embedded store. */
import { Denokv, KV_TOKEN, startDenokv } from "../support/denokv.ts";
import { Haproxy, startHaproxy } from "../support/haproxy.ts";
import { KvProxy } from "../support/kv_proxy.ts";
import { freePort } from "../support/process.ts";
import { Site } from "./site.ts";

const PROCESSES = 3;
const SECRET_KEY = "a secret for soaks only, and long enough for it";

/** Three processes; every call to their store passes a proxy that can fail. */
export class Cluster implements AsyncDisposable {
  readonly site: Site;
  readonly proxy: KvProxy;
  readonly #parts: AsyncDisposable[];

  private constructor(site: Site, proxy: KvProxy, parts: AsyncDisposable[]) {
    this.site = site;
    this.proxy = proxy;
    this.#parts = parts;
  }

  static async open(dataDir: string, environ: Record<string, string>): Promise<Cluster> {
    const denokv: Denokv = await startDenokv();
    const proxy = new KvProxy(denokv.url);
    const ports = Array.from({ length: PROCESSES }, () => freePort());
    const haproxy: Haproxy = await startHaproxy({
      processes: ports.map((port) => `127.0.0.1:${port}`),
      denokv: new URL(proxy.url).host,
    });
    Deno.env.set("DENO_KV_ACCESS_TOKEN", KV_TOKEN);
    const store = { KV_URL: haproxy.kvUrl, DENO_KV_ACCESS_TOKEN: KV_TOKEN, JOBS: "poll" };
    const site = await Site.open({
      name: "cluster",
      url: haproxy.url,
      ports,
      dataDir,
      environ: { ...environ, ...store, SECRET_KEY, SANDBOX: "on", BASE_URL: haproxy.url },
      ownEnviron: { KV_URL: denokv.url },
    });
    return new Cluster(site, proxy, [site, haproxy, proxy, denokv]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.proxy.become("forward");
    for (const part of this.#parts) await part[Symbol.asyncDispose]();
  }
}

/** Enough for hours; never filled, but made smaller instead. */
const DISK = "512m";

/** One process with its files in a folder that is a disk of its own, where that can be had. */
export class Single implements AsyncDisposable {
  readonly site: Site;
  readonly #disk: string | null;

  private constructor(site: Site, disk: string | null) {
    this.site = site;
    this.#disk = disk;
  }

  static async open(dataDir: string, environ: Record<string, string>): Promise<Single> {
    const hasDisk = await run("mount", "-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", dataDir);
    const port = freePort();
    const url = `http://127.0.0.1:${port}`;
    const site = await Site.open({
      ...{ name: "single", url, ports: [port], dataDir, ownEnviron: {} },
      environ: { ...environ, SECRET_KEY, SANDBOX: "on", BASE_URL: url },
    });
    return new Single(site, hasDisk ? dataDir : null);
  }

  get hasDisk(): boolean {
    return this.#disk !== null;
  }

  /** Makes the disk as large as what is on it. */
  async fill(): Promise<void> {
    if (this.#disk === null) return;
    const used = (await output("df", "--output=used", "-k", this.#disk)).trim().split(/\s+/).at(-1);
    await run("mount", "-o", `remount,size=${used}k`, this.#disk);
  }

  async empty(): Promise<void> {
    if (this.#disk !== null) await run("mount", "-o", `remount,size=${DISK}`, this.#disk);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.empty();
    await this.site[Symbol.asyncDispose]();
    if (this.#disk !== null) await run("umount", "-l", this.#disk);
  }
}

async function run(command: string, ...args: string[]): Promise<boolean> {
  const options = { args, stdout: "null", stderr: "null" } as const;
  return await new Deno.Command(command, options).output()
    .then(({ success }) => success, () => false);
}

async function output(command: string, ...args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command(command, { args }).output();
  return new TextDecoder().decode(stdout);
}
