/** Why a slot stands where it stands: who planned it, what it waits for, and the one thing to do. */
import { z } from "zod";
import { type Brand } from "../brands.ts";
import { iso } from "../calendar.ts";
import { reader } from "../kv.ts";
import { operation } from "../operation.ts";
import { SCHEDULE, scheduledBefore } from "../passes.ts";
import type { Service } from "../service.ts";
import { readSocialAccount, type SocialAccount } from "../social.ts";
import { MAKE_AHEAD } from "./planner.ts";
import { refusalOf } from "./publishing.ts";
import { requireSeries, requireSlot, type StoredSeries, type StoredSlot } from "./records.ts";
import { currentCreations } from "./settle.ts";
import { HoldReason, listEvents, SlotEvent, SlotStatus } from "./states.ts";

/** The operations that can put a slot right. */
export const Cure = z.enum([
  "captionItem",
  "publishItem",
  "regenerateItem",
  "retryCreation",
  "skipItem",
  "updateSeries",
]);
export type Cure = z.output<typeof Cure>;

export const Why = z.object({
  id: z.string(),
  status: SlotStatus,
  scheduledFor: z.iso.datetime(),
  summary: z.string().describe("Where the slot stands and why, in a sentence or two."),
  planned: z.object({
    at: z.iso.datetime(),
    reviewId: z.string().nullable().describe("The review whose playbook it follows; null: manual."),
    rule: z.string().describe("The rule that gave it its time and format."),
  }),
  waitingFor: z.enum(["time", "pass", "images", "account", "platform", "resume", "person"])
    .nullable().describe("What happens next depends on this; null when nothing more happens."),
  waitingUntil: z.iso.datetime().nullable().describe("When it goes on by itself, where known."),
  heldFor: HoldReason.nullable(),
  platform: z.object({
    name: z.string(),
    code: z.string().nullable(),
    message: z.string().nullable(),
  }).nullable().describe("The platform's own words at the latest try to publish."),
  todo: z.object({
    operation: Cure.nullable().describe("The operation that does it, where there is one."),
    text: z.string(),
  }).nullable().describe("The one thing to do; null: nothing, it goes on by itself."),
  chain: z.array(SlotEvent).describe("What happened to it, oldest first, the last 100."),
}).meta({ id: "Why" });
export type Why = z.output<typeof Why>;

type Standing = Pick<Why, "summary" | "waitingFor" | "waitingUntil" | "todo">;

const CHAIN_SHOWN = 100;

export const explainItem = operation({
  id: "explainItem",
  group: "Series items",
  summary: "Say why a slot stands where it stands, and the one thing to do about it.",
  description: "Which review and rule planned it, what it waits for, why it is held, the " +
    "platform's own words and code, and every step so far.",
  scopes: ["createRead"],
  costs: "request",
  errors: ["notFound"],
  input: z.object({ id: z.string().describe("The series."), itemId: z.string() }),
  output: Why,
  run: async (service, { id, itemId }) => {
    const { kv, brand } = service;
    const series = await requireSeries(reader(kv), brand.id, id);
    const slot = await requireSlot(reader(kv), brand.id, id, itemId);
    return await explain(service, brand, series, slot);
  },
});

async function explain(
  service: Service,
  brand: Brand,
  series: StoredSeries,
  slot: StoredSlot,
): Promise<Why> {
  const { kv, now } = service;
  const account = await readSocialAccount(kv, brand.id, series.socialAccountId ?? "");
  const done = (await currentCreations(kv, slot)).filter(({ status }) => status === "complete");
  const { publication } = slot;
  return {
    id: slot.id,
    status: slot.status,
    scheduledFor: slot.scheduledFor,
    ...standing({ series, slot, account, made: done.length, now: now() }),
    planned: { at: slot.createdAt, reviewId: slot.reviewId, rule: slot.decision.rationale },
    heldFor: slot.heldFor,
    platform: publication === null || slot.platform === null
      ? null
      : { name: slot.platform, code: publication.code, message: publication.message },
    chain: await listEvents(kv, slot, CHAIN_SHOWN),
  };
}

