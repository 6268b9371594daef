/** What a series would do that is still being written down, for the form in which people write it. */
import { readSocialAccount } from "../platforms/accounts.ts";
import { merged, newSeries, requireRules, UNSET } from "../series/rules.ts";
import { simulate, Simulation } from "../series/running/simulate.ts";
import { SeriesInput } from "../series/shape.ts";
import { operation } from "./operation.ts";

const DAYS = 30;

export const previewSeries = operation({
  id: "previewSeries",
  group: "Series",
  summary: "Show what a series that is not stored would do in the next 30 days.",
  scopes: ["createRead"],
  costs: "request",
  errors: ["serviceUnavailable"],
  input: SeriesInput,
  output: Simulation,
  run: async (context, input) => {
    const { kv, brand, now, client } = context;
    const fields = merged(UNSET, input);
    requireRules(fields, await readSocialAccount(kv, brand.id, fields.socialAccountId ?? ""));
    const series = newSeries(brand.id, fields, now());
    return await simulate(context, brand, series, DAYS, client.signal);
  },
});
