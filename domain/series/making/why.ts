/** Why a slot has its status: what planned it, what it waits for, and the one thing to do about it. */
import { z } from "zod";
import { iso, MINUTE } from "../../foundation/calendar.ts";
import { SCHEDULE, scheduledBefore } from "../../kv/passes.ts";
import type { Service } from "../../service/service.ts";
import { readSocialAccount, type SocialAccount } from "../../platforms/accounts.ts";
import { MAKE_AHEAD } from "../timing.ts";
import { Cure, HOLDS } from "./hold.ts";
import { TRAITS } from "../../platforms/contract/traits.ts";
import { accountRefusal } from "./publishing.ts";
import { contentFrom } from "./content.ts";
import { accountIdOf, isApproved, isPaused, releaseNeeded } from "../steering.ts";
import { HoldReason, SlotStatus, type StoredSeries, type StoredSlot } from "../records.ts";
import { currentCreations } from "./settle.ts";
import { listEvents, SlotEvent } from "../states.ts";

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

/** Where the slot is and what happens next. */
type Outlook = Pick<Why, "summary" | "waitingFor" | "waitingUntil" | "todo">;

const CHAIN_SHOWN = 100;
const SOON = `within the next ${SCHEDULE.series.period / MINUTE} minutes`;

/** @param series null for a one-off post */
export async function explainSlot(
  { kv, now }: Pick<Service, "kv" | "now">,
  slot: StoredSlot,
  series: StoredSeries | null,
): Promise<Why> {
  const account = await readSocialAccount(kv, slot.brandId, accountIdOf(slot, series) ?? "");
  const creations = await currentCreations(kv, slot);
  const made = creations.filter(({ status }) => status === "complete").length;
  const hash = contentFrom(slot, creations, accountIdOf(slot, series))?.hash ?? null;
  const release = isApproved(slot, hash) ? null : releaseNeeded(slot, series);
  const { publication } = slot;
  return {
    id: slot.id,
    status: slot.status,
    scheduledFor: slot.scheduledFor,
    ...outlook({ series, slot, account, made, release, now: now() }),
    planned: { at: slot.createdAt, reviewId: slot.reviewId, rule: slot.decision.rationale },
    heldFor: slot.heldFor,
    platform: publication === null || slot.platform === null
      ? null
      : { name: slot.platform, code: publication.code, message: publication.message },
    chain: await listEvents(kv, slot, CHAIN_SHOWN),
  };
}

interface Facts {
  /** Null for a one-off post. */
  series: StoredSeries | null;
  slot: StoredSlot;
  account: SocialAccount | null;
  /** Complete images of the last generation. */
  made: number;
  /** Why a person must release it before it is published unattended; null: nobody need. */
  release: ReturnType<typeof releaseNeeded>;
  /** Instant, ms. */
  now: number;
}

function outlook(facts: Facts): Outlook {
  const { slot, made } = facts;
  switch (slot.status) {
    case "planned":
      return plannedOutlook(facts);
    case "generating":
      return waiting("images", `${made} of ${slot.images} images are complete.`);
    case "ready":
      return readyOutlook(facts);
    case "held":
      return heldOutlook(slot);
    case "publishing":
      return waiting("platform", `It is being published${onPlatform(slot)}.`);
    case "published":
      return over(`It was published${onPlatform(slot)} at ${slot.publishedAt}.`);
    case "skipped":
      return over("It was skipped by hand and will not be published.");
  }
}

const onPlatform = ({ platform }: StoredSlot): string =>
  platform === null ? "" : ` on ${TRAITS[platform].name}`;

function plannedOutlook({ series, slot, now }: Facts): Outlook {
  if (isPaused(series)) return paused();
  const makeAt = Date.parse(slot.scheduledFor) - MAKE_AHEAD;
  if (!slot.regenerated && makeAt > now) {
    return waiting("time", "Its images are made 24 hours before its time.", makeAt);
  }
  return waiting("pass", `Its images are made ${SOON}.`, nextPass(now));
}

function readyOutlook({ series, slot, account, release, now }: Facts): Outlook {
  const operation = series === null ? "updateItem" : "updateSeries";
  if (accountIdOf(slot, series) === null) {
    return {
      summary: `Its images and caption are ready, but the ${
        series === null ? "post" : "series"
      } has no account to publish to.`,
      waitingFor: "account",
      waitingUntil: null,
      todo: { operation, text: "Set socialAccountId to a connected account." },
    };
  }
  const refusal = accountRefusal(account);
  if (refusal !== null) {
    return {
      summary: `Its images and caption are ready. ${refusal}`,
      waitingFor: "account",
      waitingUntil: null,
      todo: { operation: null, text: refusal },
    };
  }
  if (isPaused(series)) return paused();
  if (release !== null) return { ...RELEASES[release], waitingFor: "person", waitingUntil: null };
  const due = Date.parse(slot.scheduledFor);
  if (due > now) return waiting("time", "It is ready and will be published at its time.", due);
  const retryAt = slot.publication?.retryAt ?? 0;
  if (retryAt > now) {
    return waiting("platform", slot.error ?? "The platform has not taken it yet.", retryAt);
  }
  return waiting("pass", `It is due and will be published ${SOON}.`, nextPass(now));
}

/** For whom a ready post waits, by why it needs a release. */
const RELEASES: Record<NonNullable<Facts["release"]>, Pick<Outlook, "summary" | "todo">> = {
  approval: {
    summary:
      "It is ready and waits for a person with the scope publishWrite to approve it as it is.",
    todo: { operation: "approveItem", text: "Look at it, then approve it." },
  },
  draft: {
    summary: "Its text is a draft, which this series does not publish. It waits for a person to " +
      "edit the caption or to approve it as it is.",
    todo: { operation: "approveItem", text: "Edit the caption, or approve it." },
  },
};

function heldOutlook({ error, heldFor }: StoredSlot): Outlook {
  const { operation, cure } = HOLDS[heldFor ?? "late"];
  return {
    summary: error ?? "It is held until a person decides.",
    waitingFor: "person",
    waitingUntil: null,
    todo: { operation, text: cure },
  };
}

function paused(): Outlook {
  return {
    summary: "The series is paused, so nothing happens automatically.",
    waitingFor: "resume",
    waitingUntil: null,
    todo: { operation: "updateSeries", text: "Set active to true to resume the series." },
  };
}

function waiting(
  waitingFor: Outlook["waitingFor"],
  summary: string,
  until: number | null = null,
): Outlook {
  return { summary, waitingFor, waitingUntil: until === null ? null : iso(until), todo: null };
}

function over(summary: string): Outlook {
  return { summary, waitingFor: null, waitingUntil: null, todo: null };
}

/** Instant (ms) of the next pass. */
function nextPass(now: number): number {
  return scheduledBefore("series", now) + SCHEDULE.series.period;
}
