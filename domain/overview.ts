/** What an agent should know first: the brand, its kit, credits, limits and accounts. */
import { z } from "zod";
import { Credits, readCredits } from "./credits.ts";
import { BrandKit, readKit } from "./kit.ts";
import { operation } from "./operation.ts";
import { Plan, PLANS } from "./plans.ts";
import { Platform } from "./posts/shape.ts";
import { listSocialAccounts, SocialStatus } from "./social.ts";

export const BrandOverview = z.object({
  id: z.string(),
  name: z.string(),
  plan: Plan,
  kit: BrandKit,
  credits: Credits,
  limits: z.object({
    requestsPerSecond: z.int(),
    requestsPerMonth: z.int(),
    activeKeys: z.int(),
  }),
  accounts: z.array(z.object({
    id: z.string().describe("The `socialAccountId` of series."),
    platform: Platform,
    handle: z.string(),
    status: SocialStatus,
  })),
}).meta({ id: "BrandOverview" });
export type BrandOverview = z.output<typeof BrandOverview>;

export const getBrand = operation({
  id: "getBrand",
  group: "Brands",
  summary: "Read the brand: name, plan, kit, credits, limits and connected accounts.",
  scopes: ["postsRead", "createRead"],
  costs: "request",
  errors: [],
  input: z.object({}),
  output: BrandOverview,
  async run({ kv, now, brand }) {
    const [kit, credits, accounts] = await Promise.all([
      readKit(kv, brand.id),
      readCredits(kv, brand, now()),
      listSocialAccounts(kv, brand.id),
    ]);
    const { requestsPerSecond, requestsPerMonth, activeKeys } = PLANS[brand.plan];
    return {
      id: brand.id,
      name: brand.name,
      plan: brand.plan,
      kit: { baseStylePrompt: kit.baseStylePrompt, discordWebhookUrl: kit.discordWebhookUrl },
      credits,
      limits: { requestsPerSecond, requestsPerMonth, activeKeys },
      accounts: accounts.map(({ id, platform, handle, status }) => ({
        id,
        platform,
        handle,
        status,
      })),
    };
  },
});
