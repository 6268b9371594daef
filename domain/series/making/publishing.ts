/** Publishing a slot: the claim, the work on it, and what its outcome makes of the slot. */
import { publicText } from "./writing.ts";
import { ServiceError } from "../../foundation/errors.ts";
import { audit, SYSTEM } from "../../kv/audit.ts";
import { type Commit, reader, transact } from "../../kv/transact.ts";
import { endAttempt } from "../../platforms/attempts.ts";
import { TRAITS } from "../../platforms/contract/traits.ts";
import { readOnlyRefusal } from "../../platforms/contract/limits.ts";
import type { PublishOutcome } from "../../platforms/publish.ts";
import type { Service } from "../../service/service.ts";
import { sentence } from "../../foundation/text.ts";
import type { SocialAccount } from "../../platforms/accounts.ts";
import { type ClaimedSlot, claimedSlot } from "../facts.ts";
import { holdError, holdSlot } from "./hold.ts";
import { type PinnedContent, type Publication, readSlot, type StoredSlot } from "../records.ts";
import { contentOf } from "./content.ts";
import type { Finish, SlotRef } from "./settle.ts";
import { moveSlot, requireMove } from "../states.ts";

const NO_ACCOUNT = "There is no connected account. Set socialAccountId, then publish.";

/** Why this account can't take a post now, and what to do about it; null when it can. */
export function accountRefusal(account: SocialAccount | null): string | null {
  if (account === null) return NO_ACCOUNT;
  const readOnly = readOnlyRefusal(account.platform);
  if (readOnly !== null) return readOnly;
  if (account.status === "reconnect") {
    return `The ${
      TRAITS[account.platform].name
    } account ${account.handle} must be connected again first.`;
  }
  return null;
}

function requireAccount(account: SocialAccount | null): SocialAccount {
  const refusal = accountRefusal(account);
  if (account === null || refusal !== null) {
    throw new ServiceError("conflict", refusal ?? NO_ACCOUNT);
  }
  return account;
}

interface Claim {
  cause: string;
  /** Instant, ms. */
  goodUntil: number;
  content: PinnedContent;
}

/**
 * Claims a ready or held slot for publishing in `commit`, together with the job that publishes it. The
 * caller has read the slot through the commit. Exactly `content` is published, whatever changes later.
 * @throws ServiceError `conflict`
 */
