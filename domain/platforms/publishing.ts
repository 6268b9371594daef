/** Publishing one post: durable, resumable, safe to call again and again for the same attempt. */
import { SECOND } from "../calendar.ts";
import type { SeriesFormat } from "../series/format.ts";
import type { Service } from "../service.ts";
import { readSocialAccount, type SocialAccount } from "../social.ts";
import { StorageError } from "../storage/storage.ts";
import { sentence } from "../text.ts";
import { AttemptLost, claimAttempt, keepAttempt, LOOK_FOR } from "./attempts.ts";
import type { AttemptRecord } from "./attempts.ts";
import { connectorFor } from "./connectors.ts";
import { prepareFiles } from "./files.ts";
import { accountFault, noteHealthy } from "./health.ts";
import { altTextFor, refusalOf } from "./limits.ts";
import { type Line, openLine, StillWorking } from "./line.ts";
import { keepOwnPost } from "./own_posts.ts";
import type { Connector, Draft, Published, Verdict } from "./platform.ts";
import { FAULTS, PlatformError, UNTOLD_WAIT } from "./wire.ts";

export interface PublishImage {
  /** Where the image lies in storage. */
  key: string;
  altText: string;
}

export interface PublishAttempt {
  /** One public post at most comes of one id, however often it is tried. */
  attemptId: string;
  brandId: string;
  accountId: string;
  format: SeriesFormat;
  /** The whole public text. */
  text: string;
  images: PublishImage[];
  /** The text printed on the first image; absent or null: none. */
  coverText?: string | null;
  /** Instant at which the slot was claimed, ms. */
  claimedAt: number;
  /** Instant, ms, after which it must not become public any more; then it is only looked for. */
  goodUntil: number;
}

export type PublishOutcome =
  /** Public. `externalPostId` is null where the platform took it and its id can't be told. */
  | { state: "published"; externalPostId: string | null; url: string | null; publishedAt: string }
  /** The platform says no, for good: permission, dead token, policy, content. */
  | { state: "refused"; code: string; message: string }
  /** Its time is over, and it is not public. */
  | { state: "outdated"; message: string }
  /** Not sent, or not taken, for sure. Call again (same id) at `retryAt`, an instant in ms. */
  | { state: "later"; message: string; retryAt: number }
  /** Still at work, perhaps in another process: call again (same id) at `retryAt`. */
  | { state: "working"; message: string; retryAt: number }
  /** Perhaps taken; looking did not tell. Calling again (same id) only looks again. */
  | { state: "unknown"; message: string };

/** How long one call works at most, ms of real time: a request of 25 s can answer. */
const LONGEST_MS = 22 * SECOND;
const WORK_ON_IN = 5 * SECOND;
const LOOK_AGAIN_IN = 20 * SECOND;
/** After a fault that does not say for how long: the next pass may try. */
const TRY_AGAIN_IN = 2 * SECOND;

/** Works on the attempt for at most about 22 s and says how it stands. */
export async function publishPost(
  service: Service,
  attempt: PublishAttempt,
): Promise<PublishOutcome> {
  const deadline = performance.now() + LONGEST_MS;
  const account = await readSocialAccount(service.kv, attempt.brandId, attempt.accountId);
  if (account === null) return refused("noAccount", "The account is not connected any more.");
  const claim = await claimAttempt(service, attempt);
  if (claim.is === "published") return { state: "published", ...claim.post };
  if (claim.is === "held") {
    return { state: "working", message: "It is being published.", retryAt: claim.until };
  }
  const work = new Publishing(service, attempt, account, claim.holder, claim.record);
  try {
    return await work.run(deadline);
  } catch (error) {
    if (!(error instanceof AttemptLost)) throw error;
    const retryAt = service.now() + WORK_ON_IN;
    return { state: "working", message: "It is being published.", retryAt };
  } finally {
    await work.release();
  }
}

/** One call's work on an attempt that it holds. */
class Publishing {
  readonly #service: Service;
  readonly #attempt: PublishAttempt;
  readonly #account: SocialAccount;
  readonly #connector: Connector;
  readonly #holder: string;
  #record: AttemptRecord;

  constructor(
    service: Service,
    attempt: PublishAttempt,
    account: SocialAccount,
    holder: string,
    record: AttemptRecord,
  ) {
    this.#service = service;
    this.#attempt = attempt;
    this.#account = account;
    this.#connector = connectorFor(service, account.platform);
    this.#holder = holder;
    this.#record = record;
  }

