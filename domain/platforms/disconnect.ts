/** Disconnects an account: revokes its access where the platform can, and forgets its tokens. */
import { noSuch } from "../foundation/errors.ts";
import { faultFields } from "../foundation/log.ts";
import { audit } from "../kv/audit.ts";
import { transact } from "../kv/transact.ts";
import type { Platform } from "../posts/shape.ts";
import type { Service } from "../service/service.ts";
import { forgetAccount, listSocialAccounts, readTokens, type SocialAccount } from "./accounts.ts";
import { signInFor } from "./connectors/connectors.ts";
import { TRAITS } from "./contract/traits.ts";

export interface Disconnected {
  id: string;
  platform: Platform;
  handle: string;
  /** Whether the platform has ended Marquee's access. */
  revoked: boolean;
  /** What is left to do, in words for people; null if nothing is. */
  note: string | null;
}

/** Where a person ends an app's access. Only Google offers apps a call for it. */
const BY_HAND: Record<Platform, string> = {
  instagram: "Instagram: Settings, Website permissions, Apps and websites",
  linkedin: "LinkedIn: Settings, Data privacy, Other applications, Permitted services",
  youtube: "https://myaccount.google.com/connections",
};

/**
 * Disconnects the account with that id. If the platform can't be reached, the tokens are forgotten all
 * the same. Posts, series and their history stay; the same account connected again gets the same id.
 * @throws ServiceError `notFound`
 */
export async function disconnectAccount(service: Service, id: string): Promise<Disconnected> {
  const { kv } = service;
  const all = await listSocialAccounts(kv, null);
  const account = all.find((each) => each.id === id);
  if (account === undefined) throw noSuch("account");
  const { platform, handle } = account;
  const shared = all.some((other) =>
    other.id !== id && other.platform === platform && other.externalId === account.externalId
  );
  // A platform ends all access that the person gave the app, so another brand would lose its own.
  const left = shared
    ? "Another brand has connected the same account, so access was not revoked."
    : await revoke(service, account);
  const details = { platform, handle };
  const row = { action: "social.disconnected", of: account.brandId, subject: id, details } as const;
  await transact(kv, (commit) => {
    forgetAccount(commit, account);
    audit(commit, service, row);
  });
  return { id, platform, handle, revoked: left === null, note: left };
}

/** Ends the access at the platform. Returns why that was not possible, or null. */
async function revoke(service: Service, account: SocialAccount): Promise<string | null> {
  const { name } = TRAITS[account.platform];
  const byHand = `To end it by hand: ${BY_HAND[account.platform]}.`;
  const signIn = signInFor(service, account.platform, account.kind === "member");
  if (signIn.revoke === undefined) return `${name} has no call that revokes access. ${byHand}`;
  try {
    const tokens = await readTokens(service, account);
    if (tokens !== null) await signIn.revoke(tokens);
    return null;
  } catch (error) {
    service.log.error("platform.revoke", { accountId: account.id, ...faultFields(error) });
    const reason = error instanceof Error ? error.message : "";
    return `Access was not revoked: ${reason} ${byHand}`;
  }
}
