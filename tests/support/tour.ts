/** The tour's stage and its recorder: ids follow the clock, and what chance names gets an ordinal name. */
import { assert, assertEquals } from "@std/assert";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { guardedFetch } from "../../domain/media/net/fetch_public.ts";
import { type ImageModel, ModelError } from "../../domain/models/model.ts";
import { runPass } from "../../jobs/passes.ts";
import { TOOLS } from "../../mcp/tools.ts";
import { TABLE } from "../../routes/table.ts";
import { NOON, type TestService, testService } from "./service.ts";
import { TourAudit } from "./tour_audit.ts";
import type { Json } from "./json.ts";

export interface Sent {
  body?: unknown;
  headers?: Record<string, string>;
  /** Jobs run while the answer is waited for. */
  working?: boolean;
  /** The clock stands still. */
  still?: boolean;
}

interface Entry {
  call: string;
  sent?: unknown;
  status: number;
  headers: Record<string, string>;
  body?: Json;
}

/** The rows and tools that a tour must meet, by the names under which visits are noted. */
export const ROWS = TABLE.map(([verb, path]) => `${verb} ${path}`);
export const TOOL_NAMES = Object.keys(TOOLS);

const ROW_PATTERNS = ROWS.map((row) => ({
  row,
  // Any verb's own path comes before one with parameters.
  weight: row.split("{").length,
  pattern: new RegExp(`^${row.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
})).sort((a, b) => a.weight - b.weight);

const UNTOLD = ["x-request-id", "date", "content-length", "etag", "last-modified"];
const IDS =
  /\b(acc|ast|brd|cre|cst|dlv|evt|job|key|post|rev|ser|slt|soc|whk)_[0-9A-HJKMNP-TV-Z]{26}\b/g;

export class Tour implements AsyncDisposable {
  readonly t: TestService;
  /** The picture that a client uploads, and that `SOURCE` serves. */
  readonly upload: Uint8Array<ArrayBuffer>;
  /** While true the model refuses every prompt. */
  readonly model: { fails: boolean };
  readonly entries: (Entry | { sweep: string; answers: Record<string, string> })[] = [];
  /** `row done`, `row refused`: what was met so far. */
  readonly met = new Set<string>();
  readonly audit: TourAudit;
  /** The key that calls. */
  secret: string | null = null;
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #dispose: () => void;
  #isSweeping = false;

  constructor(
    t: TestService,
    upload: Uint8Array<ArrayBuffer>,
    model: { fails: boolean },
    dispose: () => void,
  ) {
    this.t = t;
    this.audit = new TourAudit(t.service.kv);
    this.upload = upload;
    this.model = model;
    this.#dispose = dispose;
  }

  /** One REST call: `GET /v1/posts?page=2`. Answers the body. */
  async rest(call: string, sent: Sent = {}): Promise<Json> {
    if (!this.#isSweeping) await this.audit.begin();
    const { status, headers, text } = await this.#send(call, sent);
    const row = rowOf(call);
    if (row !== undefined) {
      this.met.add(`${row} ${status >= 400 ? "refused" : "done"}`);
      if (!this.#isSweeping) await this.audit.note(row);
    }
    const isJson = headers["content-type"] === "application/json";
    const body = text === "" ? undefined : isJson ? exact(text) : text;
    const told = status >= 400 && body?.error ? { error: { code: body.error.code } } : body;
    this.#record({ call, sent: sentOf(sent), status, headers, body: told });
    return body;
  }

  /** One tool call. Answers its structured content. */
  async tool(name: string, input: Json = {}, sent: Omit<Sent, "body"> = {}): Promise<Json> {
    const params = { name, arguments: input };
    if (!this.#isSweeping) await this.audit.begin();
    const { status, headers, text } = await this.#send("POST /mcp", {
      ...sent,
      body: rpcOf("tools/call", params),
    });
    const body = exact(text);
    const { isError = false, structuredContent } = body.result;
    if (TOOL_NAMES.includes(name)) {
      this.met.add(`${name} ${isError ? "refused" : "done"}`);
      if (!this.#isSweeping) await this.audit.note(name);
    }
    const result = resultOf(body.result);
    const call = `tools/call ${name}`;
    this.#record({
      call,
      sent: sentOf({ body: input }),
      status,
      headers,
      body: { ...body, result },
    });
    return structuredContent;
  }

  /** One other MCP method. Answers the JSON-RPC message. */
  async rpc(method: string, params?: Json): Promise<Json> {
    const body = rpcOf(method, params);
    const { status, headers, text } = await this.#send("POST /mcp", { body });
    // Of a stream the last message: how often a call tells its progress depends on real time.
    const last = headers["content-type"] === "text/event-stream"
      ? /^data: (.*)$/m.exec(text.slice(text.lastIndexOf("data: ")))![1]!
      : text;
    const message = last === "" ? undefined : exact(last);
    const { error, result } = message ?? {};
    const told = error !== undefined
      ? { ...message, error: { code: error.code, told: error.data?.error?.code } }
      : result?.structuredContent === undefined
      ? message
      : { ...message, result: resultOf(result) };
    this.#record({ call: method, sent: params, status, headers, body: told });
    return message;
  }

  /** One answer as it came, unrecorded. */
  async text(call: string, sent: Sent = {}): Promise<string> {
    return (await this.#send(call, sent)).text;
  }

  /** Many refusals in one entry: of each only the status and the code. */
  async sweep(title: string, calls: Record<string, () => Promise<Json>>): Promise<void> {
    const answers: Record<string, string> = {};
    this.#isSweeping = true;
    for (const [name, call] of Object.entries(calls).sort(([a], [b]) => a < b ? -1 : 1)) {
      const from = this.entries.length;
      await call();
      const [{ status, body }] = this.entries.splice(from) as [Entry];
      const { error } = body?.result ?? body ?? {};
      answers[name] = `${status} ${error?.code ?? "done"}`;
    }
    this.#isSweeping = false;
    this.entries.push({ sweep: title, answers });
  }

  /** Runs the series pass over one brand, and all that it sets off. */
  async pass(brandId: string): Promise<void> {
    await this.working(runPass(this.t.service, null, "series", { brandId }));
  }

  /** Runs every job that is due until `work` is over. */
  async working<T>(work: Promise<T>): Promise<T> {
    let isOpen = true;
    const done = work.finally(() => isOpen = false);
    done.catch(() => {}); // the last line tells
    while (isOpen) {
      await this.t.worker.drain();
      await new Promise((go) => setTimeout(go, 5));
    }
    await this.t.worker.drain();
    return await done;
  }

  /** The same text with every name that chance gave in its ordinal form. */
  named(text: string): string {
    return text
      .replaceAll(IDS, (id, kind: string) => this.#nameOf(kind, id))
      .replaceAll(/("prefix\\*":\\*"mq_|"whsec_|"mcp-session-id":")[\w+/=.#-]+/g, "$1#")
      .replaceAll(/\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/g, (name) => this.#nameOf("file", name))
      .replaceAll(new RegExp(`"size":${this.upload.length}\\b`, "g"), '"size":"#"')
      .replaceAll(/size=\d+(&expires=\d+&signature=)[\w-]+/g, "size=#$1#");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#dispose();
    await this.t[Symbol.asyncDispose]();
  }

  #nameOf(kind: string, name: string): string {
    let known = this.#names.get(name);
    if (known === undefined) {
      const count = (this.#counts.get(kind) ?? 0) + 1;
      this.#counts.set(kind, count);
      this.#names.set(name, known = `${kind}_#${count}`);
    }
    return known;
  }

  async #send(call: string, { body, headers = {}, working, still }: Sent) {
    const [method = "", path = ""] = call.split(" ");
    const send = still ? this.t.request.bind(this.t) : this.t.call.bind(this.t);
    const sending = send(this.secret, path, { method, headers, ...body !== undefined && { body } });
    const answer = working ? await this.working(sending) : await sending;
    const told = [...answer.headers].filter(([name]) => !UNTOLD.includes(name)).sort();
    return {
      status: answer.status,
      headers: Object.fromEntries(told),
      text: await answer.text(),
    };
  }

  #record(entry: Entry): void {
    this.entries.push(JSON.parse(this.named(JSON.stringify(entry))));
  }
}

