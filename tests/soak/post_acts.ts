/** What agents and integrations do with scheduled posts and series. */
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import { type Act, byItem, choose, type Hand, later, on, verb, type Wish } from "./wishes.ts";

export const POST_ACTS = {
  planPost: on("pictures", (id, hand) => plan(hand, { creationIds: [id] })),
  orderPost: (hand: Hand) => plan(hand, { prompts: [hand.text(12)] }),
  orderCarousel: (hand: Hand) => {
    const prompts = [hand.text(12), hand.text(12), hand.text(12)];
    return plan(hand, { prompts, format: "carousel" });
  },
  planStory: on("pictures", (id, hand) => {
    // LinkedIn has none.
    const [instagram] = hand.known.accounts;
    return plan(hand, { creationIds: [id], format: "story", socialAccountId: instagram });
  }),
  generatePost: verb("generate", "item.ordered", ["generate_item", byItem], {
    keyed: true,
    costs: "credit",
    needs: "model",
  }),
  changePost: on("items", (id, hand) => {
    const change = hand.roll(1) < 0.5
      ? { caption: hand.text(9) }
      : { scheduledFor: iso(hand.now + HOUR + Math.floor(hand.roll(2) * DAY)) };
    return {
      rest: ["PATCH", `/v1/items/${id}`, change],
      tool: ["update_item", { id, ...change }],
      leaves: "item.changed",
      subject: id,
      needs: "model",
    };
  }),
  approvePost: verb("approve", "item.approved", ["approve_item", (id) => ({ id })], {
    again: "again",
  }),
  recallPost: verb("unapprove", "item.unapproved", [
    "approve_item",
    (id) => ({ id, approved: false }),
  ], { again: "idle" }),
  publishPost: verb("publish", "item.publishing", ["publish_item", byItem], {
    refusedLate: true,
    needs: "platform",
  }),
  captionPost: verb("caption", "item.captioned", ["rewrite_caption", byItem], { needs: "model" }),
  renewPost: verb("regenerate", "item.regenerated", ["regenerate_item", byItem], { again: "idle" }),
  skipPost: verb("skip", "item.skipped", ["skip_item", byItem], { again: "again" }),
  checkPost: on("items", (id) => ({
    rest: ["POST", `/v1/items/${id}/validate`],
    tool: ["validate_item", { id }],
  })),
  dropPost: on("items", (id) => ({
    rest: ["DELETE", `/v1/items/${id}`],
    tool: ["delete_item", { id }],
    leaves: "item.deleted",
    subject: id,
  })),
  makeSeries: ({ text, known, roll }: Hand) => {
    if (known.series.length >= 3) return null;
    const body = {
      ...{ name: text(2), mode: "manual", theme: text(5), format: "post", cadenceDays: 1 },
      ...{ hourUtc: Math.floor(roll(1) * 24), socialAccountId: choose(known.accounts, roll(2)) },
    };
    return {
      rest: ["POST", "/v1/series", body],
      tool: ["save_series", body],
      leaves: "series.created",
      learn: ({ id }, known) => known.add("series", id),
    };
  },
  makeAutopilot: ({ text, known, roll }: Hand) => {
    if (known.series.length >= 3) return null;
    const body = {
      ...{ name: text(2), mode: "autopilot", goal: text(5), formats: ["post", "carousel"] },
      ...{ postsPerWeek: 4, creditBudgetMonthly: 40 },
      socialAccountId: choose(known.accounts, roll(2)),
    };
    return {
      rest: ["POST", "/v1/series", body],
      tool: ["save_series", body],
      leaves: "series.created",
      learn: ({ id }, known) => known.add("series", id),
    };
  },
  reviewSeries: on("series", (id) => ({
    rest: ["POST", `/v1/series/${id}/reviews`],
    tool: ["run_autopilot_review", { id }],
    leaves: "series.reviewed",
    subject: id,
    needs: "model",
  })),
  pauseSeries: on("series", (id, { roll }) => {
    const active = roll(1) < 0.7;
    return {
      rest: ["PATCH", `/v1/series/${id}`, { active }],
      tool: ["set_series_active", { id, active }],
      leaves: "series.changed",
      subject: id,
    };
  }),
  readQueue: on("series", (id) => ({
    rest: ["GET", `/v1/series/${id}`],
    tool: ["get_series_queue", { id }],
    learn: ({ items }, known) => {
      for (const { id } of items ?? []) known.add("items", id);
    },
  })),
} satisfies Record<string, Act>;

function plan(hand: Hand, images: object): Wish {
  const { known, roll, text } = hand;
  const body = {
    socialAccountId: choose(known.accounts, roll(2)),
    ...images,
    ...{ caption: text(10), scheduledFor: later(hand), needsApproval: roll(4) < 0.15 },
  };
  return {
    rest: ["POST", "/v1/items", body],
    tool: ["create_item", body],
    leaves: "item.created",
    keyed: true,
    needs: "model",
    learn: ({ id }, known) => known.add("items", id),
  };
}
