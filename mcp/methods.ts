/** The protocol's methods: params in, result out. The SDK answers the handshake itself. */
// @ts-types="@modelcontextprotocol/sdk/types"
import { ErrorCode, McpError, type Result } from "@modelcontextprotocol/sdk/types.js";
import { explain, invalid, ServiceError } from "../domain/foundation/errors.ts";
import { mayPerform } from "../domain/operations/gate.ts";
import { LruCache } from "../domain/foundation/lru.ts";
import { repeated } from "../domain/foundation/repeats.ts";
import type { Scope } from "../domain/brands/keys.ts";
import { ended, refusedResult } from "./answer.ts";
import { type Arguments, byOwnNames, unknownArguments } from "./arguments.ts";
import { Unconfirmed } from "./confirm.ts";
import type { Back, Conversation } from "./conversation.ts";
import { encoded, type Json } from "./json.ts";
import { reportProgress } from "./progress.ts";
import { promptMessages, PROMPTS } from "./prompts.ts";
import {
  listResources,
  readResource,
  requireSubscribable,
  RESOURCE_TEMPLATES,
} from "./resources.ts";
import { subscribe, unsubscribe } from "./subscriptions.ts";
import { nextStep } from "./next_step.ts";
import type { Session } from "./session.ts";
import { describeTool } from "./tool.ts";
import { findTool, TOOLS } from "./tools.ts";

/** What a client sent, unchecked. */
type Params = Record<string, unknown>;

type Method = (
  conversation: Conversation,
  params: Params,
  back: Back,
) => Promise<Result | Json> | Result | Json;

export const METHODS: Readonly<Record<string, Method>> = {
  "tools/list": ({ caller }) => toolsFor(caller.key.scopes),
  "tools/call": callTool,
  "resources/templates/list": () => ({ resourceTemplates: RESOURCE_TEMPLATES }),
  "resources/list": (conversation) =>
    orRpcError(conversation, {}, "ask again", async ({ service, caller, client }) => ({
      resources: await listResources(service, caller, client),
    })),
  "resources/read": (conversation, { uri }) =>
    orRpcError(
      conversation,
      { uri },
      "resources/list has the addresses",
      async ({ service, caller, refusal, client }) => {
        if (refusal !== null) throw refusal;
        return { contents: [await readResource(service, caller, uri, client)] };
      },
    ),
  "resources/subscribe": (conversation, { uri }) =>
    inSession(conversation, uri, async (session) => {
      const { service, caller, client } = conversation;
      const known = await requireSubscribable(service, caller, uri, client);
      await subscribe(service, session, known);
    }),
  "resources/unsubscribe": (conversation, { uri }) =>
    inSession(conversation, uri, async (session) => {
      if (typeof uri !== "string") throw invalid("uri", "is required");
      await unsubscribe(conversation.service, session, uri);
    }),
  "prompts/list": () => ({ prompts: PROMPTS }),
  "prompts/get": (conversation, { name, arguments: given }) =>
    orRpcError(
      conversation,
      {},
      "prompts/list has the names and arguments",
      () => promptMessages(name, given ?? {}),
    ),
};

function inSession(
  conversation: Conversation,
  uri: unknown,
  work: (session: Session) => Promise<void>,
): Promise<Result> {
  const next = "resources/list has the addresses";
  return orRpcError(conversation, { uri }, next, async ({ session }) => {
    if (session === null) {
      throw new ServiceError(
        "validationError",
        "Subscriptions need a session: send the Mcp-Session-Id that `initialize` answered.",
      );
    }
    await work(session);
    return {};
  });
}

/** How many arguments are remembered, and up to which size of their message. */
const KNOWN_INPUTS = 2_000;
const KNOWN_SIZE = 1_000;

const lists = new Map<string, Json>();

/** The tools of a key's scopes; each set of scopes is described once. */
function toolsFor(scopes: readonly Scope[]): Json {
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
  { progress, asker }: Back,
): Promise<Json> {
  const { refusal, message } = conversation;
  // Anything but an object is left to the validation, which refuses it.
  const input = (given ?? {}) as Arguments;
  const { wait, preview } = input;
  const tool = findTool(name);
  const note = tool === null ? null : unknownArguments(`${name}`, tool.operation, input);
  const done = progress === null ? () => {} : reportProgress(progress, secondsOf(wait));
  try {
    if (refusal !== null) throw refusal;
    if (tool === null) throw new ServiceError("notFound", `There is no tool ${name}.`);
    const { operation, hints } = tool;
    const read = () => {
      if (!message.wellFormed) throw invalid("arguments", "contain an unpaired surrogate");
      if (typeof input !== "object" || Array.isArray(input)) return input;
      const named = byOwnNames(operation, input);
      if (
        asker !== null && tool.confirm !== undefined && operation.input.safeParse(named).success
      ) {
        return tool.confirm(conversation, asker, named);
      }
      return hints.readOnly && message.size <= KNOWN_SIZE ? known(`${name}`, named) : named;
    };
    return await tool.call(conversation, read, { wantsPreview: preview === true, note });
  } catch (error) {
    const words = wordsFor(conversation, error);
    const next = words instanceof Unconfirmed
      ? words.next
      : nextStep(words.code, tool?.operation ?? null);
    const more = [note, next];
    return refusedResult(words, more.filter((sentence) => sentence !== null));
  } finally {
    done();
  }
}

const inputs = new LruCache<string, object>(KNOWN_INPUTS);

/** The first link of `domain/foundation/repeats.ts`: arguments sent before are the same object. */
function known(tool: string, input: object): object {
  return inputs.getOrMake(`${tool} ${JSON.stringify(input)}`, () => repeated(input));
}

/** Seconds that a call asks to wait. */
function secondsOf(wait: unknown): number | undefined {
  return typeof wait === "number" && wait > 0 ? wait : undefined;
}

/**
 * For methods without `isError`: makes a refusal a JSON-RPC error with the envelope as its data.
 * @param next what the client can do about a wrong address or name
 */
async function orRpcError(
  conversation: Conversation,
  about: Params,
  next: string,
  answer: (conversation: Conversation) => Promise<Result> | Result,
): Promise<Result> {
  try {
    return await answer(conversation);
  } catch (error) {
    const { code, message, envelope } = wordsFor(conversation, error);
    const isMeant = code === "notFound" || code === "validationError";
    const words = `${ended(message)} ${isMeant ? `Next: ${next}.` : nextStep(code, null)}`;
    throw new McpError(RPC_CODES[code] ?? ErrorCode.InternalError, words, {
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
