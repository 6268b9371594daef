/** Passes REST requests to the gate, and makes anything thrown the error envelope. */
import { explain, ServiceError } from "../domain/foundation/errors.ts";
import type { Cost } from "../domain/brands/meter/count.ts";
import type { Caller } from "../domain/brands/meter/meter.ts";
import type { Service } from "../domain/service/service.ts";
import { admit } from "../domain/operations/gate.ts";
import { errorResponse, type HeaderFields, helpLink } from "../domain/operations/http.ts";
import { faceCall } from "./face_call.ts";
import type { AppContext } from "./request.ts";

/** Runs `answer` if the gate admits the caller. */
export function admitted(
  service: Service,
  c: AppContext,
  cost: Cost,
  answer: (caller: Caller, headers: HeaderFields) => Promise<Response> | Response,
): Promise<Response> {
  return admit(service, faceCall(c), cost, (caller, headers) => {
    if (caller.key.app) throw forAgentsOnly();
    return answer(caller, headers);
  });
}

/** An access token is for the address that a person allowed it for (RFC 8707). */
function forAgentsOnly(): ServiceError {
  return new ServiceError(
    "forbidden",
    "This access token is for agents at /mcp. Send an API key here.",
  );
}

/** Anything thrown outside the gate, as the envelope. */
export function refused(service: Service, c: AppContext, error: unknown): Response {
  const requestId = c.get("requestId");
  const refusal = explain(error, requestId, service.log);
  // A face that names its answers itself did not come to it, as when the store is away.
  const headers = { "x-request-id": requestId };
  const help = helpLink(service.settings.BASE_URL, refusal.code);
  return errorResponse(refusal, { ...headers, ...help });
}
