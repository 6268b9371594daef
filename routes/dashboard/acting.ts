/** The service as a signed-in person uses it, so that the audit trail names the person. */
import type { SignedIn } from "../../domain/brands/sessions.ts";
import type { Service } from "../../domain/service/service.ts";
import { WebClient } from "../face_call.ts";
import type { AppContext } from "../request.ts";

export function actingFor(
  service: Service,
  c: AppContext,
  { accountId, email }: Pick<SignedIn, "accountId" | "email">,
): Service {
  const actor = { kind: "account", id: accountId, email } as const;
  return { ...service, by: { actor, from: new WebClient(c) } };
}
