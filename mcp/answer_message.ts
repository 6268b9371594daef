/** Runs one message through the SDK's low-level server, which is built for each message. */
import { Server } from "@modelcontextprotocol/sdk/server";
// @ts-types="@modelcontextprotocol/sdk/server/webStandardStreamableHttp"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
// @ts-types="@modelcontextprotocol/sdk/validation/ajv"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
import manifest from "../deno.json" with { type: "json" };
import type { HeaderFields } from "../domain/operations/http.ts";
import { isAnyContent } from "../domain/operations/item_address.ts";
import type { Back, Conversation } from "./conversation.ts";
import { decoded, joined, type Json } from "./json.ts";
import { METHODS } from "./methods.ts";
import type { Asker } from "./questions.ts";
import { mayFollow } from "./resources.ts";
import { findTool } from "./tools.ts";

const INFO = { name: "marquee", title: "Marquee", version: manifest.version };
const INSTRUCTIONS =
  "Marquee holds one brand's published posts with their metrics, and makes and " +
  "publishes its images. Start with get_brand. Images cost credits (get_credits); only " +
  "publish_item posts publicly. Instants are ISO 8601 in UTC. A refusal's message ends with the " +
  "next step.";

// The SDK wants one for questions that it asks itself. Ours go through the store: see questions.ts.
const VALIDATOR = new AjvJsonSchemaValidator();

/** Passes through the SDK in place of a result that is JSON already; `filled` puts that in. */
const HELD = { [crypto.randomUUID()]: 0 };
const HELD_JSON = JSON.stringify(HELD);

/** @param headers added to the answer's own */
export async function answerMessage(
  conversation: Conversation,
  headers: HeaderFields,
): Promise<Response> {
  const { message, request, caller } = conversation;
  const asks = mayAsk(conversation);
  const isStream = message.progress || asks;
  const server = new Server(INFO, {
    capabilities: { tools: {}, resources: mayFollow(caller) ? SUBSCRIBE : {}, prompts: {} },
    instructions: INSTRUCTIONS,
    jsonSchemaValidator: VALIDATOR,
  });
  let held: Json | undefined;
  // One handler for all methods but the handshake's: each registration costs on every message.
  server.fallbackRequestHandler = async ({ method, params = {} }, extra) => {
    const answer = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
    if (answer === undefined) throw new McpError(ErrorCode.MethodNotFound, "Method not found");
    const token = params._meta?.progressToken;
    const back: Back = {
      progress: token === undefined ? null : (progress) =>
        extra.sendNotification({
          method: "notifications/progress",
          params: { progressToken: token, ...progress },
        }),
      asker: asks ? askerOn(conversation, transport, extra.requestId) : null,
    };
    const result = await answer(conversation, params, back);
    if (!(result instanceof Uint8Array)) return result;
    if (isStream) return JSON.parse(decoded(result));
    held = result;
    return HELD;
  };
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !isStream,
  });
  await server.connect(transport);
  const answer = await transport.handleRequest(acceptingBoth(request), {
    parsedBody: message.json,
  });
  if (held === undefined) {
    const all = { ...Object.fromEntries(answer.headers), ...headers };
    return new Response(answer.body, { status: answer.status, headers: all });
  }
  const body = filled(await answer.text(), held);
  return new Response(body, { headers: { ...headers, "content-type": "application/json" } });
}

const SUBSCRIBE = { subscribe: true };

/** Whether the tool may ask the person at the client: then its answer is a stream. */
function mayAsk({ session, message: { tool, json }, request }: Conversation): boolean {
  if (session?.elicits !== true || findTool(tool)?.confirm === undefined) return false;
  const { params } = json as { params?: { arguments?: Record<string, unknown> | null } };
  const seen = params?.arguments?.["expectedHash"];
  // What is of a wrong type is refused by the operation.
  return (seen === undefined || (typeof seen === "string" && isAnyContent(seen))) &&
    (request.headers.get("accept") ?? "").includes("text/event-stream");
}

function askerOn(
  { session, client, service }: Conversation,
  transport: WebStandardStreamableHTTPServerTransport,
  callId: string | number,
): Asker | null {
  if (session === null) return null;
  return {
    session,
    callId,
    signal: AbortSignal.any([client.signal, service.stopping]),
    send: (id, params) =>
      transport.send(
        { jsonrpc: "2.0", id, method: "elicitation/create", params },
        { relatedRequestId: callId },
      ),
  };
}

/** The envelope with the result in its place. */
function filled(envelope: string, result: Json): Json {
  const at = envelope.indexOf(HELD_JSON);
  return joined(envelope.slice(0, at), result, envelope.slice(at + HELD_JSON.length));
}

/** The SDK refuses clients that accept only one of the two types, though they can read either. */
function acceptingBoth(request: Request): Request {
  const accept = request.headers.get("accept") ?? "";
  if (accept.includes("application/json") && accept.includes("text/event-stream")) return request;
  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  return new Request(request.url, { method: "POST", headers });
}
