/** A local receiver of webhooks: keeps what it is sent, and answers what a test wants. */

export interface Received {
  headers: Record<string, string>;
  body: string;
}

export class Receiver implements AsyncDisposable {
  readonly received: Received[] = [];
  /** What it answers. */
  status = 200;
  location = "";
  /** It answers nothing before. */
  held: Promise<void> = Promise.resolve();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor() {
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      async (request) => {
        const headers = Object.fromEntries(request.headers);
        this.received.push({ headers, body: await request.text() });
        await this.held;
        const answer = this.location === "" ? {} : { location: this.location };
        return new Response(null, { status: this.status, headers: answer });
      },
    );
  }

  get host(): string {
    return `127.0.0.1:${this.#server.addr.port}`;
  }

  get url(): string {
    return `http://${this.host}/hook`;
  }

  /** What it was sent, parsed. */
  get events(): { id: string; type: string; data: Record<string, unknown> }[] {
    return this.received.map(({ body }) => JSON.parse(body));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
