/** A proxy before a KV Connect server: it counts calls, loses answers after the write, goes away. */

export interface Traffic {
  reads: number;
  writes: number;
  /** Of request bodies. */
  bytes: number;
}

/** What becomes of a call. `lost`: the server does it, and its answer never arrives. */
type Fate = "forward" | "lost" | "away" | "frozen";

export class KvProxy implements AsyncDisposable {
  readonly url: string;
  readonly traffic: Traffic = { reads: 0, writes: 0, bytes: 0 };
  readonly #target: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #thawed: (() => void)[] = [];
  #loses = 0;
  #lost = 0;
  #fate: Fate = "forward";

  constructor(target: string) {
    this.#target = target;
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    this.#server = Deno.serve(options, (request) => this.#serve(request));
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** How many answers were lost so far. */
  get lost(): number {
    return this.#lost;
  }

  /** Loses the answers of the next `count` commits. */
  lose(count: number): void {
    this.#loses = count;
  }

  /** `away` refuses every call, `frozen` answers none; `forward` ends both. */
  become(fate: "forward" | "away" | "frozen"): void {
    this.#fate = fate;
    if (fate !== "frozen") { for (const go of this.#thawed.splice(0)) go(); }
  }

  async #serve(request: Request): Promise<Response> {
    if (this.#fate === "frozen") await new Promise<void>((go) => this.#thawed.push(go));
    if (this.#fate === "away") return new Response("the store is away", { status: 503 });
    const { pathname, search } = new URL(request.url);
    const isWrite = pathname.endsWith("/atomic_write");
    const body = await request.arrayBuffer();
    this.#count(pathname, isWrite, body.byteLength);
    const fate: Fate = isWrite && this.#loses > 0 ? "lost" : "forward";
    if (fate === "lost") this.#loses--;
    const { method, headers } = request;
    const init = method === "POST" ? { method, headers, body } : { method, headers };
    const answer = await fetch(`${this.#target}${pathname}${search}`, init).catch(() => null);
    if (answer === null) return new Response("the store is away", { status: 503 });
    if (fate === "lost") {
      await answer.arrayBuffer();
      this.#lost++;
      return new Response("the answer was lost", { status: 502 });
    }
    return new Response(answer.body, { status: answer.status, headers: answer.headers });
  }

  #count(pathname: string, isWrite: boolean, bytes: number): void {
    if (isWrite) this.traffic.writes++;
    else if (pathname.endsWith("/snapshot_read")) this.traffic.reads++;
    else return;
    this.traffic.bytes += bytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.become("forward");
    await this.#server.shutdown();
  }
}
