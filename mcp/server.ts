/** The agents' face: stateless MCP over streamable HTTP, behind the same gate as REST. */
import type { Cost } from "../domain/brands/meter/count.ts";
import type { Caller } from "../domain/brands/meter/meter.ts";
import { ServiceError } from "../domain/foundation/errors.ts";
import { admit } from "../domain/operations/gate.ts";
import {
  bearer,
  type Face,
  type FaceCall,
  type HeaderFields,
  jsonResponse,
} from "../domain/operations/http.ts";
import type { Settings } from "../domain/foundation/settings.ts";
import type { Service } from "../domain/service/service.ts";
import { Handshakes } from "./handshakes.ts";
import { type Broken, type Message, readMessage } from "./message.ts";
import { METHODS } from "./methods.ts";
import { answerMessage } from "./session.ts";
import { findTool } from "./tools.ts";

/** Null for a request that is refused before its body is read. */
type Received = Message | Broken | null;

export function mcpFace(service: Service): Face {
  const handshakes = new Handshakes(service.now);
  return async (call) => {
    const { request, client, requestId } = call;
    const origin = foreignOrigin(request, service.settings.BASE_URL);
    const isRead = request.method === "POST" && origin === null &&
      await service.meter.knows(bearer(request));
    const received = isRead ? await readMessage(request) : null;
    const answer = async (
      caller: Caller,
      headers: HeaderFields,
      refusal: ServiceError | null = null,
    ) => {
      if (!isWork(received)) await inTurn(handshakes.wait(caller.key.id, kindOf(received)));
      if (origin !== null) {
        throw new ServiceError("forbidden", `The origin ${origin} may not use this server.`);
      }
      if (received === null) return wrongMethod(headers);
      if (received.kind === "broken") return jsonResponse(received.answer, 400, headers);
      const about = { service, caller, refusal, message: received, request, requestId };
      return await answerMessage({ ...about, client }, headers);
    };
    // Refusals go the same way, because a tool call returns them as its result.
    const answered = await admit(service, call, costOf(received), answer, answer);
    return answered.status === 401 ? challenged(answered, call, service.settings) : answered;
  };
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
function kindOf(received: Received): string {
  if (received?.kind !== "message") return "broken";
  const { method } = received;
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

function wrongMethod(headers: HeaderFields): Response {
  const error = new ServiceError("notFound", "This path takes POST.");
  return jsonResponse(error.envelope, 405, { ...headers, allow: "POST" });
}
