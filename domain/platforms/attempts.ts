/** The stored record of a publish attempt, on which one caller works at a time. */
import { MINUTE, SECOND } from "../foundation/calendar.ts";
import { type Commit, transact } from "../kv/transact.ts";
import type { Service } from "../service/service.ts";
import type { Progress, Published } from "./contract/platform.ts";
import type { PublishAttempt } from "./contract/platform.ts";

export interface AttemptRecord extends Progress {
  accountId: string;
  /** Storage keys of the files to send; null until they are prepared. */
  prepared: string[] | null;
  /** Set once the post is public; never changed after that. */
  published: Published | null;
  /** The caller that works on the attempt; nobody else may until `heldUntil`, ms. */
  holder: string | null;
  heldUntil: number;
  /** How often the platform could not fetch an image. */
  unfetched?: number;
}

/** Longer than one call of `publishPost` takes. */
const HELD = 30 * SECOND;
/** How long after the irreversible call Marquee looks for its outcome. */
export const LOOK_FOR = 10 * MINUTE;

/** Another caller works on the attempt now. */
export class AttemptLost extends Error {
  override readonly name = "AttemptLost";
}

type Claim =
  | { is: "mine"; holder: string; record: AttemptRecord }
  | { is: "held"; until: number }
  | { is: "published"; post: Published };

type Named = Pick<PublishAttempt, "attemptId" | "brandId" | "accountId">;

const attemptKey = ({ brandId, attemptId }: Omit<Named, "accountId">): Deno.KvKey => [
  "publishAttempt",
  brandId,
  attemptId,
];

/** Claims the attempt unless it is published or another caller works on it. */
export function claimAttempt({ kv, now }: Service, attempt: Named): Promise<Claim> {
  return transact(kv, async (commit) => {
    const stored = await commit.get<AttemptRecord>(attemptKey(attempt)) ?? fresh(attempt);
    if (stored.published !== null) return { is: "published", post: stored.published };
    if (stored.holder !== null && stored.heldUntil > now()) {
      return { is: "held", until: stored.heldUntil };
    }
    const holder = crypto.randomUUID();
    const record = { ...stored, holder, heldUntil: now() + HELD };
    commit.set(attemptKey(attempt), record);
    return { is: "mine", holder, record };
  });
}

/**
 * Stores `change`, and what `also` writes, in one commit.
 * @throws AttemptLost when another caller has claimed the attempt
 */
export function keepAttempt(
  { kv }: Service,
  attempt: Named,
  holder: string,
  change: Partial<AttemptRecord>,
  also: (commit: Commit) => Promise<void> | void = () => {},
): Promise<AttemptRecord> {
  return transact(kv, async (commit) => {
    const stored = await commit.get<AttemptRecord>(attemptKey(attempt));
    if (stored === null || stored.holder !== holder) throw new AttemptLost(attempt.attemptId);
    const record = { ...stored, ...change };
    commit.set(attemptKey(attempt), record);
    await also(commit);
    return record;
  });
}

/** The outcome of an attempt that is given up. */
type Ending =
  | { is: "published"; post: Published }
  /** The post is not public: it was never sent, or the platform refused it. */
  | { is: "untaken" }
  | { is: "unknown" };

/** Takes the attempt from the caller that works on it, so nothing more is sent after this commit. */
export async function endAttempt(
  commit: Commit,
  attempt: Omit<Named, "accountId">,
): Promise<Ending> {
  const stored = await commit.get<AttemptRecord>(attemptKey(attempt));
  if (stored === null) return { is: "untaken" };
  if (stored.published !== null) return { is: "published", post: stored.published };
  commit.set(attemptKey(attempt), { ...stored, holder: null, heldUntil: 0 });
  return { is: stored.committedAt === null ? "untaken" : "unknown" };
}

function fresh({ accountId }: Named): AttemptRecord {
  return {
    accountId,
    files: [],
    container: null,
    begunAt: null,
    committedAt: null,
    commits: 0,
    prepared: null,
    published: null,
    holder: null,
    heldUntil: 0,
  };
}