/** The address of the picture for `add_asset`. */
export const SOURCE = "https://pictures.example/mood.jpg";

export async function openTour(): Promise<Tour> {
  const dispose = withoutChance();
  const sharp = await loadSharp();
  const flat = async (width: number, height: number) => {
    const create = { width, height, channels: 3, background: "#385f71" } as const;
    return new Uint8Array(await sharp({ create }).jpeg().toBuffer());
  };
  const upload = await flat(64, 80);
  const model = { fails: false };
  const guarded = guardedFetch({ allowed: [] });
  const imageModel: ImageModel = {
    name: "flat",
    atOnce: 2,
    async paint({ size: { width, height } }) {
      if (model.fails) throw new ModelError("The model refused the prompt.", { transient: false });
      return { bytes: await flat(width, height), contentType: "image/jpeg", exact: true };
    },
  };
  const t = await testService({
    environ: { SANDBOX: "on" },
    dependencies: {
      imageModel,
      fetchPublic: async (url, limits) => url === SOURCE ? upload : await guarded(url, limits),
      postPublic: () => Promise.resolve({ status: 204 }),
    },
    at: NOON,
  });
  return new Tour(t, upload, model, dispose);
}

/** Until it is called back, the random part of an id is the same at each instant: texts rest on it. */
function withoutChance(): () => void {
  const RANDOM_LENGTH = 16;
  const drawn = crypto.getRandomValues;
  crypto.getRandomValues = (array) =>
    array instanceof Uint8Array && array.length === RANDOM_LENGTH
      ? array.fill(7)
      : drawn.call(crypto, array) as typeof array;
  return () => void (crypto.getRandomValues = drawn);
}

export const rpcOf = (method: string, params?: unknown) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  ...params !== undefined && { params },
});

/** The route that serves a call. */
function rowOf(call: string): string | undefined {
  return ROW_PATTERNS.find(({ pattern }) => pattern.test(call.split("?")[0]!))?.row;
}

/** JSON that has nothing in it but its values in their order, so that pretty print loses nothing. */
export function exact(text: string): Json {
  const value = JSON.parse(text);
  assert(JSON.stringify(value) === text, `Not plain JSON: ${text.slice(0, 200)}`);
  return value;
}

function sentOf({ body, headers }: Sent): unknown {
  return headers === undefined ? body : { headers, body };
}

/** A tool's result without its copy in JSON and without pixels; of a refusal only the code. */
function resultOf({ content, structuredContent, isError, ...rest }: Json): Json {
  if (structuredContent !== undefined) {
    assertEquals(content.at(-1).text, JSON.stringify(structuredContent));
  }
  if (isError) {
    const { code, retryAfter } = structuredContent.error;
    return { isError, error: { code, retryAfter }, ...rest };
  }
  const shown = content.map((block: Json) => {
    if (block.type === "image") return { ...block, data: "(a picture)" };
    return block.annotations === undefined ? block : { ...block, text: "(structuredContent)" };
  });
  return { content: shown, structuredContent, ...rest };
}
