/** One message's conversation with the SDK's low-level server: built fresh, gone with the answer. */
import { Server } from "@modelcontextprotocol/sdk/server";
// @ts-types="@modelcontextprotocol/sdk/server/webStandardStreamableHttp"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
// @ts-types="@modelcontextprotocol/sdk/validation/ajv"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
import manifest from "../deno.json" with { type: "json" };
import { ServiceError, toServiceError } from "../domain/errors.ts";
import { faultFields } from "../domain/log.ts";
import type { Admission } from "../domain/meter/meter.ts";
import { mayPerform, perform } from "../domain/operation.ts";
import type { Service } from "../domain/service.ts";
import { answered, refusedResult } from "./answer.ts";
import type { Ask } from "./message.ts";
import { promptMessages, PROMPTS } from "./prompts.ts";
import { listResources, readResource, RESOURCE_TEMPLATES } from "./resources.ts";
import { describeTool, type ToolDescription } from "./tool.ts";
import { TOOLS } from "./tools.ts";

const INFO = { name: "marquee", title: "Marquee", version: manifest.version };
const INSTRUCTIONS =
  "Marquee holds one brand's published posts with their metrics, and makes and " +
  "publishes its images. Start with get_brand. Images cost credits (get_credits); only " +
  "publish_item posts publicly. Dates are ISO 8601 in UTC.";
const PROGRESS_MS = 1_000;

// Elicitation would need a validator; the tools' arguments are checked by their operations.
const VALIDATOR = new AjvJsonSchemaValidator();

const descriptions: ToolDescription[] = [];

/** Every tool's description, made once. */
function describedTools(): readonly ToolDescription[] {
  if (descriptions.length === 0) {
    for (const [name, tool] of Object.entries(TOOLS)) descriptions.push(describeTool(name, tool));
  }
  return descriptions;
}

export interface Conversation {
  service: Service;
  admission: Admission;
  ask: Ask & { kind: "message" };
  request: Request;
  requestId: string;
}

export async function answerMessage(conversation: Conversation): Promise<Response> {
  const { ask, request } = conversation;
  const server = new Server(INFO, {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: INSTRUCTIONS,
    jsonSchemaValidator: VALIDATOR,
  });
  addTools(server, conversation);
  addResources(server, conversation);
  addPrompts(server);
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !ask.progress,
  });
  await server.connect(transport);
  return await transport.handleRequest(acceptingBoth(request), { parsedBody: ask.message });
}

/** Clients that accept only one of the two answers get along with either. */
function acceptingBoth(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  return new Request(request.url, { method: "POST", headers });
}

function addTools(server: Server, { service, admission, request, requestId }: Conversation): void {
  const { scopes } = admission.caller.key;
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: describedTools().filter(({ name }) => mayPerform(scopes, TOOLS[name]!.operation)),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const token = params._meta?.progressToken;
    const done = token === undefined
      ? () => {}
      : reportProgress((progress) =>
        extra.sendNotification({
          method: "notifications/progress",
          params: { progressToken: token, progress, message: "Still at work." },
        })
      );
    try {
      if (admission.refusal !== null) throw admission.refusal;
      const input = params.arguments ?? {};
      return await callTool(service, admission, params.name, input, request.signal);
    } catch (error) {
      const refusal = toServiceError(error, requestId);
      if (refusal !== error) service.log.error("fault", { requestId, ...faultFields(error) });
      return refusedResult(refusal);
    } finally {
      done();
    }
  });
}

async function callTool(
  service: Service,
  { caller }: Admission,
  name: string,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const tool = TOOLS[name];
  if (tool === undefined) throw new ServiceError("notFound", `There is no tool ${name}.`);
  const { value } = await perform(service, caller, tool.operation, () => input, { signal });
  return await answered(service, caller, tool, value, input);
}

/** Tells the client every second that work goes on; returns how to stop. */
function reportProgress(send: (progress: number) => Promise<void>): () => void {
  let progress = 0;
  void send(progress).catch(() => {});
  const timer = setInterval(() => void send(++progress).catch(() => {}), PROGRESS_MS);
  return () => clearInterval(timer);
}

function addResources(server: Server, { service, admission, request }: Conversation): void {
  server.setRequestHandler(
    ListResourceTemplatesRequestSchema,
    () => ({ resourceTemplates: RESOURCE_TEMPLATES }),
  );
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({
    resources: await listResources(service, admission.caller, request.signal),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    if (admission.refusal !== null) throw rpcError(admission.refusal, uri);
    try {
      return { contents: [await readResource(service, admission.caller, uri, request.signal)] };
    } catch (error) {
      throw error instanceof ServiceError ? rpcError(error, uri) : error;
    }
  });
}

/** Resources have no `isError`: a refusal is a JSON-RPC error that carries the envelope. */
function rpcError(error: ServiceError, uri: string): McpError {
  const code = error.code === "notFound" ? -32002 : ErrorCode.InvalidRequest;
  return new McpError(code, error.message, { uri, ...error.envelope });
}

function addPrompts(server: Server): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: PROMPTS }));
  server.setRequestHandler(
    GetPromptRequestSchema,
    ({ params }) => promptMessages(params.name, params.arguments ?? {}),
  );
}
