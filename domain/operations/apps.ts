/** Letting an app in, which only people do, in Studio. */
import { z } from "zod";
import { allow } from "../brands/apps/codes.ts";
import { Budgets } from "../brands/budgets.ts";
import { Scope } from "../brands/keys.ts";
import { DAY, iso } from "../foundation/calendar.ts";
import { ServiceError } from "../foundation/errors.ts";
import { operation } from "./operation.ts";
import { requireOwnBrands } from "./own_brands.ts";

const { publishesPerDay, creditsPerDay } = Budgets.shape;
const NO_OTHER = { seriesIds: null, accountIds: null, hoursUtc: null };

export const allowApp = operation({
  id: "allowApp",
  group: "Keys",
  summary: "Let an app in: it exchanges the code for a key's record and tokens, once.",
  scopes: ["brandsWrite"],
  costs: "nothing",
  errors: ["conflict"],
  input: z.object({
    client: z.object({ id: z.string(), name: z.string() }),
    redirectUri: z.string(),
    challenge: z.string(),
    scopes: z.array(Scope).min(1),
    publishesPerDay,
    creditsPerDay,
    days: z.int().min(1).max(366).nullable().describe("Null: until somebody revokes it."),
  }),
  output: z.object({ code: z.string() }),
  run: async (context, { scopes, publishesPerDay, creditsPerDay, days, ...asked }) => {
    const { brand, key, now } = context;
    requireOwnBrands(context, scopes);
    const lacking = scopes.filter((scope) => !key.scopes.includes(scope));
    if (lacking.length > 0) {
      throw new ServiceError("forbidden", `You can't give what you lack: ${lacking.join(", ")}.`);
    }
    const isLimited = publishesPerDay !== null || creditsPerDay !== null;
    const consent = {
      ...{ ...asked, scopes },
      budgets: isLimited ? { publishesPerDay, creditsPerDay, ...NO_OTHER } : null,
      expiresAt: days === null ? null : iso(now() + days * DAY),
    };
    return { code: await allow(context, brand, consent) };
  },
});
