/** One tool for the insights of a brand: four operations that answer about the same numbers. */
import { z } from "zod";
import { getComparison, getSummary, getTimeline, getWhen } from "../domain/operations/insights.ts";
import { operation } from "../domain/operations/operation.ts";
import { performIn } from "./merged.ts";

const View = z.enum(["summary", "timeline", "when", "compare"]);

const { from, to } = getSummary.input.shape;
const { metric } = getTimeline.input.shape;
const { by, platform } = getComparison.input.shape;

export const getInsights = operation({
  id: "getInsights",
  group: getSummary.group,
  summary: "See what the brand's numbers mean: a period, day by day, the best hours, what works.",
  description:
    "summary (needs from, to): what all posts gained, against the period before and the " +
    "brand's usual. timeline (needs metric, from, to): gains a day. when: hours of the week. " +
    "compare (needs by): groups of posts 48 hours after publication, as a ratio to the brand's " +
    "usual with a 95 % interval; cantTell means too few posts or too small a difference.",
  scopes: getSummary.scopes,
  costs: getSummary.costs,
  errors: [],
  input: z.object({
    view: View,
    from: from.optional(),
    to: to.optional(),
    metric: metric.optional(),
    by: by.optional(),
    platform,
  }),
  output: z.union([
    getSummary.output,
    getTimeline.output,
    getWhen.output,
    getComparison.output,
  ]),
  run: async (context, { view, ...input }) => {
    switch (view) {
      case "summary":
        return await performIn(context, getSummary, input);
      case "timeline":
        return await performIn(context, getTimeline, input);
      case "when":
        return await performIn(context, getWhen, input);
      case "compare":
        return await performIn(context, getComparison, input);
    }
  },
});
