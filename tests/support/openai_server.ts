/** A local server that speaks OpenAI's wire format, and responds to each call as the test says. */
import { SECOND } from "../../domain/foundation/calendar.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import type { Environ } from "../../domain/foundation/settings.ts";
import { type TestService, testService } from "./service.ts";
import type { Json } from "./json.ts";

export interface Heard {
  path: string;
  headers: Headers;
  /** JSON body, or the text fields of a multipart one. */
  fields: Json;
  files: { name: string; field: string; bytes: Uint8Array; type: string }[];
}

export type Reply = (heard: Heard, request: Request) => Response | Promise<Response>;

/** A small JPEG, in base64. */
export const PICTURE = await picture();

async function picture(): Promise<string> {
  const sharp = await loadSharp();
  const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
  const create = { width: 96, height: 96, channels: 3 as const, background: "teal", noise };
  return new Uint8Array(await sharp({ create }).jpeg().toBuffer()).toBase64();
}

export const painted: Reply = () =>
  Response.json({ created: 1_731_000_000, data: [{ b64_json: PICTURE }], usage: {} });

export function refused(status: number, error: object, headers: HeadersInit = {}): Reply {
  return () => Response.json({ error: { param: null, ...error } }, { status, headers });
}

export class OpenAiServer implements AsyncDisposable {
  readonly heard: Heard[] = [];
  readonly url: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #next: Reply[] = [];
  #always: Reply;

  constructor(always: Reply) {
    this.#always = always;
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      async (request) => {
        const heard = await hear(request);
        this.heard.push(heard);
        return await (this.#next.shift() ?? this.#always)(heard, request);
      },
    );
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** How the next calls are met, one each. */
  next(...replies: Reply[]): void {
    this.#next.push(...replies);
  }

  always(reply: Reply): void {
    this.#next = [];
    this.#always = reply;
  }

  /** Settings that make a service use this server. */
  get environ(): Environ {
    return {
      OPENAI_API_KEY: "sk-test",
      OPENAI_BASE_URL: `${this.url}/v1`,
      ALLOW_PRIVATE_HOSTS: this.url.slice("http://".length),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

async function hear(request: Request): Promise<Heard> {
  const { headers } = request;
  const path = new URL(request.url).pathname;
  const type = headers.get("content-type") ?? "";
  if (!type.startsWith("multipart/")) {
    const text = await request.text();
    return { path, headers, fields: text === "" ? {} : JSON.parse(text), files: [] };
  }
  const fields: Record<string, string> = {};
  const files: Heard["files"] = [];
  for (const [field, value] of await request.formData()) {
    if (typeof value === "string") fields[field] = value;
    else files.push({ field, name: value.name, type: value.type, bytes: await value.bytes() });
  }
  return { path, headers, fields, files };
}

/** A service that uses a server of its own. */
export async function withServer(
  body: (server: OpenAiServer, t: TestService, secret: string) => Promise<void>,
): Promise<void> {
  await using server = new OpenAiServer(painted);
  await using t = await testService({ environ: server.environ });
  const { secret } = await t.brand();
  await body(server, t, secret);
}

/** Runs the worker until nothing waits, turning the clock over back-offs; the seconds it took. */
export async function runOut(t: TestService): Promise<number> {
  const startedAt = t.service.now();
  for (let round = 0; round < 10; round++) {
    await t.worker.drain();
    const waiting = (await t.service.jobs.list("waiting")).filter(({ kind }) =>
      kind === "generate"
    );
    if (waiting.length === 0) break;
    t.turn(Math.max(0, waiting[0]!.dueAt - t.service.now()));
  }
  return (t.service.now() - startedAt) / SECOND;
}
