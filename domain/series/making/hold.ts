/**
 * Holding a slot. One table says for each reason what happened, what a person should do and which
 * operation does it. The slot's `error`, the alert and `why` all take their words from it.
 */
import { z } from "zod";
import type { StoredCreation } from "../../creations/shape.ts";
import { count, sentence } from "../../foundation/text.ts";
import type { Commit } from "../../kv/transact.ts";
import { TRAITS } from "../../platforms/contract/traits.ts";
import type { Platform } from "../../posts/shape.ts";
import type { Service } from "../../service/service.ts";
import type { HoldReason, StoredSlot } from "../records.ts";
import { type MoveNote, moveSlot } from "../states.ts";
import { raiseHoldAlert } from "./hold_alert.ts";

/** The operations that can put a slot right. */
export const Cure = z.enum([
  "approveItem",
  "captionItem",
  "publishItem",
  "regenerateItem",
  "retryCreation",
  "skipItem",
  "updateItem",
  "updateSeries",
]);
export type Cure = z.output<typeof Cure>;

/** What is known when a slot is held, by the reason for it. */
interface Known {
  generationFailed: { failed: StoredCreation[]; images: number };
  captionFailed: { words: string };
  creditsExhausted: { words: string };
  budgetSpent: { budget: number; credits: number };
  late: { whilePublishing: boolean };
  refused: Told;
  notPublished: Told;
  unknownOutcome: Told;
  /** When the backup was taken. */
  restored: { takenAt: string };
  /** The post that this one is too much like. */
  twin: { what: "caption" | "picture"; of: Pick<StoredSlot, "id" | "scheduledFor"> };
}

/** `words` are the platform's own, or ours where it gave none. */
interface Told {
  platform: Platform;
  words: string;
}

interface Row<Facts> {
  cause: (facts: Facts) => string;
  cure: string;
  operation: Cure;
}

export const HOLDS: { [Reason in HoldReason]: Row<Known[Reason]> } = {
  generationFailed: {
    cause: ({ failed: [first, ...others], images }) => {
      const which = others.length === 0
        ? `Image ${first?.id}`
        : `${others.length + 1} of ${images} images`;
      return `${which} failed: ${first?.error ?? "No reason is known."}`;
    },
    cure: "Retry what failed, or regenerate this scheduled post.",
    operation: "retryCreation",
  },
  captionFailed: {
    cause: ({ words }) =>
      `The images are ready, but no caption could be written: ${sentence(words)}`,
    cure: "Ask for a caption, then publish this scheduled post.",
    operation: "captionItem",
  },
  creditsExhausted: {
    cause: ({ words }) => `No image was made: ${words}`,
    cure: "Regenerate this scheduled post once there are credits again.",
    operation: "regenerateItem",
  },
  budgetSpent: {
    cause: ({ budget, credits }) =>
      `The series' budget of ${budget} credits this month does not cover ${
        count(credits, "credit")
      } more.`,
    cure: "Raise creditBudgetMonthly or wait for the next month, then regenerate this scheduled " +
      "post.",
    operation: "updateSeries",
  },
  late: {
    cause: ({ whilePublishing }) =>
      whilePublishing
        ? "Its time passed while it was being published, and it is not public."
        : "Its time passed more than 24 hours ago.",
    cure:
      "Publish it by hand, give it a new time, or skip it. Without images, regenerate it first.",
    operation: "publishItem",
  },
  refused: {
    cause: ({ platform, words }) => `${TRAITS[platform].name} refused the post: ${sentence(words)}`,
    cure: "Fix that, then publish again or skip this scheduled post.",
    operation: "publishItem",
  },
  notPublished: {
    cause: ({ platform, words }) =>
      `Nothing was made public on ${TRAITS[platform].name}: ${sentence(words)}`,
    cure: "Publish it again, or skip it.",
    operation: "publishItem",
  },
  unknownOutcome: {
    cause: ({ platform, words }) =>
      `${TRAITS[platform].name} did not say whether the post is public: ${sentence(words)}`,
    cure: "Look at the account. If the post is there, skip this scheduled post; if not, publish " +
      "it again.",
    operation: "skipItem",
  },
  restored: {
    cause: ({ takenAt }) =>
      `The service was restored from a backup of ${takenAt}, which does not know whether this post ` +
      "has been published since.",
    cure: "Look at the account. If the post is there, skip this scheduled post; if not, publish " +
      "it.",
    operation: "publishItem",
  },
  twin: {
    cause: ({ what, of }) =>
      `Its ${what} is too much like that of the post scheduled for ${of.scheduledFor} (${of.id}).`,
    cure: "Regenerate it for another topic, or publish it as it is.",
    operation: "regenerateItem",
  },
};

/** Cause and cure, as people read them. */
export function holdError<Reason extends HoldReason>(reason: Reason, known: Known[Reason]): string {
  const { cause, cure } = HOLDS[reason];
  return `${cause(known)} ${cure}`;
}

interface Hold<Reason extends HoldReason> {
  reason: Reason;
  known: Known[Reason];
  /** The platform's own code and words, where it gave any. */
  code?: string | null;
  message?: string | null;
}

/** Moves the slot to `held` in `commit` and alerts the brand. */
export async function holdSlot<Reason extends HoldReason>(
  service: Service,
  commit: Commit,
  slot: StoredSlot,
  { reason, known, code = null, message = null }: Hold<Reason>,
  change: Partial<StoredSlot> = {},
): Promise<StoredSlot> {
  const error = holdError(reason, known);
  const note: MoveNote = { at: service.now(), cause: error, code, message };
  const held = moveSlot(commit, slot, "hold", note, { ...change, error, heldFor: reason });
  await raiseHoldAlert(service, commit, slot, held, code);
  return held;
}
