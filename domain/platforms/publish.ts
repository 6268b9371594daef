/** Publishes one post. The same attempt can be repeated after a crash and never posts twice. */
import { iso, SECOND } from "../foundation/calendar.ts";
import type { Service } from "../service/service.ts";
import { readSocialAccount, type SocialAccount } from "./accounts.ts";
import { StorageError } from "../media/storage/storage.ts";
import { sentence } from "../foundation/text.ts";
import { AttemptLost, claimAttempt, keepAttempt, LOOK_FOR } from "./attempts.ts";
import type { AttemptRecord } from "./attempts.ts";
import { connectorFor } from "./connectors/connectors.ts";
import { prepareFiles } from "./files.ts";
import { accountFault, noteHealthy } from "./health.ts";
import { altTextFor, postRefusal } from "./contract/limits.ts";
import { openClient, type PlatformClient, StillWorking } from "./contract/client.ts";
import { keepOwnPost } from "./own_posts.ts";
import { pauseEnd } from "./pauses.ts";
import type {
  Connector,
  OutgoingPost,
  PublishAttempt,
  Published,
  Verdict,
} from "./contract/platform.ts";
import { TRAITS } from "./contract/traits.ts";
import { FAULTS, NOT_FETCHABLE, PlatformError } from "./contract/wire.ts";
import { unreachable } from "./reachable.ts";
import { RETRY_IN, TRY_AGAIN_IN } from "./retries.ts";

export type PublishOutcome =
  /** Public. `externalPostId` is null when the platform took the post without telling its id. */
  | { state: "published"; externalPostId: string | null; url: string | null; publishedAt: string }
  /** The platform refuses it, and a retry would not help: permission, token, policy, content. */
  | { state: "refused"; code: string; message: string }
  /** Its time has passed, and it is not public. */
  | { state: "outdated"; message: string }
  /** It is not public. Call again with the same id at `retryAt`, an instant in ms. */
  | { state: "later"; message: string; retryAt: number }
  /** Not finished, perhaps in another process. Call again with the same id at `retryAt`. */
  | { state: "working"; message: string; retryAt: number }
  /** It may be public. Calling again with the same id only looks for it. */
  | { state: "unknown"; message: string };

/** How long one call may take, ms of real time. A request of 25 s can still return after it. */
const LONGEST_MS = 22 * SECOND;
const CONTINUE_IN = 5 * SECOND;
const LOOK_AGAIN_IN = 20 * SECOND;
/** So often may a platform fail to fetch an image before a person has to look. */
const MOST_UNFETCHED = 3;
const FETCH_CURE =
  "Make sure that the platform can reach the address of the images, then publish " +
  "again.";
const BEING_PUBLISHED = "The post is being published.";

/** Works on the attempt for at most about 22 s and returns how far it came. */
export async function publishPost(
  service: Service,
  attempt: PublishAttempt,
): Promise<PublishOutcome> {
  const deadline = performance.now() + LONGEST_MS;
  const account = await readSocialAccount(service.kv, attempt.brandId, attempt.accountId);
  if (account === null) {
    return refused("noAccount", "The account is no longer connected. Connect it again.");
  }
  const claim = await claimAttempt(service, attempt);
  if (claim.is === "published") return { state: "published", ...claim.post };
  if (claim.is === "held") {
    return { state: "working", message: BEING_PUBLISHED, retryAt: claim.until };
  }
  const work = new Publishing(service, attempt, account, claim.holder, claim.record);
  try {
    return await work.run(deadline);
  } catch (error) {
    if (!(error instanceof AttemptLost)) throw error;
    const retryAt = service.now() + CONTINUE_IN;
    return { state: "working", message: BEING_PUBLISHED, retryAt };
  } finally {
    await work.release();
  }
}

