/** Google's token endpoint: exchanges codes and renews tokens (PLATFORMS C.1). */
import { createHash } from "node:crypto";
import { requireAccount } from "../../../domain/platforms/sandbox/accounts.ts";
import {
  issueToken,
  prolongToken,
  readToken,
  revokeTokens,
  type SandboxToken,
  spendCode,
} from "../../../domain/platforms/sandbox/tokens.ts";
import type { Service } from "../../../domain/service/service.ts";
import { json } from "../wire.ts";
import { invalidGrant, oauthError } from "./errors.ts";

/** `POST oauth2.googleapis.com/token` */
export async function token(service: Service, form: URLSearchParams): Promise<Response> {
  if (!form.get("client_id") || !form.get("client_secret")) {
    throw oauthError(401, "invalid_client", "The OAuth client was not found.");
  }
  switch (form.get("grant_type")) {
    case "authorization_code":
      return await exchangeCode(service, form);
    case "refresh_token":
      return await refresh(service, form.get("refresh_token") ?? "");
    default:
      throw oauthError(400, "unsupported_grant_type", "Invalid grant_type");
  }
}

/** `POST oauth2.googleapis.com/revoke`: ends every token of the account. */
export async function revoke({ kv }: Service, form: URLSearchParams): Promise<Response> {
  const record = await readToken(kv, "youtube", form.get("token") ?? "");
  if (record === null) throw oauthError(400, "invalid_token", "Token expired or revoked");
  await revokeTokens(kv, await requireAccount(kv, "youtube", record.number));
  return json({});
}

async function exchangeCode({ kv, now }: Service, form: URLSearchParams): Promise<Response> {
  const code = await spendCode(kv, now, "youtube", form.get("code") ?? "");
  if (code === null) throw oauthError(400, "invalid_grant", "Malformed auth code.");
  if (code.redirectUri !== form.get("redirect_uri")) {
    throw oauthError(400, "redirect_uri_mismatch", "Bad Request");
  }
  if (code.clientId !== form.get("client_id")) {
    throw oauthError(401, "invalid_client", "Unauthorized");
  }
  requireVerifier(code, form.get("code_verifier"));
  const account = await requireAccount(kv, "youtube", code.number);
  const { scopes } = code;
  const access = await issueToken(kv, now, account, { kind: "access", scopes });
  const renewing = await issueToken(kv, now, account, { kind: "refresh", scopes });
  return json({
    access_token: access.token,
    expires_in: access.expiresIn,
    refresh_token: renewing.token,
    scope: scopes.join(" "),
    token_type: "Bearer",
  });
}

/** A code that was asked for with a challenge is worth nothing without its verifier (RFC 7636, 4.6). */
function requireVerifier({ challenge }: SandboxToken, verifier: string | null): void {
  if (challenge === undefined) return;
  if (!verifier) throw oauthError(400, "invalid_grant", "Missing code verifier.");
  const made = createHash("sha256").update(verifier).digest("base64url");
  if (made !== challenge) throw oauthError(400, "invalid_grant", "Invalid code verifier.");
}

/** Returns no `refresh_token`: the old one stays valid, and using it extends its life. */
async function refresh({ kv, now }: Service, secret: string): Promise<Response> {
  const record = await readToken(kv, "youtube", secret);
  if (record?.kind !== "refresh" || record.expiresAt <= now()) throw invalidGrant();
  const account = await requireAccount(kv, "youtube", record.number);
  const { scopes } = record;
  const access = await issueToken(kv, now, account, { kind: "access", scopes });
  await prolongToken(kv, now, "youtube", secret);
  return json({
    access_token: access.token,
    expires_in: access.expiresIn,
    scope: scopes.join(" "),
    token_type: "Bearer",
  });
}
