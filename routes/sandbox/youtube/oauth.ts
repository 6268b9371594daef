/** Google's token endpoint: code exchange and refresh (PLATFORMS C.1). */
import { accountByNumber } from "../../../domain/sandbox/accounts.ts";
import { issueToken, prolongToken, readToken, spendCode } from "../../../domain/sandbox/tokens.ts";
import type { Service } from "../../../domain/service.ts";
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

async function exchangeCode({ kv, now }: Service, form: URLSearchParams): Promise<Response> {
  const code = await spendCode(kv, now, "youtube", form.get("code") ?? "");
  if (code === null) throw oauthError(400, "invalid_grant", "Malformed auth code.");
  if (code.redirectUri !== form.get("redirect_uri")) {
    throw oauthError(400, "redirect_uri_mismatch", "Bad Request");
  }
  if (code.clientId !== form.get("client_id")) {
    throw oauthError(401, "invalid_client", "Unauthorized");
  }
  const account = (await accountByNumber(kv, "youtube", code.number))!;
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

/** The same without `refresh_token`: the old one stays, and lives on by being used. */
async function refresh({ kv, now }: Service, secret: string): Promise<Response> {
  const record = await readToken(kv, "youtube", secret);
  if (record?.kind !== "refresh" || record.expiresAt <= now()) throw invalidGrant();
  const account = (await accountByNumber(kv, "youtube", record.number))!;
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
