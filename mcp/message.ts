/** One POST → the JSON-RPC message in it, as far as the gate must know it. */
import { ServiceError } from "../domain/errors.ts";
import { isWellFormedJson } from "../domain/text.ts";
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
  if (!isMessage(message)) {
    return broken(INVALID_REQUEST, "The message must be one of JSON-RPC 2.0.");
  }
  const { method, params } = message;
  // No tasks are declared, so a wish for one is to be ignored; the SDK would refuse the request.
  if (params?.task !== undefined) delete params.task;
  return {
    kind: "message",
    message,
    method: method ?? "",
    tool: method === "tools/call" && typeof params?.name === "string" ? params.name : null,
    progress: params?._meta?.progressToken !== undefined,
    size: text.length,
    wellFormed: isWellFormedJson(text),
  };
}

interface Message {
  jsonrpc: "2.0";
  /** None makes it a notification. */
  id?: string | number;
  /** None is an answer to us, which we never ask for; taken, and nothing comes of it. */
  method?: string;
  params?: { name?: unknown; task?: unknown; _meta?: { progressToken?: unknown } };
}

function isMessage(value: unknown): value is Message {
  if (!isObject(value)) return false;
  const { jsonrpc, id, method, params } = value;
  const isNamed = isToken(id);
  const isAsked = typeof method === "string" && (isNamed || id === undefined) &&
    (params === undefined || (isObject(params) && isMeta(params["_meta"])));
  const isAnswer = method === undefined && isNamed && ("result" in value || "error" in value);
  return jsonrpc === "2.0" && (isAsked || isAnswer);
}

/** What names a request, or the progress that is told of it. */
function isToken(value: unknown): boolean {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function isMeta(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isObject(value)) return false;
  const token = value["progressToken"];
  return token === undefined || isToken(token);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function broken(code: number, message: string): Ask {
  return { kind: "broken", answer: { jsonrpc: "2.0", id: null, error: { code, message } } };
}
