/** Prompts that people pick: each sets an agent to work with the right tools in the right order. */
import type { GetPromptResult, Prompt } from "@modelcontextprotocol/sdk/types";
import { z } from "zod";
import { invalid } from "../domain/errors.ts";
import { firstProblem } from "../domain/operation.ts";

interface Template extends Prompt {
  text(given: Record<string, string>): string;
}

const TEMPLATES: Template[] = [
  {
    name: "plan_next_week",
    title: "Plan next week",
    description: "Look at what worked and what is scheduled, and propose next week's posts.",
    arguments: [{ name: "focus", description: "What next week should be about.", required: false }],
    text: ({ focus }) =>
      "Plan next week's posts for this brand.\n" +
      "1. get_brand for the kit, the credits and the accounts.\n" +
      "2. list_posts of the last 30 days, once sorted by engagementRate and once by views: name " +
      "what worked, with figures.\n" +
      "3. list_series, then get_series_queue for each active one: name what is already planned, " +
      "and simulate_series for 7 days to see the credits it will take.\n" +
      "4. Propose a post for each open day: idea, format, hour in UTC, and why, citing posts.\n" +
      (focus ? `Focus on: ${focus}\n` : "") +
      "Ask before you generate images (they cost credits) and before you publish anything.",
  },
  {
    name: "review_last_month",
    title: "Review last month",
    description: "Explain with figures what the last month's posts achieved.",
    arguments: [
      { name: "platform", description: "instagram, linkedin or youtube; all when absent." },
    ],
    text: ({ platform }) =>
      "Review this brand's last calendar month.\n" +
      `1. list_posts with from and to of that month${platform ? ` and platform ${platform}` : ""}` +
      ", perPage 100, every page.\n" +
      "2. For the five best and the three weakest by engagementRate call get_post and read how " +
      "the numbers grew from snapshot to snapshot (they are cumulative: subtract).\n" +
      "3. Compare formats, hashtags and hours. A null metric is not reported: never count it as 0.\n" +
      "4. Write one page: what happened, what to repeat, what to stop, each with its figures and " +
      "post links. Say where there is too little data to tell.",
  },
  {
    name: "rescue_held_slot",
    title: "Rescue a held slot",
    description: "Find out why a slot is held, mend it and, when allowed, publish it.",
    arguments: [
      { name: "seriesId", description: "The series.", required: true },
      { name: "itemId", description: "The slot; the first held one when absent." },
    ],
    text: ({ seriesId = "", itemId }) =>
      `A slot of series ${seriesId} is held. Rescue it.\n` +
      `1. get_series_queue with id ${seriesId}` +
      `${itemId ? ` and look at ${itemId}` : " and take the first item with status held"}.\n` +
      "2. explain_item: it says the cause and the one thing to do.\n" +
      "3. Do that thing: rewrite_caption, regenerate_item, generate_item or skip_item as it says. " +
      "If a person must act (reconnect an account, raise a budget), say exactly what and stop.\n" +
      "4. Ask before publish_item: it posts publicly. Then get_series_queue again and report.",
  },
];

export const PROMPTS: Prompt[] = TEMPLATES.map(({ text: _, ...prompt }) => prompt);

const Given = z.record(z.string(), z.string(), "must be an object");

/** @throws ServiceError `validationError` */
export function promptMessages(name: unknown, sent: unknown): GetPromptResult {
  const template = TEMPLATES.find((candidate) => candidate.name === name);
  if (template === undefined) throw invalid("name", `there is no prompt ${name}`);
  const { data: given, error } = Given.safeParse(sent, { reportInput: true });
  if (error !== undefined) throw invalid("arguments", firstProblem(error));
  for (const { name: argument, required } of template.arguments ?? []) {
    if (required && !given[argument]) throw invalid(argument, "is required");
  }
  return {
    description: template.description!,
    messages: [{ role: "user", content: { type: "text", text: template.text(given) } }],
  };
}
