/** The agents' face: stateless MCP over streamable HTTP, behind the same gate as REST. */
import { ServiceError, toServiceError } from "../domain/errors.ts";
import { faultFields } from "../domain/log.ts";
import type { Cost } from "../domain/meter/count.ts";
import type { Admission } from "../domain/meter/meter.ts";
import type { Service } from "../domain/service.ts";
import {
  bearer,
  errorResponse,
  type Face,
  type Headers,
  jsonResponse,
  limitHeaders,
} from "../domain/wire.ts";
import { Handshakes } from "./handshakes.ts";
import { type Ask, readMessage } from "./message.ts";
import { TOOLS } from "./tools.ts";

const METHODS = "POST";

export function mcpFace(service: Service): Face {
  const handshakes = new Handshakes(service.now);
  return async (request, call) => {
    let headers: Headers = {};
    try {
      refuseForeignOrigin(request, service.settings.BASE_URL);
      const ask = request.method === "POST" ? await readMessage(request) : null;
      const admission = await service.meter.admit(bearer(request), costOf(ask));
      headers = limitHeaders(admission.limits);
      call.note(admission.caller);
      if (ask === null) return wrongMethod(headers);
      if (ask.kind === "broken") return jsonResponse(ask.answer, 400, headers);
      if (!countsByItself(ask)) handshakes.count(admission.caller.key.id);
      const answer = await converse(service, admission, ask, request, call.requestId);
      for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
      return answer;
    } catch (error) {
      const refusal = toServiceError(error, call.requestId);
      if (refusal !== error) service.log.error("fault", { ...call, ...faultFields(error) });
      return errorResponse(refusal, headers);
    }
  };
}

/** Only work counts: a handshake alone would exhaust the Free plan's second. */
function costOf(ask: Ask | null): Cost {
  if (ask === null || ask.kind === "broken" || !countsByItself(ask)) return "nothing";
  return TOOLS[ask.tool ?? ""]?.operation.costs ?? "request";
}

function countsByItself({ method }: { method: string }): boolean {
  return method === "tools/call" || method === "resources/read";
}

async function converse(
  service: Service,
  admission: Admission,
  ask: Ask & { kind: "message" },
  request: Request,
  requestId: string,
): Promise<Response> {
  const { answerMessage } = await import("./session.ts");
  return await answerMessage({ service, admission, ask, request, requestId });
}

/** Browsers send an Origin; a page of another site must not drive an agent's server. */
function refuseForeignOrigin(request: Request, baseUrl: string): void {
  const origin = request.headers.get("origin");
  if (origin === null || origin === new URL(baseUrl).origin) return;
  throw new ServiceError("forbidden", `The origin ${origin} may not use this server.`);
}

function wrongMethod(headers: Headers): Response {
  const error = new ServiceError("notFound", `This path takes ${METHODS}.`);
  return jsonResponse(error.envelope, 405, { ...headers, allow: METHODS });
}
