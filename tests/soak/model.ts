/** Stands in for OpenAI's models: other words and another picture in each answer, and faults on order. */
import { seededRandom } from "../../domain/foundation/chance.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { type Heard, OpenAiServer, refused, type Reply } from "../support/openai_server.ts";
import type { ModelFault } from "./schedule.ts";
import { phrase } from "./words.ts";
import type { Json } from "../support/json.ts";

/** After this time a call that hangs is broken off by a proxy before the model. */
const HANG_MS = 3_000;

type Schema = Json;

export class ModelStand implements AsyncDisposable {
  readonly #server: OpenAiServer;
  #answered = 0;

  constructor() {
    this.#server = new OpenAiServer((heard) => this.#answer(heard));
  }

  get environ(): Record<string, string> {
    return this.#server.environ as Record<string, string>;
  }

  /** The next calls fail so. */
  order(fault: ModelFault, calls: number): void {
    for (let n = 0; n < calls; n++) this.#server.next(FAULTS[fault]);
  }

  /** Forgets the faults that were ordered and have not happened. */
  calm(): void {
    this.#server.always((heard) => this.#answer(heard));
  }

  async #answer({ path, fields }: Heard): Promise<Response> {
    // The server keeps what it has heard, which a long soak does not need.
    this.#server.heard.length = 0;
    const random = seededRandom(`${this.#answered++}`);
    if (path.includes("/images/")) {
      const data = [{ b64_json: await picture(random) }];
      return Response.json({ created: 1_731_000_000, data, usage: {} });
    }
    const text = JSON.stringify(filled(fields?.text?.format?.schema ?? {}, random));
    const content = [{ type: "output_text", text, annotations: [] }];
    const message = { type: "message", id: "m", role: "assistant", status: "completed", content };
    return Response.json({ id: "r", object: "response", status: "completed", output: [message] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}

const FAULTS: Record<ModelFault, Reply> = {
  serverError: refused(500, { message: "It broke.", type: "server_error" }),
  rateLimited: refused(429, { message: "Slow down.", code: "rate_limit_exceeded" }, {
    "retry-after": "2",
  }),
  declined: refused(400, { message: "Not this.", code: "moderation_blocked" }),
  malformed: () => new Response("{", { headers: { "content-type": "application/json" } }),
  hangs: async () => {
    await new Promise((done) => setTimeout(done, HANG_MS));
    return new Response("too late", { status: 504 });
  },
};

/** Something that fits the schema. */
function filled(schema: Schema, random: () => number): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return filled(schema.anyOf[0], random);
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, of]) => [name, filled(of, random)]),
      );
    case "array":
      return Array.from({ length: 4 }, () => filled(schema.items, random));
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    default:
      return phrase(random, 8);
  }
}

/** Coloured fields of which no two pictures have the same, so that none is another's twin. */
async function picture(random: () => number): Promise<string> {
  const sharp = await loadSharp();
  const raw = Uint8Array.from({ length: 8 * 8 * 3 }, () => Math.floor(random() * 256));
  const image = sharp(raw, { raw: { width: 8, height: 8, channels: 3 } });
  return new Uint8Array(await image.resize(512, 512, { kernel: "nearest" }).jpeg().toBuffer())
    .toBase64();
}
