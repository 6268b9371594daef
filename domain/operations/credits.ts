/** The operation on credits: read the current month's. */
import { z } from "zod";
import { Credits, readCredits } from "../brands/credits.ts";
import { operation } from "./operation.ts";

export const getCredits = operation({
  id: "getCredits",
  group: "Credits",
  summary: "Read the month's image credits.",
  description: "Months are those of the UTC calendar.",
  scopes: ["createRead"],
  costs: "request",
  errors: [],
  input: z.object({}),
  output: Credits,
  run: ({ kv, brand, now }) => readCredits(kv, brand, now()),
});
