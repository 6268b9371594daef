/** Publishing a slot: the claim, the work on it, and what its outcome makes of the slot. */
import { HOUR } from "../calendar.ts";
import { publicText } from "../captions.ts";
import { ServiceError } from "../errors.ts";
import { type Commit, reader, transact } from "../kv.ts";
import { endAttempt } from "../platforms/attempts.ts";
import { PUBLISH_LIMITS, READ_ONLY } from "../platforms/limits.ts";
import type { PublishOutcome } from "../platforms/publishing.ts";
import type { Service } from "../service.ts";
import { sentence } from "../text.ts";
import type { SocialAccount } from "../social.ts";
import { holdSlot } from "./hold.ts";
import { type Publication, readSlot, type StoredSlot } from "./records.ts";
import { currentCreations, type Finish, type SlotRef } from "./settle.ts";
import { moveSlot, requireMove } from "./states.ts";

/** A slot whose time passed longer ago is held: its moment is over. */
export const LATE = 24 * HOUR;

/** Why this account can't take a post now, with the cure; null when it can. */
export function refusalOf(account: SocialAccount | null): string | null {
  if (account === null) {
    return "The series has no connected account. Set socialAccountId, then publish.";
  }
  if (PUBLISH_LIMITS[account.platform] === null) return READ_ONLY;
  if (account.status === "reconnect") {
    return `The ${account.platform} account ${account.handle} must be connected again first.`;
  }
  return null;
}

/**
 * Claims a ready or held slot for publishing in `commit`, with the job that does it. The slot must
 * have been read through the commit, and its images must be complete.
 * @throws ServiceError `conflict`
 */
export async function claimSlot(
  { now, jobs }: Service,
  commit: Commit,
  slot: StoredSlot,
  account: SocialAccount | null,
  { cause, goodUntil }: { cause: string; goodUntil: number },
): Promise<StoredSlot> {
  requireMove(slot, "publish");
  const refusal = refusalOf(account);
  if (refusal !== null) throw new ServiceError("conflict", refusal);
  const at = now();
  const { brandId, seriesId, id: slotId } = slot;
  const publication: Publication = {
    attemptId: attemptFor(slot, account!.id),
    claimedAt: at,
    goodUntil,
    from: slot.status === "held" ? "held" : "ready",
    outcome: "working",
    code: null,
    message: null,
    retryAt: null,
  };
  await jobs.add(commit, {
    kind: "publishSlot",
    id: `publish:${slotId}`,
    brandId,
    subject: { seriesId, slotId },
    hurry: true,
  });
  const { id: socialAccountId, platform } = account!;
  return moveSlot(commit, slot, "publish", { at, cause }, {
    publication,
    socialAccountId,
    platform,
  });
}

/**
 * An attempt that was not taken, or whose outcome nobody knows, is gone on with, so that the platform
 * is looked at before anything is sent again; a refused one is over, and so is another account's.
 */
function attemptFor(slot: StoredSlot, accountId: string): string {
  const { id, events, publication, socialAccountId } = slot;
  const goesOn = publication !== null &&
    ["later", "untaken", "unknown"].includes(publication.outcome);
  return goesOn && socialAccountId === accountId ? publication.attemptId : `${id}.${events}`;
}

/** Whether every image of the slot's last generation is there. */
export async function hasAllImages(kv: Deno.Kv, slot: StoredSlot): Promise<boolean> {
  if (slot.generation === 0) return false;
  const creations = await currentCreations(kv, slot);
  return creations.length === slot.images &&
    creations.every(({ status }) => status === "complete");
}

/** Works on a claimed slot once. Answers the instant (ms) at which to go on, or null when it is over. */
export async function publishSlot(
  service: Service,
  ref: SlotRef,
  finish: Finish,
): Promise<number | null> {
  const slot = await readSlot(reader(service.kv), ref.brandId, ref.seriesId, ref.slotId);
  if (slot === null || slot.status !== "publishing") return null;
  // The connectors are loaded with the first post that goes out.
  const { publishPost } = await import("../platforms/publishing.ts");
  const creations = await currentCreations(service.kv, slot);
  const outcome = await publishPost(service, {
    attemptId: slot.publication!.attemptId,
    brandId: slot.brandId,
    accountId: slot.socialAccountId!,
    format: slot.format,
    text: publicText(slot.caption, slot.hashtags),
    images: creations.map(({ finalKey, idea }) => ({ key: finalKey!, altText: idea })),
    coverText: creations[0]?.overlay?.text ?? null,
    claimedAt: slot.publication!.claimedAt,
    goodUntil: slot.publication!.goodUntil,
  });
  if (outcome.state === "working") return outcome.retryAt;
  await transact(service.kv, async (commit) => {
    const stored = await claimed(commit, slot);
    if (stored === null) return;
    await conclude(service, commit, stored, outcome);
    await finish(commit);
  });
  return null;
}

