/**
 * The agents' face: MCP over streamable HTTP, behind the same gate as REST. No process keeps anything
 * of a client: what a session needs is in its id and in the store.
 */
// @ts-types="@modelcontextprotocol/sdk/types"
import { InitializeRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Cost } from "../domain/brands/meter/count.ts";
import type { Caller } from "../domain/brands/meter/meter.ts";
import { ServiceError } from "../domain/foundation/errors.ts";
import { admit, mayPerform } from "../domain/operations/gate.ts";
import {
  bearer,
  type Face,
  type FaceCall,
  type HeaderFields,
  jsonResponse,
} from "../domain/operations/http.ts";
import type { Settings } from "../domain/foundation/settings.ts";
import type { Service } from "../domain/service/service.ts";
import type { Conversation } from "./conversation.ts";
import { Handshakes } from "./handshakes.ts";
import { type Broken, type Message, readMessage } from "./message.ts";
import { METHODS } from "./methods.ts";
import { answerMessage } from "./answer_message.ts";
import { answerQuestion, dropQuestions } from "./questions.ts";
import { newSessionId, openSessionId, type Session, SESSION_HEADER } from "./session.ts";
import { mayFollow } from "./resources.ts";
import { Streams } from "./streams.ts";
import { endSession, noSession, readRow } from "./subscriptions.ts";
import { findTool, TOOLS } from "./tools.ts";

/** Null for a request that is refused before its body is read. */
type Received = Message | Broken | null;

export function mcpFace(service: Service): Face {
  const handshakes = new Handshakes(service.now);
  const streams = new Streams(service);
  return async (call) => {
    const { request, client, requestId } = call;
    const origin = foreignOrigin(request, service.settings.BASE_URL);
    const opening = openSession(service, request);
    const isRead = request.method === "POST" && origin === null &&
      await service.meter.knows(bearer(request));
    const received = isRead ? await readMessage(request) : null;
    const answer = async (
      caller: Caller,
      headers: HeaderFields,
      refusal: ServiceError | null = null,
    ) => {
      if (!isWork(received)) {
        await inTurn(handshakes.wait(caller.key.id, kindOf(received, request)));
      }
      if (origin !== null) {
        throw new ServiceError("forbidden", `The origin ${origin} may not use this server.`);
      }
      const isFirst = received?.kind === "message" && received.method === "initialize";
      const session = opening === null || isFirst ? null : await opening;
      if (session !== null && session?.keyId !== caller.key.id) throw noSession();
      const about = { service, caller, refusal, request, requestId, client, session };
      if (received === null) {
        return await withoutMessage(service, streams, about, headers) ??
          wrongMethod(session, headers);
      }
      if (received.kind === "broken") return jsonResponse(received.answer, 400, headers);
      if (isFirst) headers = { ...headers, ...await newSession(service, caller, received) };
      if (session !== null) await noteAnswer(service, session, received);
      return await answerMessage({ ...about, message: received }, headers);
    };
    // Refusals go the same way, because a tool call returns them as its result.
    const answered = await admit(service, call, costOf(received), answer, answer);
    return answered.status === 401 ? challenged(answered, call, service.settings) : answered;
  };
}

/**
 * The session that a request names; it is looked up while the key is. Null: it names none.
 * Undefined: there is no such session, or it has ended.
 */
function openSession(service: Service, request: Request): Promise<Session | undefined> | null {
  const text = request.headers.get(SESSION_HEADER);
  if (text === null) return null;
  const opening = openSessionId(service, text).then(async (session) => {
    if (session === null) return undefined;
    return (await readRow(service, session))?.hasEnded === true ? undefined : session;
  });
  opening.catch(() => {}); // the request may be refused before anybody asks for it
  return opening;
}

/** A request without a message: GET opens the session's stream, DELETE ends the session. */
async function withoutMessage(
  service: Service,
  streams: Streams,
  { session, ...source }: Omit<Conversation, "message">,
  headers: HeaderFields,
): Promise<Response | null> {
  const { method } = source.request;
  if (session === null) return null;
  if (method === "GET") return streams.open({ ...source, session }, headers);
  if (method !== "DELETE") return null;
  await endSession(service, session);
  streams.end(session);
  return new Response(null, { status: 204, headers });
}

/** The header with which a session begins, for a key that has a use for one. */
async function newSession(
  service: Service,
  caller: Caller,
  { json }: Message,
): Promise<HeaderFields> {
  const { data } = InitializeRequestSchema.safeParse(json);
  if (data === undefined) return {};
  const { elicitation } = data.params.capabilities;
  // A client that declares neither of the two ways to ask has forms, as it was before there were two.
  const hasForms = elicitation !== undefined &&
    (elicitation.form !== undefined || elicitation.url === undefined);
  const isOfUse = mayFollow(caller) || (hasForms && mayAskFor(caller));
  return isOfUse ? { [SESSION_HEADER]: await newSessionId(service, caller.key, hasForms) } : {};
}

/** Whether the key has a tool that asks the person at the client. */
function mayAskFor({ key }: Caller): boolean {
  return Object.values(TOOLS).some(({ confirm, operation }) =>
    confirm !== undefined && mayPerform(key.scopes, operation)
  );
}

/** Passes an answer to the call that has asked, and has a cancelled call ask no more. */
async function noteAnswer(
  service: Service,
  session: Session,
  { method, json }: Message,
): Promise<void> {
  const { id, result, params } = json as {
    id?: unknown;
    result?: unknown;
    params?: { requestId?: unknown };
  };
  if (method === "") await answerQuestion(service, session, { id, result });
  if (method === "notifications/cancelled") {
    await dropQuestions(service, session, params?.requestId);
  }
}

/** Tells where an app finds out how to sign in (RFC 9728, 5.1). */
function challenged(answer: Response, { request }: FaceCall, { BASE_URL }: Settings): Response {
  const about = `resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource/mcp"`;
  const fault = bearer(request) === null ? "" : 'error="invalid_token", ';
  answer.headers.set("www-authenticate", `Bearer ${fault}${about}`);
  return answer;
}

/** Only work is counted; else a handshake alone would use up the Free plan's second. */
function costOf(received: Received): Cost {
  if (!isWork(received)) return "nothing";
  return findTool(received.tool)?.operation.costs ?? "request";
}

function isWork(received: Received): received is Message {
  return received?.kind === "message" &&
    (received.method === "tools/call" || received.method === "resources/read");
}

/** The kind that a handshake is counted as; clients can't make up kinds of their own. */
function kindOf(received: Received, request: Request): string {
  if (received === null && request.headers.has(SESSION_HEADER)) return "stream";
  if (received?.kind !== "message") return "broken";
  const { method } = received;
  if (method === "") return "answer";
  if (method.startsWith("notifications/")) return "notification";
  const known = Object.hasOwn(METHODS, method) || ["initialize", "ping"].includes(method);
  return known ? method : "unknown";
}

async function inTurn(waitMs: number): Promise<void> {
  if (waitMs > 0) await new Promise((done) => setTimeout(done, waitMs));
}

/** Browsers send an Origin; a page of another site must not drive an agent's server. */
function foreignOrigin(request: Request, baseUrl: string): string | null {
  const origin = request.headers.get("origin");
  return origin === new URL(baseUrl).origin ? null : origin;
}

function wrongMethod(session: Session | null, headers: HeaderFields): Response {
  const error = new ServiceError(
    "notFound",
    "This path takes POST. With the Mcp-Session-Id of a session it also takes GET and DELETE.",
  );
  const allow = session === null ? "POST" : "POST, GET, DELETE";
  return jsonResponse(error.envelope, 405, { ...headers, allow });
}
