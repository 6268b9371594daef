/** One POST → the JSON-RPC message in it, as far as the gate must know it. */

/** JSON beyond this is refused unread; creations' prompts and brand kits stay far below it. */
const MAX_BYTES = 256 * 1024;

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
  }
  | { kind: "broken"; answer: object };

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** Reads a message; what can't be one is answered in JSON-RPC's own words. */
export async function readMessage(request: Request): Promise<Ask> {
  const text = await readText(request);
  if (text === null) return broken(INVALID_REQUEST, "The message must be at most 256 KiB.");
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return broken(PARSE_ERROR, "The message is not valid JSON.");
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
    tool: typeof params?.name === "string" ? params.name : null,
    progress: params?._meta?.progressToken !== undefined,
  };
}

interface Params {
  name?: unknown;
  _meta?: { progressToken?: unknown };
}

function broken(code: number, message: string): Ask {
  return { kind: "broken", answer: { jsonrpc: "2.0", id: null, error: { code, message } } };
}

async function readText(request: Request): Promise<string | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return await new Blob(chunks).text();
}