  async run(deadline: number): Promise<PublishOutcome> {
    const { now } = this.#service;
    const refusal = refusalOf(this.#account.platform, this.#attempt);
    if (refusal !== null) return refused("content", refusal);
    if (this.#account.status === "reconnect" && this.#record.committedAt === null) {
      return refused("tokenDead", `${this.#account.handle} must be connected again.`);
    }
    try {
      const line = await openLine(this.#service, this.#connector, this.#account, deadline);
      if (this.#record.committedAt !== null) {
        const settled = await this.#settle(line, null);
        if (settled !== null) return settled;
      }
      if (now() > this.#attempt.goodUntil) return OUTDATED;
      return await this.#publish(line);
    } catch (error) {
      if (error instanceof StillWorking) {
        return { state: "working", message: error.message, retryAt: now() + WORK_ON_IN };
      }
      if (!(error instanceof PlatformError || error instanceof StorageError)) throw error;
      if (this.#record.committedAt !== null) return this.#unseen(error.message);
      if (error instanceof PlatformError) return await this.#explain(error);
      return { state: "later", message: error.message, retryAt: now() + TRY_AGAIN_IN };
    }
  }

  /** Lets others have the attempt. */
  async release(): Promise<void> {
    await this.#keep({ holder: null, heldUntil: 0 }).catch((error) => {
      if (!(error instanceof AttemptLost)) throw error;
    });
  }

  async #publish(line: Line): Promise<PublishOutcome> {
    if (this.#record.prepared === null) {
      const { platform } = this.#account;
      const { keys, keep } = await prepareFiles(this.#service, platform, this.#attempt);
      await this.#keep({ prepared: keys }, keep);
    }
    try {
      const keep = (change: Partial<AttemptRecord>) => this.#keep(change);
      const draft = await this.#draft();
      return await this.#done(await this.#connector.publish(line, draft, this.#record, keep));
    } catch (error) {
      if (!(error instanceof PlatformError) || this.#record.committedAt === null) throw error;
      if (!error.mayHaveBeenTaken) {
        await this.#keep({ committedAt: null });
        throw error;
      }
      const settled = await this.#settle(line, error);
      if (settled !== null) return settled;
      throw error;
    }
  }

  /**
   * The irreversible call was made and its outcome is not known: look. Null: it was not taken, so
   * the attempt may go on as if the call had never been made.
   */
  async #settle(line: Line, fault: PlatformError | null): Promise<PublishOutcome | null> {
    const verdict = await this.#look(line);
    this.#service.log.warn("platform.reconciled", {
      account: this.#account.id,
      attempt: this.#attempt.attemptId,
      verdict: verdict.is,
      ...(fault === null ? {} : { code: fault.code, message: fault.message }),
    });
    if (verdict.is === "published") return await this.#done(verdict.post);
    if (verdict.is === "absent") {
      await this.#keep({ committedAt: null });
      return null;
    }
    return this.#unseen(verdict.message);
  }

  /** Looking did not tell: it is looked again for a while. */
  #unseen(why: string): PublishOutcome {
    const { now } = this.#service;
    const message = `It is not known whether ${this.#account.platform} has published it: ${why}`;
    if (now() - (this.#record.committedAt ?? 0) < LOOK_FOR) {
      return { state: "working", message, retryAt: now() + LOOK_AGAIN_IN };
    }
    return { state: "unknown", message };
  }

  async #look(line: Line): Promise<Verdict> {
    try {
      return await this.#connector.reconcile(line, await this.#draft(), this.#record);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      await accountFault(this.#service, this.#account, "reconcile", error, error.retryAt);
      return { is: "unseen", message: error.message };
    }
  }

  async #draft(): Promise<Draft> {
    const { format, text, images, claimedAt } = this.#attempt;
    const { storage } = this.#service;
    const keys = this.#record.prepared ?? [];
    const files = await Promise.all(keys.map(async (key, at) => ({
      url: await storage.url(key),
      bytes: () => readFile(this.#service, key),
      altText: altTextFor(this.#account.platform, images[at]?.altText ?? ""),
    })));
    return { format, text, files, claimedAt };
  }

  /** Notes the public post before anyone hears of it. */
  async #done(post: Published): Promise<PublishOutcome> {
    const { externalPostId, url, publishedAt } = post;
    await this.#keep({ published: post }, (commit) => {
      if (externalPostId === null || url === null) return;
      const { format, text, coverText = null } = this.#attempt;
      const keys = this.#record.prepared ?? [];
      keepOwnPost(commit, this.#account, {
        externalId: externalPostId,
        format,
        text,
        coverText,
        url,
        keys,
        publishedAt,
      });
    });
    await noteHealthy(this.#service, this.#account);
    return { state: "published", ...post };
  }

  /** A fault of which it is sure that nothing was made public. */
  async #explain(error: PlatformError): Promise<PublishOutcome> {
    const { now } = this.#service;
    const retryAt = RETRIED[error.fault] ? error.retryAt ?? now() + RETRIED[error.fault]! : null;
    await accountFault(this.#service, this.#account, "publish", error, retryAt);
    if (retryAt !== null) return { state: "later", message: error.message, retryAt };
    return refused(error.fault, `${sentence(error.message)} ${FAULTS[error.fault].cure}`);
  }

  async #keep(
    change: Partial<AttemptRecord>,
    also?: Parameters<typeof keepAttempt>[4],
  ): Promise<void> {
    this.#record = await keepAttempt(this.#service, this.#attempt, this.#holder, change, also);
  }
}

/** Faults after which the same attempt is tried again, and how long to wait untold, ms. */
const RETRIED: Partial<Record<PlatformError["fault"], number>> = {
  rateLimited: UNTOLD_WAIT,
  transient: TRY_AGAIN_IN,
  malformed: TRY_AGAIN_IN,
  notReady: TRY_AGAIN_IN,
  duplicate: LOOK_FOR,
};

async function readFile(service: Service, key: string) {
  const file = await service.storage.get(key);
  if (file === null) throw new PlatformError("badRequest", "An image is no longer stored.");
  return file.bytes;
}

const OUTDATED: PublishOutcome = {
  state: "outdated",
  message: "Its time passed while it was being published, and it is not public. Publish it by " +
    "hand, or skip it.",
};

function refused(code: string, message: string): PublishOutcome {
  return { state: "refused", code, message };
}