/** One call's work on an attempt that it has claimed. */
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

  get #name(): string {
    return TRAITS[this.#account.platform].name;
  }

  async run(deadline: number): Promise<PublishOutcome> {
    const { now } = this.#service;
    const refusal = postRefusal(this.#account.platform, this.#attempt);
    if (refusal !== null) return refused("content", refusal);
    const { status, handle } = this.#account;
    if (status === "reconnect" && this.#record.committedAt === null) {
      return refused("tokenDead", `Connect the ${this.#name} account ${handle} again.`);
    }
    const paused = pauseEnd(this.#account, "publish", now());
    if (paused !== null) return this.#waitFor(paused);
    try {
      const client = await openClient(this.#service, this.#connector, this.#account, deadline);
      if (this.#record.committedAt !== null) {
        const outcome = await this.#reconcile(client, null);
        if (outcome !== null) return outcome;
      }
      if (now() > this.#attempt.goodUntil) return OUTDATED;
      return await this.#publish(client);
    } catch (error) {
      if (error instanceof StillWorking) {
        return { state: "working", message: error.message, retryAt: now() + CONTINUE_IN };
      }
      if (!(error instanceof PlatformError || error instanceof StorageError)) throw error;
      if (this.#record.committedAt !== null) return this.#unseen(error.message);
      if (error instanceof PlatformError) return await this.#explain(error);
      return { state: "later", message: error.message, retryAt: now() + TRY_AGAIN_IN };
    }
  }

  /** The platform wants no call before that instant, whoever asks: each would lengthen the wait. */
  #waitFor(retryAt: number): PublishOutcome {
    const state = this.#record.committedAt === null ? "later" : "working";
    return { state, message: `${this.#name} takes no calls before ${iso(retryAt)}.`, retryAt };
  }

  /** Lets other callers claim the attempt. */
  async release(): Promise<void> {
    await this.#keep({ holder: null, heldUntil: 0 }).catch((error) => {
      if (!(error instanceof AttemptLost)) throw error;
    });
  }

  async #publish(client: PlatformClient): Promise<PublishOutcome> {
    if (this.#record.prepared === null) {
      const { platform } = this.#account;
      const { keys, keep } = await prepareFiles(this.#service, platform, this.#attempt);
      await this.#keep({ prepared: keys }, keep);
    }
    try {
      const keep = (change: Partial<AttemptRecord>) => this.#keep(change);
      const outgoing = await this.#outgoing();
      return await this.#done(await this.#connector.publish(client, outgoing, this.#record, keep));
    } catch (error) {
      if (!(error instanceof PlatformError) || this.#record.committedAt === null) throw error;
      if (!error.mayHaveBeenTaken) {
        await this.#keep({ committedAt: null });
        throw error;
      }
      const outcome = await this.#reconcile(client, error);
      if (outcome !== null) return outcome;
      throw error;
    }
  }

  /**
   * Looks what became of an irreversible call with an unknown outcome. Returns null when the
   * platform did not take the post, so that the call can be made again.
   */
  async #reconcile(
    client: PlatformClient,
    fault: PlatformError | null,
  ): Promise<PublishOutcome | null> {
    const verdict = await this.#look(client);
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

  /** The search did not tell. It is repeated for a while. */
  #unseen(why: string): PublishOutcome {
    const { now } = this.#service;
    const message = `It is not known whether ${this.#name} has published the post: ${why}`;
    if (now() - (this.#record.committedAt ?? 0) < LOOK_FOR) {
      return { state: "working", message, retryAt: now() + LOOK_AGAIN_IN };
    }
    return { state: "unknown", message };
  }

  async #look(client: PlatformClient): Promise<Verdict> {
    try {
      return await this.#connector.reconcile(client, await this.#outgoing(), this.#record);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      await accountFault(this.#service, this.#account, "reconcile", error, error.retryAt);
      return { is: "unseen", message: error.message };
    }
  }

  async #outgoing(): Promise<OutgoingPost> {
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

  /** Stores that the post is public before the caller is told. */
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

  /** Handles an error after which the post is certainly not public. */
  async #explain(error: PlatformError): Promise<PublishOutcome> {
    const { now } = this.#service;
    const wait = RETRY_IN[error.fault];
    const retryAt = wait === undefined ? null : error.retryAt ?? now() + wait;
    await accountFault(this.#service, this.#account, "publish", error, retryAt);
    if (error.names === NOT_FETCHABLE && await this.#isUnfetched()) {
      const { settings } = this.#service;
      const cure = unreachable(settings, this.#account) ?? FETCH_CURE;
      return refused(error.code, `${sentence(error.message)} ${cure}`);
    }
    if (retryAt !== null) return { state: "later", message: error.message, retryAt };
    return refused(error.fault, `${sentence(error.message)} ${FAULTS[error.fault].cure}`);
  }

  /** Counts the times that the platform could not fetch an image; true when it was often enough. */
  async #isUnfetched(): Promise<boolean> {
    const unfetched = (this.#record.unfetched ?? 0) + 1;
    await this.#keep({ unfetched });
    return unfetched >= MOST_UNFETCHED;
  }

  async #keep(
    change: Partial<AttemptRecord>,
    also?: Parameters<typeof keepAttempt>[4],
  ): Promise<void> {
    this.#record = await keepAttempt(this.#service, this.#attempt, this.#holder, change, also);
  }
}

async function readFile(service: Service, key: string) {
  const file = await service.storage.get(key);
  if (file === null) {
    throw new PlatformError("badRequest", "An image of the post is no longer stored.");
  }
  return file.bytes;
}

const OUTDATED: PublishOutcome = {
  state: "outdated",
  message:
    "The post's time passed before it could be published, and it is not public. Publish it " +
    "yourself, or skip it.",
};

function refused(code: string, message: string): PublishOutcome {
  return { state: "refused", code, message };
}
