/** Reads the JSON-RPC message of a POST, as far as the gate needs to know it. */
import { ServiceError } from "../domain/foundation/errors.ts";
import { isWellFormedJson } from "../domain/foundation/text.ts";
import { readBody } from "../domain/operations/http.ts";

export interface Message {
  kind: "message";
  /** The parsed JSON, for the SDK. */
  json: unknown;
  method: string;
  /** The tool that `tools/call` names. */
  tool: string | null;
  /** Whether the client asked for progress: then the answer is a stream. */
  progress: boolean;
  /** Characters of its JSON. */
  size: number;
  /** False when a text in it contains an unpaired surrogate. */
  wellFormed: boolean;
}

/** A body that is not a message, with JSON-RPC's own answer to it. */
export interface Broken {
  kind: "broken";
  answer: object;
}

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

export async function readMessage(request: Request): Promise<Message | Broken> {
  let text: string;
  let json: unknown;
  try {
    text = await readBody(request);
    json = JSON.parse(text);
  } catch (error) {
    return error instanceof ServiceError
      ? broken(INVALID_REQUEST, error.message)
      : broken(PARSE_ERROR, "The body is not valid JSON.");
  }
  if (Array.isArray(json)) {
    return broken(INVALID_REQUEST, "Batches are not supported: send one message per request.");
  }
  if (!isJsonRpc(json)) {
    return broken(INVALID_REQUEST, "The body is not a JSON-RPC 2.0 message.");
  }
  const { method, params } = json;
  // The server declares no tasks, so a request for one is ignored; the SDK would refuse it.
  if (params?.task !== undefined) delete params.task;
  return {
    kind: "message",
    json,
    method: method ?? "",
    tool: method === "tools/call" && typeof params?.name === "string" ? params.name : null,
    progress: params?._meta?.progressToken !== undefined,
    size: text.length,
    wellFormed: isWellFormedJson(text),
  };
}

interface JsonRpc {
  jsonrpc: "2.0";
  /** A message without an id is a notification. */
  id?: string | number;
  /** A message without a method is an answer; the service asks nothing, so it ignores answers. */
  method?: string;
  params?: { name?: unknown; task?: unknown; _meta?: { progressToken?: unknown } };
}

function isJsonRpc(value: unknown): value is JsonRpc {
  if (!isObject(value)) return false;
  const { jsonrpc, id, method, params } = value;
  const isNamed = isToken(id);
  const isAsked = typeof method === "string" && (isNamed || id === undefined) &&
    (params === undefined || (isObject(params) && isMeta(params["_meta"])));
  const isAnswer = method === undefined && isNamed && ("result" in value || "error" in value);
  return jsonrpc === "2.0" && (isAsked || isAnswer);
}

/** Whether the value can be the id of a request or its progress token. */
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

function broken(code: number, message: string): Broken {
  return { kind: "broken", answer: { jsonrpc: "2.0", id: null, error: { code, message } } };
}
