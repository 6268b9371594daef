/** One POST → the JSON-RPC message in it, as far as the gate must know it. */
import { ServiceError } from "../domain/errors.ts";
import { readBody } from "../domain/wire.ts";

export type Ask =
  | {
    kind: "message";
    /** The parsed message, for the SDK. */
    message: unknown;
    method: string;
    /** The tool that `tools/call` names. */
    tool: string | null;
    /** Whether the client asked for progress: then the answer is a stream. */
    progress: boolean;
    /** Characters of its JSON. */
    size: number;
    /** False when a text in it holds half a character. */
    wellFormed: boolean;
  }
  | { kind: "broken"; answer: object };

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** Reads a message; what can't be one is answered in JSON-RPC's own words. */
export async function readMessage(request: Request): Promise<Ask> {
  let text: string;
  let message: unknown;
  try {
    text = await readBody(request);
    message = JSON.parse(text);
  } catch (error) {
    return error instanceof ServiceError
      ? broken(INVALID_REQUEST, error.message)
      : broken(PARSE_ERROR, "The body is not valid JSON.");
  }
  if (Array.isArray(message)) {
    return broken(INVALID_REQUEST, "Batches are not taken: send one message a request.");
  }
  if (typeof message !== "object" || message === null) {
    return broken(INVALID_REQUEST, "The message must be a JSON-RPC object.");
  }
  const { method, params } = message as { method?: unknown; params?: Params };
  return {
    kind: "message",
    message,
    method: typeof method === "string" ? method : "",
    tool: method === "tools/call" && typeof params?.name === "string" ? params.name : null,
    progress: params?._meta?.progressToken !== undefined,
    size: text.length,
    wellFormed: isWellFormed(text),
  };
}

interface Params {
  name?: unknown;
  _meta?: { progressToken?: unknown };
}

function broken(code: number, message: string): Ask {
  return { kind: "broken", answer: { jsonrpc: "2.0", id: null, error: { code, message } } };
}

/** Half a surrogate pair, as only an escape can bring it: decoded UTF-8 holds none. */
const HIGH = String.raw`\\u[dD][89abAB][0-9a-fA-F]{2}`;
const LOW = String.raw`\\u[dD][c-fC-F][0-9a-fA-F]{2}`;
const HALF = new RegExp(`${HIGH}(?!${LOW})|(?<!${HIGH})${LOW}`);

/** Looks at the JSON itself, which may be nested deeper than a walk could follow. */
function isWellFormed(json: string): boolean {
  if (!json.includes("\\u")) return true;
  // An escaped backslash begins no escape.
  return !HALF.test(json.replaceAll("\\\\", "  "));
}