/** The job of a claimed slot has given up: a person should look, and is told what is known. */
export async function giveUp(
  service: Service,
  commit: Commit,
  ref: SlotRef,
  reason: string,
): Promise<void> {
  const slot = await readSlot(commit, ref.brandId, ref.seriesId, ref.slotId);
  if (slot === null || slot.status !== "publishing") return;
  const { brandId, publication } = slot;
  const ending = await endAttempt(commit, { brandId, attemptId: publication!.attemptId });
  const outcome: Final = ending.is === "published"
    ? { state: "published", ...ending.post }
    : { state: ending.is, message: reason };
  await conclude(service, commit, slot, outcome);
}

const RETRIED = "It is tried again by itself, or publish it by hand.";

/** `untaken`: nothing is public, for sure, and no more is tried. */
type Final =
  | Exclude<PublishOutcome, { state: "working" }>
  | { state: "untaken"; message: string };

async function conclude(
  service: Service,
  commit: Commit,
  slot: StoredSlot,
  outcome: Final,
): Promise<void> {
  const at = service.now();
  const platform = slot.platform!;
  const message = outcome.state === "published" ? null : outcome.message;
  const words = sentence(message ?? "");
  const code = outcome.state === "refused" ? outcome.code : null;
  const publication: Publication = {
    ...slot.publication!,
    outcome: outcome.state,
    code,
    message,
    retryAt: outcome.state === "later" ? outcome.retryAt : null,
  };
  switch (outcome.state) {
    case "published": {
      const { publishedAt, externalPostId, url } = outcome;
      moveSlot(commit, slot, "published", { at, cause: `Public on ${platform}.` }, {
        publication,
        publishedAt,
        externalPostId,
        url,
        error: null,
        heldFor: null,
      });
      return;
    }
    case "outdated":
      await holdSlot(service, commit, slot, { reason: "late", error: outcome.message, message }, {
        publication,
      });
      return;
    case "refused":
      await holdSlot(service, commit, slot, {
        reason: "refused",
        error: `${platform} refused the post: ${words} Put right what it names, then publish ` +
          "again, or skip the slot.",
        code,
        message,
      }, { publication });
      return;
    case "later": {
      // A held slot goes back to a person: no pass publishes it.
      const wasHeld = publication.from === "held";
      const error = `Nothing is public on ${platform}: ${words} ` +
        (wasHeld ? "Publish it again, or skip the slot." : RETRIED);
      const cause = `Not public on ${platform}; ` +
        (wasHeld ? "held as before." : "put back to be tried again.");
      const heldFor = wasHeld ? "notPublished" : null;
      moveSlot(commit, slot, "putBack", { at, cause, message }, { publication, error, heldFor });
      return;
    }
    case "untaken":
      await holdSlot(service, commit, slot, {
        reason: "notPublished",
        error:
          `Nothing was made public on ${platform}: ${words} Publish it again, or skip the slot.`,
        message,
      }, { publication });
      return;
    case "unknown":
      await holdSlot(service, commit, slot, {
        reason: "unknownOutcome",
        error: `${platform} did not say whether the post is public: ${words} Look at the ` +
          "account: if the post is there, skip the slot, else publish it again.",
        message,
      }, { publication });
  }
}

/** The slot as it is now, if it is still this attempt that works on it. */
async function claimed(commit: Commit, slot: StoredSlot): Promise<StoredSlot | null> {
  const stored = await readSlot(commit, slot.brandId, slot.seriesId, slot.id);
  const same = stored?.status === "publishing" &&
    stored.publication?.attemptId === slot.publication?.attemptId;
  return same ? stored : null;
}