interface Facts {
  series: StoredSeries;
  slot: StoredSlot;
  account: SocialAccount | null;
  /** Images of the last generation that are there. */
  made: number;
  /** Instant, ms. */
  now: number;
}

function standing(facts: Facts): Standing {
  const { slot, made } = facts;
  switch (slot.status) {
    case "planned":
      return plannedStanding(facts);
    case "generating":
      return waiting("images", `${made} of ${slot.images} images are there.`);
    case "ready":
      return readyStanding(facts);
    case "held":
      return heldStanding(slot);
    case "publishing":
      return waiting("platform", `It is being published on ${slot.platform}.`);
    case "published":
      return over(`It has been public on ${slot.platform} since ${slot.publishedAt}.`);
    case "skipped":
      return over("It was skipped by hand, for good.");
  }
}

function plannedStanding({ series, slot, now }: Facts): Standing {
  if (!series.active) return paused();
  const makeAt = Date.parse(slot.scheduledFor) - MAKE_AHEAD;
  if (!slot.regenerated && makeAt > now) {
    return waiting("time", "Its images are made 24 hours before its time.", makeAt);
  }
  return waiting("pass", "The next pass makes its images.", nextPass(now));
}

function readyStanding({ series, slot, account, now }: Facts): Standing {
  if (series.socialAccountId === null) {
    return {
      summary: "Its images and caption are ready, and the series has no account to publish to.",
      waitingFor: "account",
      waitingUntil: null,
      todo: { operation: "updateSeries", text: "Set socialAccountId to a connected account." },
    };
  }
  const refusal = refusalOf(account);
  if (refusal !== null) {
    return {
      summary: `Its images and caption are ready. ${refusal}`,
      waitingFor: "account",
      waitingUntil: null,
      todo: { operation: null, text: refusal },
    };
  }
  if (!series.active) return paused();
  const due = Date.parse(slot.scheduledFor);
  if (due > now) return waiting("time", "It is ready and published at its time.", due);
  const retryAt = slot.publication?.retryAt ?? 0;
  if (retryAt > now) {
    return waiting("platform", slot.error ?? "The platform did not take it yet.", retryAt);
  }
  return waiting("pass", "It is due; the next pass publishes it.", nextPass(now));
}

function heldStanding(slot: StoredSlot): Standing {
  return {
    summary: slot.error ?? "A person should look at it.",
    waitingFor: "person",
    waitingUntil: null,
    todo: TODO[slot.heldFor ?? "late"],
  };
}

const TODO: Record<HoldReason, NonNullable<Why["todo"]>> = {
  generationFailed: {
    operation: "retryCreation",
    text: "Retry the failed creations, or regenerate the item.",
  },
  captionFailed: { operation: "captionItem", text: "Ask for a caption, then publish." },
  creditsExhausted: {
    operation: "regenerateItem",
    text: "Get credits (a larger plan, or the next month), then regenerate the item.",
  },
  budgetSpent: {
    operation: "updateSeries",
    text: "Raise creditBudgetMonthly, then regenerate the item.",
  },
  late: { operation: "publishItem", text: "Publish it by hand, or skip it." },
  refused: {
    operation: "publishItem",
    text: "Put right what the platform names, then publish again, or skip the item.",
  },
  notPublished: { operation: "publishItem", text: "Publish it again, or skip it." },
  unknownOutcome: {
    operation: "skipItem",
    text: "Look at the account: skip the item if the post is there, else publish it again.",
  },
};

function paused(): Standing {
  return {
    summary: "The series is paused: nothing happens by itself.",
    waitingFor: "resume",
    waitingUntil: null,
    todo: { operation: "updateSeries", text: "Set active to true." },
  };
}

function waiting(
  waitingFor: Standing["waitingFor"],
  summary: string,
  until: number | null = null,
): Standing {
  return { summary, waitingFor, waitingUntil: until === null ? null : iso(until), todo: null };
}

function over(summary: string): Standing {
  return { summary, waitingFor: null, waitingUntil: null, todo: null };
}

/** The pass after `at`. */
function nextPass(at: number): number {
  return scheduledBefore("series", at) + SCHEDULE.series.period;
}
