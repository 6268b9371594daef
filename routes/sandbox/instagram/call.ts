/** A versioned Graph call: version, parameters, token, and the token's account. */
import type { Service } from "../../../domain/service/service.ts";
import {
  accountByNumber,
  type SandboxAccount,
} from "../../../domain/platforms/sandbox/accounts.ts";
import { externalAccountId } from "../../../domain/platforms/sandbox/ids.ts";
import { readToken, type SandboxToken } from "../../../domain/platforms/sandbox/tokens.ts";
import { badParameter, graphError, invalidToken, noSuchObject, sessionExpired } from "./errors.ts";

/** Graph's versions and the day on which each ends (PLATFORMS, "Biggest things" 1). */
const VERSIONS: Record<string, string | null> = {
  "v21.0": "2027-01-21",
  "v22.0": "2027-05-20",
  "v23.0": "2027-10-08",
  "v24.0": "2028-02-18",
  "v25.0": "2028-07-29",
  "v26.0": null,
};

export type Params = Record<string, string>;

export interface GraphCall {
  version: string;
  params: Params;
  token: string;
  record: SandboxToken;
  account: SandboxAccount;
}

/** The parameters of query and body, of which the body's win; nested JSON values as text. */
export async function readParams(request: Request): Promise<Params> {
  const params: Params = Object.fromEntries(new URL(request.url).searchParams);
  if (request.method === "GET" || request.body === null) return params;
  const type = request.headers.get("content-type") ?? "";
  if (type.includes("json")) {
    const body = await request.json().catch(() => {
      throw badParameter("The request body is not valid JSON.");
    });
    for (const [name, value] of Object.entries(body as Record<string, unknown>)) {
      params[name] = typeof value === "string" ? value : JSON.stringify(value);
    }
  } else if (type.includes("form")) {
    for (const [name, value] of await request.formData()) {
      if (typeof value === "string") params[name] = value;
    }
  }
  return params;
}

/** @throws Refusal for an expired version or token */
export async function graphCall(
  service: Service,
  request: Request,
  version: string,
): Promise<GraphCall> {
  requireVersion(version, service.now());
  const params = await readParams(request);
  const token = params["access_token"] ?? bearerOf(request);
  return { version, params, ...await requireToken(service, token) };
}

export async function requireToken(
  { kv, now }: Service,
  token: string | undefined,
): Promise<Pick<GraphCall, "token" | "record" | "account">> {
  if (token === undefined || token === "") {
    throw graphError({
      code: 2500,
      message: "An active access token must be used to query information about the current user.",
    });
  }
  const record = await readToken(kv, "instagram", token);
  if (record === null || record.kind === "code") throw invalidToken();
  if (record.expiresAt <= now()) throw sessionExpired();
  const account = await accountByNumber(kv, "instagram", record.number);
  if (account === null) throw invalidToken();
  return { token, record, account };
}

export function requireScope({ record }: GraphCall, scope: string): void {
  if (record.scopes.includes(scope)) return;
  throw graphError({
    status: 403,
    code: 10,
    message: "(#10) Application does not have permission for this action",
  });
}

/** @throws Refusal unless the id in the path names the token's own account */
export function requireOwner({ account }: GraphCall, id: string): void {
  if (id !== "me" && id !== externalAccountId(account)) throw noSuchObject(id);
}

export function bearerOf(request: Request): string | undefined {
  return /^(?:bearer|oauth) +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

function requireVersion(version: string, at: number): void {
  const end = VERSIONS[version];
  if (end === null || (end !== undefined && at < Date.parse(end))) return;
  if (end === undefined && !/^v(?:[1-9]|1\d|20)\.\d$/.test(version)) {
    throw graphError({ code: 2500, message: `Unknown path components: /${version}` });
  }
  throw graphError({
    code: 2635,
    message: "(#2635) You are calling a deprecated version of the API. Please update to the " +
      "latest version: v26.0.",
  });
}
