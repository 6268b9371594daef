/** Connects a handle of the sandbox without a browser, for `admin social connect`. */
import type { Now } from "../../foundation/calendar.ts";
import type { Platform } from "../../posts/shape.ts";
import { isMember, type NewHandle, openAccount, type SandboxAccount } from "./accounts.ts";
import { externalAccountId } from "./ids.ts";
import { issueToken } from "./tokens.ts";
import { SANDBOX_TRAITS } from "./traits.ts";

/** What an OAuth sign-in would have returned for the handle. */
export interface SandboxGrant {
  /** IG user id, organization or person URN, channel id. */
  externalId: string;
  username: string;
  accessToken: string;
  /** Null on Instagram, where the access token itself is exchanged for a newer one. */
  refreshToken: string | null;
  /** Seconds. */
  expiresIn: number;
  /** Seconds; null where there is no refresh token or it expires at no known time. */
  refreshExpiresIn: number | null;
  scopes: string[];
}

/**
 * Returns ids and new tokens for `handle`. A new handle is opened with a made-up history.
 * @throws ServiceError `validationError` for an invalid handle
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
  const { refreshToken } = SANDBOX_TRAITS[platform];
  const refresh = refreshToken === "none"
    ? null
    : await issueToken(kv, now, account, { kind: "refresh", scopes });
  return {
    externalId: externalAccountId(account),
    username: account.handle,
    accessToken: access.token,
    refreshToken: refresh?.token ?? null,
    expiresIn: access.expiresIn,
    refreshExpiresIn: refreshToken === "expires" ? refresh?.expiresIn ?? null : null,
    scopes,
  };
}

/** The scopes that an account's owner can grant: all that Marquee needs (PLATFORMS A.1, B.2, C.1). */
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
