/** A session by hand: the handshake, its stream, and calls within it. */
import { assert, assertEquals } from "@std/assert";
import type { Json } from "./json.ts";
import type { TestService } from "./service.ts";

/** Sends a request to a service. */
export type Send = (method: string, headers: Record<string, string>, body?: unknown) => Promise<
  Response
>;

export const sendTo = (t: TestService, secret: string): Send => (method, headers, body) =>
  t.call(secret, "/mcp", { method, headers, ...body === undefined ? {} : { body } });

/** One client with one session. */
export class McpSession {
  readonly #send: Send;
  readonly id: string;

  constructor(send: Send, id: string) {
    this.#send = send;
    this.id = id;
  }

  get headers(): Record<string, string> {
    return { "mcp-session-id": this.id, accept: "application/json, text/event-stream" };
  }

  /** The same session by another way: another process, or another key. */
  by(send: Send): McpSession {
    return new McpSession(send, this.id);
  }

  post(message: object): Promise<Response> {
    return this.#send("POST", this.headers, { jsonrpc: "2.0", ...message });
  }

  /** A request that is answered with JSON. */
  async ask(method: string, params: object = {}): Promise<Json> {
    const answer = await this.post({ id: 1, method, params });
    assertEquals(answer.status, 200);
    return await answer.json();
  }

  /** Subscribes to a resource, which must succeed. */
  async subscribe(uri: string): Promise<void> {
    assertEquals((await this.ask("resources/subscribe", { uri })).result, {});
  }

  open(lastEventId?: string): Promise<Response> {
    const place = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    return this.#send("GET", { ...this.headers, ...place });
  }

  /** Its stream, which must open. */
  async listen(lastEventId?: string): Promise<McpStream> {
    const answer = await this.open(lastEventId);
    assertEquals(answer.status, 200);
    assertEquals(answer.headers.get("content-type"), "text/event-stream");
    const stream = new McpStream(answer);
    await stream.begun();
    return stream;
  }

  async end(): Promise<number> {
    const answer = await this.#send("DELETE", this.headers);
    await answer.body?.cancel();
    return answer.status;
  }
}

/** Initializes, and answers the session that was given. */
export async function beginSession(send: Send, capabilities: object = {}): Promise<McpSession> {
  const answer = await initialize(send, capabilities);
  const id = answer.headers.get("mcp-session-id");
  await answer.body?.cancel();
  assert(id !== null, "no session was given");
  return new McpSession(send, id);
}

export function initialize(send: Send, capabilities: object = {}): Promise<Response> {
  const clientInfo = { name: "test", version: "1.0.0" };
  const params = { protocolVersion: "2025-11-25", capabilities, clientInfo };
  return send("POST", {}, { jsonrpc: "2.0", id: 0, method: "initialize", params });
}

/** The messages of an event stream, one by one. */
export class McpStream implements AsyncDisposable {
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = "";
  /** Of the last message that had one. */
  lastId = "";

  constructor({ body }: Response) {
    assert(body !== null);
    this.#reader = body.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Waits until the service has looked what there is to tell. */
  async begun(): Promise<void> {
    while (!/^:\n\n|data: /m.test(this.#text)) {
      const { done, value } = await this.#reader.read();
      if (done) return;
      this.#text += value;
    }
  }

  /** The next message; null: the stream has ended. */
  async next(): Promise<Json | null> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end >= 0) {
        const lines = this.#text.slice(0, end).split("\n");
        this.#text = this.#text.slice(end + 2);
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        this.lastId = field("id") ?? this.lastId;
        const data = field("data");
        if (data !== undefined) return JSON.parse(data);
        continue;
      }
      const { done, value } = await this.#reader.read().catch(() => ({ done: true, value: "" }));
      if (done) return null;
      this.#text += value;
    }
  }

  /** The address of the next resource that is told of; null: the stream has ended. */
  async updated(): Promise<string | null> {
    const message = await this.next();
    if (message === null) return null;
    assertEquals(message.method, "notifications/resources/updated");
    return message.params.uri;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }
}
