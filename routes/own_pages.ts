/** Tells the service's own pages from those of other sites. */
import { ServiceError } from "../domain/foundation/errors.ts";
import type { Settings } from "../domain/foundation/settings.ts";

/**
 * Refuses calls from pages of other sites. Only BASE_URL says what the own site is, because whoever
 * points a name of theirs at the service also chooses the request's Host. Every browser sends the
 * origin of a form. A request without one is from a program, which does not have a visitor's cookies.
 * @throws ServiceError `forbidden`
 */
export function refuseForeign(request: Request, { BASE_URL }: Pick<Settings, "BASE_URL">): void {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const own = new URL(BASE_URL).origin;
  if (origin === null ? site === null || site === "same-origin" : origin === own) return;
  throw new ServiceError(
    "forbidden",
    `Only the service's own pages may send this. Open them at ${BASE_URL}.`,
  );
}
