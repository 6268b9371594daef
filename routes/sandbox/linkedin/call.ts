/** A versioned REST call: version and protocol headers, token, and the token's account. */
import {
  accountByNumber,
  isMember,
  type SandboxAccount,
} from "../../../domain/platforms/sandbox/accounts.ts";
import { readToken, type SandboxToken } from "../../../domain/platforms/sandbox/tokens.ts";
import type { Service } from "../../../domain/service/service.ts";
import {
  accessDenied,
  apiError,
  badQuery,
  emptyToken,
  expiredToken,
  invalidToken,
} from "./errors.ts";
import { type Query, rawQuery } from "./restli.ts";

/** The newest version that is always active, whatever the sandbox's clock shows. */
const NEWEST = "202609";
/** A version ends on this day of its month a year later. */
const LAST_DAY = 16;

export interface RestCall {
  request: Request;
  query: Query;
  account: SandboxAccount;
  record: SandboxToken;
}

/** @throws Refusal when version, protocol or token is missing or expired */
export async function restCall(service: Service, request: Request): Promise<RestCall> {
  requireVersion(request.headers.get("linkedin-version"), service.now());
  if (request.headers.get("x-restli-protocol-version") !== "2.0.0") {
    throw badQuery("X-Restli-Protocol-Version must be 2.0.0");
  }
  return { request, query: rawQuery(request), ...await requireToken(service, request) };
}

export async function requireToken(
  { kv, now }: Service,
  request: Request,
): Promise<{ record: SandboxToken; account: SandboxAccount }> {
  const token = /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (token === undefined) throw emptyToken();
  const record = await readToken(kv, "linkedin", token);
  if (record?.kind !== "access") throw invalidToken();
  if (record.expiresAt <= now()) throw expiredToken();
  const account = await accountByNumber(kv, "linkedin", record.number);
  if (account === null) throw invalidToken();
  return { record, account };
}

/** @param scopes the scope that an organization or a member needs; absent: refused to that kind */
export function requireScope(
  { record, account }: RestCall,
  resource: string,
  scopes: { organization?: string; member?: string },
): void {
  const scope = isMember(account) ? scopes.member : scopes.organization;
  if (scope === undefined || !record.scopes.includes(scope)) throw accessDenied(resource);
}

function requireVersion(version: string | null, at: number): void {
  if (version === null || version === "") {
    throw apiError(
      400,
      "VERSION_MISSING",
      "A version must be present. Please specify a version by adding the LinkedIn-Version header.",
    );
  }
  const known = /^(20\d\d)(0[1-9]|1[0-2])$/.exec(version);
  const month = new Date(at).toISOString().slice(0, 7).replace("-", "");
  const future = version > NEWEST && version > month;
  // NEWEST never ends, because the sandbox's clock may be turned far into the future.
  const dead = known !== null && version < NEWEST &&
    at >= Date.UTC(Number(known[1]) + 1, Number(known[2]) - 1, LAST_DAY);
  if (known === null || future || dead) {
    throw apiError(426, "NONEXISTENT_VERSION", `Requested version ${version} is not active`);
  }
}
