/** Prompts that people pick. Each gives an agent the right tools in the right order. */
import type { GetPromptResult, Prompt } from "@modelcontextprotocol/sdk/types";
import { z } from "zod";
import { invalid } from "../domain/foundation/errors.ts";
import { firstProblem } from "../domain/foundation/problems.ts";
import { Platform } from "../domain/posts/shape.ts";

/** "instagram, linkedin or youtube" */
const PLATFORMS = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(Platform.options);

interface Template extends Prompt {
  description: string;
  text(given: Record<string, string>): string;
}

const TEMPLATES: Template[] = [
  {
    name: "plan_next_week",
    title: "Plan next week",
    description: "Look at what worked and what is scheduled, and propose next week's posts.",
    arguments: [{ name: "focus", description: "What next week should be about.", required: false }],
    text: ({ focus }) =>
      "Plan next week's posts for this brand, with at most 12 calls.\n" +
      "1. get_brand for the kit, the credits and the accounts.\n" +
      "2. get_insights with view compare, once by format and once by hashtag, and with view when: " +
      "name what works, with figures. cantTell means that nobody knows.\n" +
      "3. list_posts of the last 30 days by engagementRate, perPage 5, with few fields: examples " +
      "to cite.\n" +
      "4. list_items of next week: the days that are taken. list_accounts: coming posts at risk.\n" +
      "5. Propose a post for each open day: idea, format, hour in UTC, and why, citing figures.\n" +
      (focus ? `Focus on: ${focus}\n` : "") +
      "Ask before you go on. Then create_item with `prompts` for each post that was agreed, which " +
      "costs a credit an image, with needsApproval true, so that a person looks before it is public.",
  },
  {
    name: "rescue_held_posts",
    title: "Rescue what is held",
    description: "Find out why scheduled posts are held, and mend what can be mended.",
    arguments: [{ name: "itemId", description: "Only that post; all held ones when absent." }],
    text: ({ itemId }) =>
      "Rescue this brand's held posts, with at most 12 calls.\n" +
      `1. ${itemId ? `get_item with id ${itemId}.` : "list_items with status held."}\n` +
      "2. explain_item for each: it says the cause, the one thing to do and the tool that does it.\n" +
      "3. Do that thing: update_item for a new time, caption or account; rewrite_caption, " +
      "regenerate_item, generate_item or skip_item as it says. batch_items does one thing to many. " +
      "If a person must act (reconnect an account, raise a budget), say exactly what and stop.\n" +
      "4. list_items with status held again, and report: what is mended, what is not, and why.\n" +
      "Ask before publish_item: it posts publicly.",
  },
  {
    name: "make_and_schedule",
    title: "Make two pictures and schedule them",
    description: "Make two pictures of an idea, look at them and put both on the calendar.",
    arguments: [
      { name: "idea", description: "What the pictures should show.", required: true },
      { name: "when", description: "Days and hours; two coming days when absent." },
    ],
    text: ({ idea = "", when }) =>
      `Make two pictures and schedule them: ${idea}\n` +
      "1. get_brand for the kit, the credits left and the id of the account.\n" +
      "2. compose_prompt with the idea; edit its prompt into two that differ.\n" +
      "3. generate_image for each, with `wait` 60 and an idempotencyKey of its own: a credit each.\n" +
      "4. get_creation with `preview` for each: look, and make a new one if it is not right.\n" +
      "5. create_item for each with its creationIds, caption, hashtags, socialAccountId and " +
      `scheduledFor (UTC; ${when ?? "two coming days"}).\n` +
      "6. validate_item for each: what the platform would refuse, to be mended with update_item.\n" +
      "Report both with their times and pictures. They are published at their times; ask before " +
      "publish_item.",
  },
  {
    name: "review_last_month",
    title: "What worked last month, with proof",
    description: "Explain with figures what the last month's posts achieved.",
    arguments: [
      { name: "platform", description: `${PLATFORMS}; all when absent.` },
    ],
    text: ({ platform }) => {
      const only = platform ? ` and platform ${platform}` : "";
      return "Say what worked for this brand in the last calendar month, with proof, with at most " +
        "12 calls.\n" +
        `1. get_insights with view summary, from and to of that month${only}: the month against ` +
        "the one before and against the brand's usual.\n" +
        `2. get_insights with view compare${only}: by format, by hashtag and by hour. Only better ` +
        "and worse are certain; cantTell is no finding.\n" +
        `3. list_posts with from and to of that month${only}, by engagementRate, dir desc and then ` +
        "asc, perPage 5.\n" +
        "4. get_post_standing for the best three and the weakest: their rank at equal age.\n" +
        "5. Write one page: what happened, what to repeat, what to stop, each with its figures, its " +
        "interval and post links. A null is not reported: never count it as 0. Say where there is " +
        "too little data to tell.";
    },
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
    description: template.description,
    messages: [{ role: "user", content: { type: "text", text: template.text(given) } }],
  };
}
