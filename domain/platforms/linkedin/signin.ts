/** Connecting LinkedIn organizations, or oneself as a member (PLATFORMS B.2). */
import { z } from "zod";
import type { Tokens } from "../../social.ts";
import { codeFlow } from "../code_flow.ts";
import type { App, Grant, SignIn } from "../platform.ts";
import { PlatformError, type Wire, type WireRequest } from "../wire.ts";
import type { LinkedInHosts } from "./hosts.ts";

const SCOPES = {
  organization: ["r_organization_social", "w_organization_social", "rw_organization_admin"],
  member: ["openid", "profile", "w_member_social", "r_member_postAnalytics"],
} as const;
export type LinkedInRole = keyof typeof SCOPES;

const UserInfo = z.object({ sub: z.string(), name: z.string() });
const Acls = z.object({
  elements: z.array(z.object({
    organization: z.string().optional(),
    organizationTarget: z.string().optional(),
  })),
});
const Organization = z.object({
  vanityName: z.string().optional(),
  localizedName: z.string().optional(),
});

export function linkedInSignIn(
  hosts: LinkedInHosts,
  app: App,
  wire: Wire,
  now: () => number,
  role: LinkedInRole,
): SignIn {
  return {
    ...codeFlow(hosts, app, wire, now, SCOPES[role]),
    identify: (tokens) =>
      role === "member" ? member(hosts, wire, tokens) : organizations(hosts, wire, tokens),
  };
}

/** Every call bears the version; LinkedIn answers 426 to one that is over. */
export function authorized(
  hosts: LinkedInHosts,
  request: WireRequest,
  token: string,
): WireRequest {
  return {
    ...request,
    headers: {
      authorization: `Bearer ${token}`,
      "linkedin-version": hosts.version,
      "x-restli-protocol-version": "2.0.0",
      ...request.headers,
    },
  };
}

async function member(hosts: LinkedInHosts, wire: Wire, tokens: Tokens): Promise<Grant[]> {
  const request = authorized(hosts, { url: `${hosts.api}/v2/userinfo` }, tokens.access);
  const { sub, name } = await wire.read(request, UserInfo);
  return [{
    identity: {
      platform: "linkedin",
      kind: "member",
      handle: name,
      externalId: `urn:li:person:${sub}`,
    },
    tokens,
  }];
}

async function organizations(hosts: LinkedInHosts, wire: Wire, tokens: Tokens): Promise<Grant[]> {
  const url = `${hosts.api}/rest/organizationAcls?q=roleAssignee&role=ADMINISTRATOR` +
    "&state=APPROVED";
  const { elements } = await wire.read(authorized(hosts, { url }, tokens.access), Acls);
  const grants: Grant[] = [];
  for (const { organization, organizationTarget } of elements) {
    const externalId = organization ?? organizationTarget;
    if (externalId === undefined) continue;
    const handle = await nameOf(hosts, wire, tokens, externalId);
    grants.push({
      identity: { platform: "linkedin", kind: "organization", handle, externalId },
      tokens,
    });
  }
  if (grants.length > 0) return grants;
  throw new PlatformError("permission", "You administer no LinkedIn page.");
}

async function nameOf(
  hosts: LinkedInHosts,
  wire: Wire,
  tokens: Tokens,
  urn: string,
): Promise<string> {
  const id = urn.split(":").at(-1)!;
  const request = authorized(
    hosts,
    { url: `${hosts.api}/rest/organizations/${id}` },
    tokens.access,
  );
  const named = await wire.read(request, Organization).catch(() => null);
  return named?.vanityName ?? named?.localizedName ?? id;
}
