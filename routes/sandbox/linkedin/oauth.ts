/** LinkedIn's OAuth and who the token speaks for (PLATFORMS B.2). */
import { SECOND } from "../../../domain/calendar.ts";
import {
  accountByNumber,
  isMember,
  type SandboxAccount,
} from "../../../domain/sandbox/accounts.ts";
import { externalAccountId, personId } from "../../../domain/sandbox/ids.ts";
import { issueToken, readToken, spendCode } from "../../../domain/sandbox/tokens.ts";
import type { Service } from "../../../domain/service.ts";
import { avatarUrl, json } from "../wire.ts";
import { requireToken, type RestCall } from "./call.ts";
import { accessDenied, deadRefreshToken, notFound, oauthError } from "./errors.ts";

/** `POST www.linkedin.com/oauth/v2/accessToken`: a code's exchange or a refresh. */
export async function accessToken(service: Service, form: URLSearchParams): Promise<Response> {
  for (const name of ["grant_type", "client_id", "client_secret"]) {
    if (!form.get(name)) {
      throw oauthError(400, "invalid_request", `A required parameter "${name}" is missing`);
    }
  }
  switch (form.get("grant_type")) {
    case "authorization_code":
      return await exchangeCode(service, form);
    case "refresh_token":
      return await refresh(service, form.get("refresh_token") ?? "");
    default:
      throw oauthError(400, "unsupported_grant_type", "The grant type is not supported");
  }
}

async function exchangeCode({ kv, now }: Service, form: URLSearchParams): Promise<Response> {
  const code = await spendCode(kv, now, "linkedin", form.get("code") ?? "");
  if (code === null || code.redirectUri !== form.get("redirect_uri")) {
    throw oauthError(
      400,
      "invalid_request",
      "Unable to retrieve access token: appid/redirect uri/code verifier does not match " +
        "authorization code. Or authorization code expired.",
    );
  }
  if (code.clientId !== form.get("client_id")) {
    throw oauthError(401, "invalid_client", "Client authentication failed");
  }
  const account = (await accountByNumber(kv, "linkedin", code.number))!;
  const { scopes } = code;
  const access = await issueToken(kv, now, account, { kind: "access", scopes });
  const renewing = await issueToken(kv, now, account, { kind: "refresh", scopes });
  return json({
    access_token: access.token,
    expires_in: access.expiresIn,
    refresh_token: renewing.token,
    refresh_token_expires_in: renewing.expiresIn,
    scope: scopes.join(","),
    token_type: "Bearer",
  });
}

/** A new access token; the refresh token stays, and its life does not start again. */
async function refresh({ kv, now }: Service, token: string): Promise<Response> {
  const record = await readToken(kv, "linkedin", token);
  if (record?.kind !== "refresh" || record.expiresAt <= now()) throw deadRefreshToken();
  const account = (await accountByNumber(kv, "linkedin", record.number))!;
  const access = await issueToken(kv, now, account, { kind: "access", scopes: record.scopes });
  return json({
    access_token: access.token,
    expires_in: access.expiresIn,
    refresh_token: token,
    refresh_token_expires_in: Math.floor((record.expiresAt - now()) / SECOND),
    scope: record.scopes.join(","),
    token_type: "Bearer",
  });
}

/** `GET api.linkedin.com/v2/userinfo`: the member who said yes. */
export async function userInfo(service: Service, request: Request): Promise<Response> {
  const { record, account } = await requireToken(service, request);
  if (!record.scopes.includes("openid") || !record.scopes.includes("profile")) {
    throw accessDenied("userinfo.GET");
  }
  const name = isMember(account) ? account.handle : `Administrator of ${account.handle}`;
  return json({
    sub: personId(account),
    name,
    given_name: name.split(" ")[0],
    family_name: name.split(" ").slice(1).join(" "),
    picture: avatarUrl(service, account),
    locale: { country: "US", language: "en" },
  });
}

/** `GET /rest/organizationAcls?q=roleAssignee`: the pages that the member administers. */
export function organizationAcls({ account, record }: RestCall): Response {
  if (!record.scopes.includes("rw_organization_admin")) {
    if (!isMember(account)) throw accessDenied("organizationAcls.FINDER-roleAssignee");
  }
  const organization = externalAccountId(account);
  const elements = isMember(account) ? [] : [{
    role: "ADMINISTRATOR",
    state: "APPROVED",
    roleAssignee: `urn:li:person:${personId(account)}`,
    organization,
    organizationTarget: organization,
  }];
  return json({ paging: { start: 0, count: 10, links: [] }, elements });
}

/** `GET /rest/organizations/{id}` */
export function organization({ account }: RestCall, id: string): Response {
  if (isMember(account) || id !== String(account.number)) throw notFound(id);
  return json({
    id: account.number,
    localizedName: account.handle,
    vanityName: vanityOf(account),
    name: { localized: { en_US: account.handle } },
  });
}

const vanityOf = ({ handle }: SandboxAccount): string =>
  handle.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
