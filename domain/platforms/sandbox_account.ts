/** Connects accounts of the sandbox without a browser. */
import { SECOND } from "../foundation/calendar.ts";
import { ServiceError } from "../foundation/errors.ts";
import type { Platform } from "../posts/shape.ts";
import { connectHandle } from "./sandbox/handles.ts";
import type { Service } from "../service/service.ts";
import { connectAccount, type SocialAccount } from "./accounts.ts";
import type { AccountKind } from "./contract/traits.ts";

/**
 * Connects `handle` of the sandbox to the brand. A new handle gets a made-up history of posts.
 * @throws ServiceError `conflict` when the sandbox is off
 */
export async function connectSandboxAccount(
  service: Service,
  brandId: string,
  platform: Platform,
  handle: string,
): Promise<SocialAccount> {
  const { kv, now, settings } = service;
  if (!settings.SANDBOX) {
    throw new ServiceError("conflict", "The sandbox is off. Start the service with SANDBOX=on.");
  }
  const at = now();
  const grant = await connectHandle(kv, now, platform, handle);
  const kind = kindOf(platform, grant.externalId);
  return await connectAccount(service, brandId, {
    platform,
    kind,
    handle: grant.username,
    externalId: grant.externalId,
  }, {
    access: grant.accessToken,
    issuedAt: at,
    accessExpiresAt: at + grant.expiresIn * SECOND,
    refresh: grant.refreshToken,
    refreshExpiresAt: grant.refreshExpiresIn === null ? null : at + grant.refreshExpiresIn * SECOND,
  });
}

function kindOf(platform: Platform, externalId: string): AccountKind {
  switch (platform) {
    case "instagram":
      return "professional";
    case "youtube":
      return "channel";
    case "linkedin":
      return externalId.startsWith("urn:li:person:") ? "member" : "organization";
  }
}
