/** The answer to every request while the process lacks settings: 503 with what is missing. */
import { ServiceError } from "../domain/foundation/errors.ts";
import { errorResponse } from "../domain/operations/http.ts";

export function refuseUnset(unmet: readonly string[]): () => Response {
  const error = new ServiceError("serviceUnavailable", unmet.join(" "));
  return () => errorResponse(error);
}
