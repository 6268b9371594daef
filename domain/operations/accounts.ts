/** The connected accounts: their state, and which scheduled posts are at risk. */
import { z } from "zod";
import { listSocialAccounts, SocialStatus } from "../platforms/accounts.ts";
import { AccountKind } from "../platforms/contract/traits.ts";
import { readOnlyRefusal } from "../platforms/contract/limits.ts";
import { Platform } from "../posts/shape.ts";
import { postsAtRisk, Risk } from "../series/at_risk.ts";
import { operation } from "./operation.ts";

const Account = z.object({
  id: z.string().describe("The `socialAccountId` of series and items."),
  platform: Platform,
  kind: AccountKind,
  handle: z.string(),
  status: SocialStatus,
  expiresAt: z.iso.datetime().nullable().describe(
    "When a person must connect it again; null: Marquee renews its sign-in itself.",
  ),
  reads: z.boolean().describe("Its posts and their numbers are read now."),
  publishes: z.boolean().describe("Posts can be published to it now."),
  lastReadAt: z.iso.datetime().nullable(),
  error: z.string().nullable().describe("What went wrong at the last call, and the cure."),
  atRisk: z.array(Risk).describe(
    "Posts of the next 30 days that will not be published as things are, by time.",
  ),
}).meta({ id: "Account" });

export const listAccounts = operation({
  id: "listAccounts",
  group: "Accounts",
  summary: "List the connected accounts, with the scheduled posts at risk.",
  description: "`from` says when a dying token, a platform's quota, spent credits, a missing " +
    "approval or a paused series begins to keep a post from being published.",
  scopes: ["postsRead", "createRead"],
  costs: "request",
  errors: [],
  input: z.object({}),
  output: z.object({ data: z.array(Account) }),
  run: async (context) => {
    const accounts = await listSocialAccounts(context.kv, context.brand.id);
    const risks = await postsAtRisk(context, context.brand, accounts);
    const data = accounts.map((account) => {
      const works = account.status !== "reconnect";
      return {
        id: account.id,
        platform: account.platform,
        kind: account.kind,
        handle: account.handle,
        status: account.status,
        expiresAt: account.tokenExpiresAt,
        reads: works,
        publishes: works && readOnlyRefusal(account.platform) === null,
        lastReadAt: account.lastReadAt ?? null,
        error: account.error,
        atRisk: risks.get(account.id) ?? [],
      };
    });
    return { data };
  },
});
