/** The sandbox's back door: connects a handle without a browser, for `admin social connect`. */
import type { Now } from "../clock.ts";
import type { Platform } from "../posts/shape.ts";
import { isMember, type NewHandle, openAccount, type SandboxAccount } from "./accounts.ts";
import { externalAccountId } from "./ids.ts";
import { issueToken } from "./tokens.ts";

/** What OAuth would have given for the handle. */
export interface SandboxGrant {
  /** IG user id, organization or person URN, channel id. */
  externalId: string;
  username: string;
  accessToken: string;
  /** Null on Instagram, whose access token refreshes itself. */
  refreshToken: string | null;
  /** Seconds. */
  expiresIn: number;
  /** Seconds; null where there is no refresh token, or where it has no end of its own. */
  refreshExpiresIn: number | null;
  scopes: string[];
}

/**
 * Opens `handle` with a seeded history when it is new, and answers ids and fresh tokens.
 * @throws ServiceError `validationError` for a handle that can't be one
 */
export async function connectHandle(
  kv: Deno.Kv,
  now: Now,
  platform: Platform,
  handle: string,
  options: NewHandle = {},
): Promise<SandboxGrant> {
  const account = await openAccount(kv, now, platform, handle, options);
  const scopes = scopesOf(account);
  const access = await issueToken(kv, now, account, { kind: "access", scopes });
  const refresh = platform === "instagram"
    ? null
    : await issueToken(kv, now, account, { kind: "refresh", scopes });
  return {
    externalId: externalAccountId(account),
    username: account.handle,
    accessToken: access.token,
    refreshToken: refresh?.token ?? null,
    expiresIn: access.expiresIn,
    refreshExpiresIn: platform === "linkedin" ? refresh!.expiresIn : null,
    scopes,
  };
}

/** What a willing owner of the account grants: all that we need (PLATFORMS A.1, B.2, C.1). */
export function scopesOf(account: SandboxAccount): string[] {
  switch (account.platform) {
    case "instagram":
      return [
        "instagram_business_basic",
        "instagram_business_manage_insights",
        "instagram_business_content_publish",
      ];
    case "linkedin":
      return isMember(account)
        ? ["openid", "profile", "w_member_social", "r_member_postAnalytics"]
        : [
          "openid",
          "profile",
          "r_organization_social",
          "w_organization_social",
          "rw_organization_admin",
        ];
    case "youtube":
      return [
        "https://www.googleapis.com/auth/youtube.readonly",
        "https://www.googleapis.com/auth/yt-analytics.readonly",
      ];
  }
}
