/** Compresses answers in the encoding that a client asks for. */
import { once } from "../foundation/once.ts";

export type Encoding = "zstd" | "br" | "gzip";
type Bytes = Uint8Array<ArrayBuffer>;
type Compressor = (bytes: Uint8Array) => Promise<Bytes>;

/** Of what a client takes alike, the first one: it is fast and small. Strengths suit answers made once. */
const PREFERRED: readonly Encoding[] = ["zstd", "br", "gzip"];
const BROTLI_QUALITY = 4;
/** Smaller answers fit into a packet or two as they are. */
const SMALLEST = 1_024;
/** `Accept-Encoding` headers whose choice is remembered. */
const MOST_KNOWN = 200;

/** What this runtime compresses with; older ones have no zstd. Loaded at the first use. */
const load = once(async (): Promise<Partial<Record<Encoding, Compressor>>> => {
  const [zlib, { promisify }] = await Promise.all([import("node:zlib"), import("node:util")]);
  const own = (bytes: Uint8Array): Bytes => new Uint8Array(bytes);
  const [gzip, brotli] = [promisify(zlib.gzip), promisify(zlib.brotliCompress)];
  const brotliOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
  const known: Partial<Record<Encoding, Compressor>> = {
    gzip: async (bytes) => own(await gzip(bytes)),
    br: async (bytes) => own(await brotli(bytes, brotliOptions)),
  };
  if (typeof zlib.zstdCompress === "function") {
    const zstd = promisify(zlib.zstdCompress);
    known.zstd = async (bytes) => own(await zstd(bytes));
  }
  return known;
});

const choices = new Map<string, Encoding | null>();

/**
 * The encoding in which to send these bytes, or null to send them as they are.
 * @param accepted the request's `Accept-Encoding`
 */
export async function chosen(bytes: Uint8Array, accepted: string): Promise<Encoding | null> {
  if (bytes.length < SMALLEST) return null;
  const known = await load();
  return choose(accepted, PREFERRED.filter((each) => each in known));
}

/** Compresses in an encoding that was chosen, on another thread. */
export async function compress(bytes: Uint8Array, encoding: Encoding): Promise<Bytes> {
  const compressor = (await load())[encoding];
  if (compressor === undefined) throw new Error(`Cannot compress: this runtime has no ${encoding}`);
  return await compressor(bytes);
}

/** A streamed answer compressed, or null to send it as it is. */
export function compressedStream(
  stream: ReadableStream<Bytes>,
  accepted: string,
): { encoding: Encoding; stream: ReadableStream<Bytes> } | null {
  return choose(accepted, ["gzip"]) === null
    ? null
    : { encoding: "gzip", stream: stream.pipeThrough(new CompressionStream("gzip")) };
}

/** The encoding to use for a request, of those that there are, or null for none (RFC 9110, 12.5.3). */
export function choose(accepted: string, known: readonly Encoding[]): Encoding | null {
  const name = `${known} ${accepted}`;
  let choice = choices.get(name);
  if (choice === undefined) {
    if (choices.size >= MOST_KNOWN) choices.clear();
    choices.set(name, choice = weigh(accepted, known));
  }
  return choice;
}

function weigh(accepted: string, known: readonly Encoding[]): Encoding | null {
  const weights = new Map<string, number>();
  for (const one of accepted.toLowerCase().split(",")) {
    const [name = "", ...parameters] = one.split(";").map((part) => part.trim());
    const q = parameters.find((parameter) => parameter.startsWith("q="));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    if (name !== "") weights.set(name, Number.isNaN(weight) ? 0 : weight);
  }
  let best: Encoding | null = null;
  // As it is: taken unless refused, but only before what is named when named itself.
  let most = weights.get("identity") ?? 0;
  for (const encoding of known) {
    const weight = weights.get(encoding) ?? weights.get("*") ?? 0;
    // Where the client has no preference, smaller is better.
    if (weight > 0 && (weight > most || best === null && weight === most)) {
      [best, most] = [encoding, weight];
    }
  }
  return best;
}
