/** What an agent needs to know first: the brand, its kit, credits, limits and accounts. */
import { z } from "zod";
import { Credits, readCredits } from "../brands/credits.ts";
import { BrandKit, readKit, shownKit } from "../brands/kit.ts";
import { operation } from "./operation.ts";
import { timeZoneOf } from "../brands/time_zone.ts";
import { Plan, PLANS } from "../brands/plans.ts";
import { Platform } from "../posts/shape.ts";
import { listSocialAccounts, SocialStatus } from "../platforms/accounts.ts";
import { reader } from "../kv/transact.ts";

const BrandOverview = z.object({
  id: z.string(),
  name: z.string(),
  plan: Plan,
  timeZone: z.string().describe("IANA name."),
  language: z.string().nullable().describe("BCP 47; null: not set."),
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

export const getBrand = operation({
  id: "getBrand",
  group: "Brands",
  summary: "Read the brand: name, plan, kit, credits, limits and connected accounts.",
  scopes: ["postsRead", "createRead"],
  costs: "request",
  errors: [],
  input: z.object({}),
  output: BrandOverview,
  async run({ kv, now, secrets, brand }) {
    const [kit, credits, accounts] = await Promise.all([
      readKit(reader(kv), brand.id),
      readCredits(kv, brand, now()),
      listSocialAccounts(kv, brand.id),
    ]);
    const { requestsPerSecond, requestsPerMonth, activeKeys } = PLANS[brand.plan];
    return {
      id: brand.id,
      name: brand.name,
      plan: brand.plan,
      timeZone: timeZoneOf(kit),
      language: kit.language,
      kit: await shownKit(secrets, brand.id, kit),
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
