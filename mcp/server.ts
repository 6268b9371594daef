/** The agents' face: stateless MCP over streamable HTTP, behind the same gate as REST. */
import { explain, ServiceError } from "../domain/errors.ts";
import type { Cost } from "../domain/meter/count.ts";
import type { Service } from "../domain/service.ts";
import {
  bearer,
  errorResponse,
  type Face,
  type HeaderFields,
  jsonResponse,
  limitHeaders,
} from "../domain/wire.ts";
import { Handshakes } from "./handshakes.ts";
import { type Ask, readMessage } from "./message.ts";
import { METHODS } from "./methods.ts";
import { answerMessage } from "./session.ts";
import { findTool } from "./tools.ts";

export function mcpFace(service: Service): Face {
  const handshakes = new Handshakes(service.now);
  return async (request, call) => {
    let headers = call.headers;
    try {
      const origin = foreignOrigin(request, service.settings.BASE_URL);
      const isRead = request.method === "POST" && origin === null;
      const ask = isRead ? await readMessage(request) : null;
      const admission = await service.meter.admit(bearer(request), costOf(ask));
      headers = { ...headers, ...limitHeaders(admission.limits) };
      const { retryAfter } = admission.refusal ?? {};
      if (retryAfter !== undefined) headers = { ...headers, "retry-after": String(retryAfter) };
      call.note(admission.caller);
      if (!isWork(ask)) await inTurn(handshakes.wait(admission.caller.key.id, kindOf(ask)));
      if (origin !== null) {
        throw new ServiceError("forbidden", `The origin ${origin} may not use this server.`);
      }
      if (ask === null) return wrongMethod(headers);
      if (ask.kind === "broken") return jsonResponse(ask.answer, 400, headers);
      const { requestId } = call;
      const conversation = { service, admission, ask, request, requestId, client: request };
      return await answerMessage(conversation, headers);
    } catch (error) {
      return errorResponse(explain(error, call.requestId, service.log), headers);
    }
  };
}

/** Only work counts: a handshake alone would exhaust the Free plan's second. */
function costOf(ask: Ask | null): Cost {
  if (!isWork(ask)) return "nothing";
  return findTool(ask.tool)?.operation.costs ?? "request";
}

type Message = Ask & { kind: "message" };

function isWork(ask: Ask | null): ask is Message {
  return ask?.kind === "message" &&
    (ask.method === "tools/call" || ask.method === "resources/read");
}

/** What the message is counted as; a client can't make up kinds of its own. */
function kindOf(ask: Ask | null): string {
  if (ask?.kind !== "message") return "broken";
  if (ask.method.startsWith("notifications/")) return "notification";
  const known = Object.hasOwn(METHODS, ask.method) || ["initialize", "ping"].includes(ask.method);
  return known ? ask.method : "unknown";
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
