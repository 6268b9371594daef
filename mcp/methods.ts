/** The protocol's methods, one by one: params in, result out. The SDK answers the handshake itself. */
// @ts-types="@modelcontextprotocol/sdk/types"
import { ErrorCode, McpError, type Result } from "@modelcontextprotocol/sdk/types.js";
import { explain, invalid, ServiceError } from "../domain/errors.ts";
import { mayPerform, perform } from "../domain/operation.ts";
import { Recent } from "../domain/recent.ts";
import { answered, refusedResult } from "./answer.ts";
import { encoded, type Json } from "./json.ts";
import { reportProgress, type SendProgress } from "./progress.ts";
import { promptMessages, PROMPTS } from "./prompts.ts";
import { listResources, readResource, RESOURCE_TEMPLATES } from "./resources.ts";
import type { Conversation } from "./session.ts";
import { describeTool } from "./tool.ts";
import { findTool, TOOLS } from "./tools.ts";

/** What a client sent, unchecked. */
type Params = Record<string, unknown>;

type Method = (
  conversation: Conversation,
  params: Params,
  send: SendProgress | null,
) => Promise<Result | Json> | Result | Json;

export const METHODS: Readonly<Record<string, Method>> = {
  "tools/list": ({ admission }) => toolsFor(admission.caller.key.scopes),
  "tools/call": callTool,
  "resources/templates/list": () => ({ resourceTemplates: RESOURCE_TEMPLATES }),
  "resources/list": (conversation) =>
    orRpcError(conversation, {}, async ({ service, admission, client }) => ({
      resources: await listResources(service, admission.caller, client),
    })),
  "resources/read": (conversation, { uri }) =>
    orRpcError(conversation, { uri }, async ({ service, admission, client }) => {
      if (admission.refusal !== null) throw admission.refusal;
      return { contents: [await readResource(service, admission.caller, uri, client)] };
    }),
  "prompts/list": () => ({ prompts: PROMPTS }),
  "prompts/get": (conversation, { name, arguments: given }) =>
    orRpcError(conversation, {}, () => promptMessages(name, given ?? {})),
};

/** How many arguments are remembered, and how large a message may be that brings them. */
const KNOWN_INPUTS = 2_000;
const KNOWN_SIZE = 1_000;

const lists = new Map<string, Json>();

/** The tools of a key's scopes; each set of scopes is described once. */
function toolsFor(scopes: Conversation["admission"]["caller"]["key"]["scopes"]): Json {
  const name = scopes.toSorted().join();
  let list = lists.get(name);
  if (list === undefined) {
    const tools = Object.entries(TOOLS)
      .filter(([, { operation }]) => mayPerform(scopes, operation))
      .map(([name, tool]) => describeTool(name, tool));
    list = encoded(JSON.stringify({ tools }));
    lists.set(name, list);
  }
  return list;
}

async function callTool(
  conversation: Conversation,
  { name, arguments: given }: Params,
  send: SendProgress | null,
): Promise<Json> {
  const { service, admission: { caller, refusal }, ask, client } = conversation;
  const input = given ?? {};
  const done = send === null ? () => {} : reportProgress(send, waitOf(input));
  try {
    if (refusal !== null) throw refusal;
    const tool = findTool(name);
    if (tool === null) throw new ServiceError("notFound", `There is no tool ${name}.`);
    const read = () => {
      if (!ask.wellFormed) throw invalid("arguments", "hold an unpaired surrogate");
      const mayRepeat = tool.hints.readOnly && ask.size <= KNOWN_SIZE;
      return mayRepeat ? repeated(name as string, input) : input;
    };
    const { value } = await perform(service, caller, tool.operation, read, client);
    return await answered(service, caller, tool, value, input as Params);
  } catch (error) {
    return refusedResult(wordsFor(conversation, error));
  } finally {
    done();
  }
}

const known = new Recent<string, unknown>(KNOWN_INPUTS);

/** Arguments that were sent before come as the same frozen object: they are not checked anew. */
function repeated(tool: string, input: unknown): unknown {
  return known.get(`${tool} ${JSON.stringify(input)}`, () => Object.freeze(input));
}

/** Seconds that a call asks to wait. */
function waitOf(input: unknown): number | undefined {
  const wait = (input as { wait?: unknown }).wait;
  return typeof wait === "number" && wait > 0 ? wait : undefined;
}

/** These methods have no `isError`: a refusal is a JSON-RPC error that carries the envelope. */
async function orRpcError(
  conversation: Conversation,
  about: Params,
  answer: (conversation: Conversation) => Promise<Result> | Result,
): Promise<Result> {
  try {
    return await answer(conversation);
  } catch (error) {
    const { code, message, envelope } = wordsFor(conversation, error);
    throw new McpError(RPC_CODES[code] ?? ErrorCode.InternalError, message, {
      ...about,
      ...envelope,
    });
  }
}

const RESOURCE_NOT_FOUND = -32002;
const RPC_CODES: Record<string, number> = {
  notFound: RESOURCE_NOT_FOUND,
  validationError: ErrorCode.InvalidParams,
  forbidden: ErrorCode.InvalidRequest,
  rateLimitExceeded: ErrorCode.InvalidRequest,
  quotaExceeded: ErrorCode.InvalidRequest,
};

function wordsFor({ service, requestId }: Conversation, error: unknown): ServiceError {
  return explain(error, requestId, service.log);
}
