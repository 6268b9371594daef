/** Connects the LinkedIn organizations that a person administers, or the person (PLATFORMS B.2). */
import { z } from "zod";
import type { Tokens } from "../../accounts.ts";
import { codeFlow } from "../../contract/code_flow.ts";
import type { App, Grant, SignIn } from "../../contract/platform.ts";
import { PlatformError, type Wire, type WireRequest } from "../../contract/wire.ts";
import type { LinkedInHosts } from "./hosts.ts";

const SCOPES = {
  organization: ["r_organization_social", "w_organization_social", "rw_organization_admin"],
  member: ["openid", "profile", "w_member_social", "r_member_postAnalytics"],
} as const;
type LinkedInRole = keyof typeof SCOPES;

const UserInfo = z.object({ sub: z.string(), name: z.string() });
const Acls = z.object({
  elements: z.array(z.object({
    organization: z.string().optional(),
    organizationTarget: z.string().optional(),
  })),
  paging: z.object({ links: z.array(z.object({ rel: z.string() })).optional() }).optional(),
});
const ACLS_EACH = 100;
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

/** Adds the headers of every call. LinkedIn returns 426 for a version that has expired. */
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
  const grants: Grant[] = [];
  for (const externalId of await administered(hosts, wire, tokens)) {
    const handle = await nameOf(hosts, wire, tokens, externalId);
    grants.push({
      identity: { platform: "linkedin", kind: "organization", handle, externalId },
      tokens,
    });
  }
  if (grants.length > 0) return grants;
  throw new PlatformError(
    "permission",
    "You administer no LinkedIn Page. Ask its owner to make you an administrator.",
  );
}

/** URNs of the organizations that the person administers. LinkedIn returns ten unless asked for more. */
async function administered(
  hosts: LinkedInHosts,
  wire: Wire,
  tokens: Tokens,
): Promise<Set<string>> {
  const urns = new Set<string>();
  for (let start = 0;;) {
    const url = `${hosts.api}/rest/organizationAcls?q=roleAssignee&role=ADMINISTRATOR` +
      `&state=APPROVED&start=${start}&count=${ACLS_EACH}`;
    const request = authorized(hosts, { url }, tokens.access);
    const { elements, paging } = await wire.read(request, Acls);
    for (const { organization, organizationTarget } of elements) {
      const urn = organization ?? organizationTarget;
      if (urn !== undefined) urns.add(urn);
    }
    const isFull = elements.length === ACLS_EACH;
    const more = paging?.links?.some(({ rel }) => rel === "next") ?? isFull;
    if (!more || elements.length === 0) return urns;
    // LinkedIn may return fewer than asked for.
    start += elements.length;
  }
}

async function nameOf(
  hosts: LinkedInHosts,
  wire: Wire,
  tokens: Tokens,
  urn: string,
): Promise<string> {
  const id = urn.slice(urn.lastIndexOf(":") + 1);
  const request = authorized(
    hosts,
    { url: `${hosts.api}/rest/organizations/${id}` },
    tokens.access,
  );
  const named = await wire.read(request, Organization).catch(() => null);
  return named?.vanityName ?? named?.localizedName ?? id;
}
