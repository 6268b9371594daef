/** A local server that speaks Discord's webhook wire format and keeps its limits (PLATFORMS E). */
import type { Json } from "./json.ts";

interface Posted {
  /** Parsed body of a message that was accepted. */
  body: Json;
  query: string;
}

/** What the next call gets instead of being accepted. */
export type Fault = { status: number; body?: unknown; headers?: Record<string, string> } | "hang";

export class Discord implements AsyncDisposable {
  readonly posted: Posted[] = [];
  /** Every call, accepted or not. */
  calls = 0;
  readonly faults: Fault[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #hanging = new Set<() => void>();
  #onCall: (() => void) | null = null;

  constructor() {
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      (request) => this.#answer(request),
    );
  }

  get host(): string {
    return `127.0.0.1:${this.#server.addr.port}`;
  }

  get url(): string {
    return `http://${this.host}/api/webhooks/123456789012345678/a-token`;
  }

  /** Resolves at the next call. */
  nextCall(): Promise<void> {
    return new Promise((done) => this.#onCall = done);
  }

  async #answer(request: Request): Promise<Response> {
    const body = await request.json();
    this.calls++;
    const fault = this.faults.shift();
    if (fault === "hang") {
      this.posted.push({ body, query: new URL(request.url).search });
      this.#onCall?.();
      await new Promise<void>((done) => this.#hanging.add(done));
      return new Response(null, { status: 500 });
    }
    this.#onCall?.();
    if (fault !== undefined) return Response.json(fault.body ?? {}, fault);
    const complaint = complaintAbout(body);
    if (complaint !== null) {
      return Response.json({ code: 50035, message: complaint }, { status: 400 });
    }
    this.posted.push({ body, query: new URL(request.url).search });
    return Response.json({ id: `${this.posted.length}`, channel_id: "1" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const done of this.#hanging) done();
    await this.#server.shutdown();
  }
}

interface Embed {
  title?: string;
  description?: string;
  fields?: { name: string; value: string }[];
  footer?: { text: string };
}

/** Why Discord would refuse the message, or null. Counts UTF-16 units, which is stricter. */
export function complaintAbout(body: { content?: string; embeds?: Embed[] }): string | null {
  const embeds = body.embeds ?? [];
  if ((body.content ?? "") === "" && embeds.length === 0) return "empty message";
  if ((body.content ?? "").length > 2_000 || embeds.length > 10) return "content or embeds";
  let sum = 0;
  for (const { title = "", description = "", fields = [], footer } of embeds) {
    if (title.length > 256 || description.length > 4_096 || fields.length > 25) return "embed";
    if ((footer?.text ?? "").length > 2_048) return "footer";
    sum += title.length + description.length + (footer?.text ?? "").length;
    for (const { name, value } of fields) {
      if (name.trim() === "" || value.trim() === "") return "field required";
      if (name.length > 256 || value.length > 1_024) return "field";
      sum += name.length + value.length;
    }
  }
  return sum > 6_000 ? "embeds exceed 6000" : null;
}
