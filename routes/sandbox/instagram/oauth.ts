/** Instagram Login: code, token for an hour, token for 60 days, renewal (PLATFORMS A.2). */
import { HOUR } from "../../../domain/foundation/calendar.ts";
import { requireAccount } from "../../../domain/platforms/sandbox/accounts.ts";
import { externalAccountId } from "../../../domain/platforms/sandbox/ids.ts";
import { issueToken, spendCode } from "../../../domain/platforms/sandbox/tokens.ts";
import type { Service } from "../../../domain/service/service.ts";
import { json, Refusal } from "../wire.ts";
import { bearerOf, readParams, requireToken } from "./call.ts";
import { badParameter, graphError, sessionExpired } from "./errors.ts";

const REFRESHABLE_AFTER_MS = 24 * HOUR;

/** The error body of step 2, which is not Graph's. */
const exchangeError = (message: string): Refusal =>
  new Refusal(400, { error_type: "OAuthException", code: 400, error_message: message });

/** `POST api.instagram.com/oauth/access_token` */
export async function exchangeCode(service: Service, request: Request): Promise<Response> {
  const { kv, now } = service;
  const params = await readParams(request);
  for (const name of ["client_id", "client_secret", "redirect_uri", "code"]) {
    if (!params[name]) throw exchangeError(`Missing required field ${name}`);
  }
  if (params["grant_type"] !== "authorization_code") {
    throw exchangeError('Invalid grant_type: must be "authorization_code"');
  }
  const code = await spendCode(kv, now, "instagram", params["code"] ?? "");
  if (code === null) {
    throw exchangeError("This authorization code has been used or is invalid.");
  }
  if (code.redirectUri !== params["redirect_uri"] || code.clientId !== params["client_id"]) {
    throw exchangeError(
      "Error validating verification code. Please make sure your redirect_uri " +
        "is identical to the one you used in the OAuth dialog request",
    );
  }
  const account = await requireAccount(kv, "instagram", code.number);
  const { token } = await issueToken(kv, now, account, { kind: "short", scopes: code.scopes });
  const grant = {
    access_token: token,
    user_id: externalAccountId(account),
    permissions: code.scopes.join(","),
  };
  return json({ data: [grant] });
}

/** `GET graph.instagram.com/access_token?grant_type=ig_exchange_token` */
export async function exchangeShortToken(service: Service, request: Request): Promise<Response> {
  const params = await readParams(request);
  if (params["grant_type"] !== "ig_exchange_token") throw badParameter("Unsupported grant type");
  if (!params["client_secret"]) throw badParameter("Missing client_secret parameter.");
  const { record, account } = await requireToken(
    service,
    params["access_token"] ?? bearerOf(request),
  );
  if (record.kind !== "short") throw badParameter("The access token is long-lived already.");
  return await longLived(service, account, record.scopes);
}

/** `GET graph.instagram.com/refresh_access_token?grant_type=ig_refresh_token` */
export async function refreshToken(service: Service, request: Request): Promise<Response> {
  const params = await readParams(request);
  if (params["grant_type"] !== "ig_refresh_token") throw badParameter("Unsupported grant type");
  const { record, account } = await requireToken(
    service,
    params["access_token"] ?? bearerOf(request),
  );
  if (record.kind !== "access") throw sessionExpired();
  if (service.now() - record.issuedAt < REFRESHABLE_AFTER_MS) {
    throw graphError({
      code: 10,
      message: "(#10) The access token must be at least 24 hours old to be refreshed.",
    });
  }
  return await longLived(service, account, record.scopes);
}

async function longLived(
  { kv, now }: Service,
  account: Parameters<typeof issueToken>[2],
  scopes: string[],
): Promise<Response> {
  const { token, expiresIn } = await issueToken(kv, now, account, { kind: "access", scopes });
  return json({
    access_token: token,
    token_type: "bearer",
    expires_in: expiresIn,
    permissions: scopes.join(","),
  });
}
