/** A platform that returns recorded answers and remembers the requests. */

/** An answer to requests whose decoded path and query contain `path`; the first match is returned. */
export interface Recording {
  path: string;
  method?: string;
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON; a string is sent unchanged. */
  body: unknown;
}

export interface Asked {
  method: string;
  url: string;
  headers: Headers;
  body: string;
}

export class Recorded implements AsyncDisposable {
  readonly asked: Asked[] = [];
  recordings: Recording[];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(recordings: Recording[] = []) {
    this.recordings = recordings;
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      (request) => this.#answer(request),
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async #answer(request: Request): Promise<Response> {
    const url = decodeURIComponent(request.url.slice(this.url.length));
    const { method, headers } = request;
    this.asked.push({ method, url, headers, body: await request.text() });
    const match = this.recordings.find((one) =>
      url.includes(one.path) && (one.method ?? method) === method
    );
    if (match === undefined) return Response.json({ error: "not recorded" }, { status: 501 });
    const body = typeof match.body === "string" ? match.body : JSON.stringify(match.body);
    return new Response(match.status === 204 ? null : body, {
      status: match.status ?? 200,
      headers: { "content-type": "application/json", ...match.headers },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
