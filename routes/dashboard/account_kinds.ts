/** The kinds of account that a brand connects, in the words that people have for them. */
import type { Platform } from "../../domain/posts/shape.ts";
import type { AccountKind } from "../../domain/social.ts";

interface KindWords {
  name: string;
  platform: Platform;
  /** What `/connect` is asked for beside the brand. */
  query: string;
}

export const ACCOUNT_KINDS: Record<AccountKind, KindWords> = {
  professional: { name: "Instagram", platform: "instagram", query: "" },
  organization: { name: "LinkedIn Page", platform: "linkedin", query: "" },
  member: { name: "LinkedIn profile", platform: "linkedin", query: "&as=member" },
  channel: { name: "YouTube", platform: "youtube", query: "" },
};

/** @param base stands before our paths in a browser's address */
export function connectAddress(base: string, brandId: string, kind: AccountKind): string {
  const { platform, query } = ACCOUNT_KINDS[kind];
  return `${base}/connect/${platform}?brand=${brandId}${query}`;
}