export async function claimSlot(
  service: Service,
  commit: Commit,
  slot: StoredSlot,
  account: SocialAccount | null,
  { cause, goodUntil, content }: Claim,
): Promise<ClaimedSlot> {
  requireMove(slot, "publish");
  const { id: socialAccountId, platform } = requireAccount(account);
  const { now, jobs, by } = service;
  const at = now();
  const { brandId, seriesId, id: slotId } = slot;
  const publication: Publication = {
    attemptId: attemptFor(slot, socialAccountId, content),
    content,
    by: { actor: by.actor, address: by.from.address },
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
  audit(commit, service, { action: "item.publishing", of: brandId, subject: slotId });
  const claim = { publication, socialAccountId, platform };
  const moved = moveSlot(commit, slot, "publish", { at, cause }, claim);
  return { ...moved, ...claim, status: "publishing" };
}

/** Outcomes after which the same attempt continues. */
const UNDECIDED: readonly Publication["outcome"][] = ["later", "untaken", "unknown"];

/**
 * Reuses the last attempt on this account if it was not accepted or its outcome is unknown, because the
 * platform is then looked at before anything is sent again. A refused attempt is over. So is one that was
 * certainly not accepted when the content has changed since, because it has the old content.
 */
function attemptFor(slot: StoredSlot, accountId: string, content: PinnedContent): string {
  const { id, events, publication, socialAccountId } = slot;
  const fresh = `${id}.${events}`;
  if (publication === null || !UNDECIDED.includes(publication.outcome)) return fresh;
  const isSame = (publication.content?.hash ?? content.hash) === content.hash;
  const mayBePublic = publication.outcome === "unknown";
  return socialAccountId === accountId && (isSame || mayBePublic) ? publication.attemptId : fresh;
}

/** Works on a claimed slot once. Returns the instant (ms) of the next try, or null when it is over. */
export async function publishSlot(
  service: Service,
  ref: SlotRef,
  finish: Finish,
): Promise<number | null> {
  const { kv } = service;
  const slot = claimedSlot(await readSlot(reader(kv), ref.brandId, ref.seriesId, ref.slotId));
  if (slot === null) return null;
  // Loads the connectors with the first post that is published, to keep the start fast.
  const { publishPost } = await import("../../platforms/publish.ts");
  const { attemptId, claimedAt, goodUntil } = slot.publication;
  const { images, coverText } = await claimedContent(kv, slot);
  const outcome = await publishPost(service, {
    attemptId,
    brandId: slot.brandId,
    accountId: slot.socialAccountId,
    format: slot.format,
    text: publicText(slot.caption, slot.hashtags),
    images,
    coverText,
    claimedAt,
    goodUntil,
  });
  if (outcome.state === "working") return outcome.retryAt;
  await transact(kv, async (commit) => {
    const stored = await sameAttempt(commit, slot);
    if (stored === null) return;
    await conclude(service, commit, stored, outcome);
    await finish(commit);
  });
  return null;
}

/** A slot that an earlier version claimed has no pinned content. */
async function claimedContent(kv: Deno.Kv, slot: ClaimedSlot): Promise<PinnedContent> {
  const content = slot.publication.content ?? await contentOf(kv, slot, slot.socialAccountId);
  if (content === null) throw new Error(`Slot ${slot.id} was claimed before it was complete.`);
  return content;
}

/** The job of a claimed slot has used up its tries: holds the slot and says what is known of it. */
export async function giveUp(
  service: Service,
  commit: Commit,
  ref: SlotRef,
  reason: string,
): Promise<void> {
  const slot = claimedSlot(await readSlot(commit, ref.brandId, ref.seriesId, ref.slotId));
  if (slot === null) return;
  const { brandId, publication: { attemptId } } = slot;
  const ending = await endAttempt(commit, { brandId, attemptId });
  const outcome: Conclusion = ending.is === "published"
    ? { state: "published", ...ending.post }
    : { state: ending.is, message: reason };
  await conclude(service, commit, slot, outcome);
}

/** `untaken`: nothing is public, for sure, and nothing more is tried. */
type Conclusion =
  | Exclude<PublishOutcome, { state: "working" }>
  | { state: "untaken"; message: string };

async function conclude(
  service: Service,
  commit: Commit,
  slot: ClaimedSlot,
  outcome: Conclusion,
): Promise<void> {
  const { platform } = slot;
  const message = outcome.state === "published" ? null : outcome.message;
  const known = { platform, words: message ?? "" };
  const code = outcome.state === "refused" ? outcome.code : null;
  const publication: Publication = {
    ...slot.publication,
    outcome: outcome.state,
    code,
    message,
    retryAt: outcome.state === "later" ? outcome.retryAt : null,
  };
  const change = { publication };
  switch (outcome.state) {
    case "published": {
      const { publishedAt, externalPostId, url } = outcome;
      const { by } = slot.publication;
      const claimed = by === undefined ? SYSTEM : { actor: by.actor, from: by };
      const row = { action: "item.published", of: slot.brandId, subject: slot.id } as const;
      audit(commit, { ...service, by: claimed }, row);
      moveSlot(commit, slot, "published", {
        at: service.now(),
        cause: `Public on ${TRAITS[platform].name}.`,
      }, {
        ...change,
        publishedAt,
        externalPostId,
        url,
        error: null,
        heldFor: null,
      });
      return;
    }
    case "later":
      putBack(service, commit, slot, publication, known.words);
      return;
    case "outdated": {
      const late = { reason: "late", known: { whilePublishing: true }, message } as const;
      await holdSlot(service, commit, slot, late, change);
      return;
    }
    case "refused":
      await holdSlot(service, commit, slot, { reason: "refused", known, code, message }, change);
      return;
    case "untaken":
      await holdSlot(service, commit, slot, { reason: "notPublished", known, message }, change);
      return;
    case "unknown":
      await holdSlot(service, commit, slot, { reason: "unknownOutcome", known, message }, change);
  }
}

/** The platform did not take the post yet. A pass tries a ready slot again, but never a held one. */
function putBack(
  { now }: Service,
  commit: Commit,
  slot: ClaimedSlot,
  publication: Publication,
  words: string,
): void {
  const { platform } = slot;
  const wasHeld = publication.from === "held";
  const error = wasHeld
    ? holdError("notPublished", { platform, words })
    : `Nothing is public on ${TRAITS[platform].name}: ${
      sentence(words)
    } It is tried again automatically; you ` +
      "can also publish it by hand.";
  const cause = `Not public on ${TRAITS[platform].name}: ${
    wasHeld ? "it is held as before." : "it will be tried again."
  }`;
  const note = { at: now(), cause, message: publication.message };
  const heldFor = wasHeld ? "notPublished" : null;
  moveSlot(commit, slot, "putBack", note, { publication, error, heldFor });
}

/** The slot as stored now, or null when another attempt has taken it over. */
async function sameAttempt(commit: Commit, slot: ClaimedSlot): Promise<ClaimedSlot | null> {
  const stored = claimedSlot(await readSlot(commit, slot.brandId, slot.seriesId, slot.id));
  return stored?.publication.attemptId === slot.publication.attemptId ? stored : null;
}
