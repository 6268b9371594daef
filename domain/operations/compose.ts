/** Composes a prompt from an idea, without generating anything. */
import { z } from "zod";
import { composeFor, Idea } from "../creations/prompts.ts";
import { operation } from "./operation.ts";

export const composeCreation = operation({
  id: "composePrompt",
  group: "Creations",
  summary: "Expand a rough idea into a full image prompt.",
  description: "Free. The prompt begins with the brand's base style and the cast member's look; " +
    "it may be edited before generating.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["serviceUnavailable"],
  input: z.object({ idea: Idea, castMemberId: z.string().nullish() }),
  output: z.object({ idea: z.string(), prompt: z.string() }),
  run: async (context, input) => {
    const prompt = await composeFor(context, context.brand.id, input, context.client.signal);
    return { idea: input.idea, prompt };
  },
});
