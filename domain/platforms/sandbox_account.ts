/** Connecting an account of the local platforms without a browser, for rehearsals. */
import { SECOND } from "../calendar.ts";
import { ServiceError } from "../errors.ts";
import type { Platform } from "../posts/shape.ts";
import { connectHandle } from "../sandbox/handles.ts";
import type { Service } from "../service.ts";
import { type AccountKind, connectAccount, type SocialAccount } from "../social.ts";

/**
 * Connects `handle` of the sandbox to the brand; a handle not seen before gets a seeded history.
 * @throws ServiceError `conflict` without a sandbox
 */
export async function connectSandboxAccount(
  service: Service,
  brandId: string,
  platform: Platform,
  handle: string,
): Promise<SocialAccount> {
  const { kv, now, settings } = service;
  if (!settings.SANDBOX) {
    throw new ServiceError("conflict", "There is no sandbox here: start with SANDBOX=on.");
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
