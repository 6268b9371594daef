/** Key and meter before everything else, and what is thrown as the envelope. */
import { explain } from "../domain/errors.ts";
import type { Cost } from "../domain/meter/count.ts";
import type { Admission } from "../domain/meter/meter.ts";
import type { Service } from "../domain/service.ts";
import { bearer, errorResponse, type HeaderFields, limitHeaders } from "../domain/wire.ts";
import { type AppContext, named } from "./request.ts";

/**
 * Key and meter first, then `answer`; whatever it throws becomes the envelope. Every answer to a
 * known key bears the five headers.
 */
export async function admitted(
  service: Service,
  c: AppContext,
  cost: Cost,
  answer: (admission: Admission, headers: HeaderFields) => Promise<Response> | Response,
): Promise<Response> {
  let headers = named(c);
  try {
    const admission = await service.meter.admit(bearer(c.req.raw), cost);
    headers = { ...headers, ...limitHeaders(admission.limits) };
    c.set("caller", { brandId: admission.caller.brand.id, keyId: admission.caller.key.id });
    if (admission.refusal !== null) throw admission.refusal;
    return await answer(admission, headers);
  } catch (error) {
    return refused(service, c, error, headers);
  }
}

/** Anything thrown, as the envelope. */
export function refused(
  service: Service,
  c: AppContext,
  error: unknown,
  headers: HeaderFields = {},
): Response {
  return errorResponse(explain(error, c.get("requestId"), service.log), headers);
}
