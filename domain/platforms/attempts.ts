/** The durable record of a publish attempt, held by one caller at a time. */
import { MINUTE, SECOND } from "../calendar.ts";
import { type Commit, transact } from "../kv.ts";
import type { Service } from "../service.ts";
import type { Progress, Published } from "./platform.ts";
import type { PublishAttempt } from "./publishing.ts";

export interface AttemptRecord extends Progress {
  accountId: string;
  /** Keys of the files that the platform takes; null until they are prepared. */
  prepared: string[] | null;
  /** Set once the post is public: it never changes again. */
  published: Published | null;
  /** Who works on it, and until when nobody else may, ms. */
  holder: string | null;
  heldUntil: number;
}

/** Longer than one call of `publishPost` works. */
const HELD = 30 * SECOND;
/** How long after the irreversible call its outcome is looked for. */
export const LOOK_FOR = 10 * MINUTE;

/** Another caller has taken the attempt over. */
export class AttemptLost extends Error {
  override readonly name = "AttemptLost";
}

export type Claim =
  | { is: "mine"; holder: string; record: AttemptRecord }
  | { is: "held"; until: number }
  | { is: "published"; post: Published };

type Named = Pick<PublishAttempt, "attemptId" | "brandId" | "accountId">;

const attemptKey = ({ brandId, attemptId }: Omit<Named, "accountId">): Deno.KvKey => [
  "publishAttempt",
  brandId,
  attemptId,
];

/** Takes the attempt unless it is done or somebody is at it. */
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
 * Writes `change` before it answers.
 * @throws AttemptLost when another caller has taken over
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

/** What became of an attempt that nobody works on any more. */
export type Ending =
  | { is: "published"; post: Published }
  /** Nothing that could be public was sent, or the platform did not take it, for sure. */
  | { is: "untaken" }
  | { is: "unknown" };

/** Takes the attempt from whoever holds it: from this commit on nothing more is sent for it. */
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
