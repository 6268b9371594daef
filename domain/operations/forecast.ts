/** What the calendar shows beside the posts. Only people have a path to it, in Studio. */
import { z } from "zod";
import { nearestOfAccount } from "../series/collisions.ts";
import { itemTimes } from "../series/item_list.ts";
import { Forecast, forecast } from "../series/running/forecast.ts";
import { operation } from "./operation.ts";

export const forecastPosts = operation({
  id: "forecastPosts",
  group: "Items",
  summary: "Show what all active series will probably add, and the day on which the credits end.",
  scopes: ["createRead"],
  costs: "request",
  errors: [],
  input: z.object({ days: z.int().min(1).max(60).default(30) }),
  output: Forecast,
  run: async (context, { days }) => await forecast(context, context.brand, days),
});

export const listCollisions = operation({
  id: "listCollisions",
  group: "Items",
  summary: "List the scheduled posts that have another one of their account within an hour.",
  scopes: ["createRead"],
  costs: "request",
  errors: [],
  input: z.object({
    from: z.iso.date().describe("First UTC day."),
    to: z.iso.date().describe("Last UTC day."),
  }),
  output: z.object({
    data: z.array(z.object({
      itemId: z.string(),
      near: z.iso.datetime().describe("When the nearest other one is scheduled."),
    })),
  }),
  run: async ({ kv, brand }, days) => {
    const near = nearestOfAccount(await itemTimes(kv, brand.id, days));
    return {
      data: [...near].map(([{ id }, { scheduledFor }]) => ({ itemId: id, near: scheduledFor })),
    };
  },
});
