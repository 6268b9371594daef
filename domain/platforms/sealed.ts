/**
 * Everything that is sealed with SECRET_KEY: the accounts' tokens and the brands' webhooks. The store
 * names the secret, so that a start with a strange one ends before it can do harm.
 */
import { brandsWithKit, isSealedNow, readKit, resealKit, webhookOf } from "../brands/kit.ts";
import { sealedWebhooks } from "../events/webhooks/store.ts";
import { SettingsError } from "../foundation/settings.ts";
import { type Commit, reader, transact } from "../kv/transact.ts";
import type { Service } from "../service/service.ts";
import { sealedTokens } from "./accounts.ts";

/** The secret of a store. */
interface SecretMark {
  keyId: string;
  /** The secret before, while something may still be sealed with it. */
  before: string | null;
}

const MARK_KEY = ["secret"];

type Parts = Pick<Service, "kv" | "secrets">;

/** One sealed value. */
interface Sealed {
  isCurrent: boolean;
  /** @throws when no known secret opens it */
  open(): Promise<unknown>;
  reseal(): Promise<void>;
}

async function* everythingSealed({ kv, secrets }: Parts): AsyncGenerator<Sealed> {
  for await (const { accountId, sealed, reseal } of sealedTokens({ kv, secrets })) {
    const isCurrent = secrets.isCurrent(sealed);
    yield { isCurrent, open: () => secrets.open(sealed, accountId), reseal };
  }
  for await (const brandId of brandsWithKit(kv)) {
    const kit = await readKit(reader(kv), brandId);
    if (kit.webhook === null) continue;
    yield {
      isCurrent: isSealedNow(secrets, kit),
      open: () => webhookOf(secrets, brandId, kit),
      reseal: () => resealKit(kv, secrets, brandId),
    };
  }
  yield* sealedWebhooks({ kv, secrets });
}

/**
 * Makes the service's secret the store's, and has sealed again what another secret sealed.
 * @throws SettingsError when something is sealed that neither SECRET_KEY nor the previous one opens
 */
export async function claimSecret(
  { kv, secrets, jobs }: Parts & Pick<Service, "jobs">,
): Promise<void> {
  const { keyId, previousKeyId } = secrets;
  await transact(kv, async (commit) => {
    const mark = await commit.get<SecretMark>(MARK_KEY);
    const needed = mark === null ? [] : [mark.keyId, mark.before].filter((id) => id !== null);
    const isStrange = needed.some((id) => id !== keyId && id !== previousKeyId);
    if ((mark === null || isStrange) && !await opensFirst({ kv, secrets }, mark !== null)) {
      throw strangeSecret(mark);
    }
    const next: SecretMark = { keyId, before: isStrange ? null : previousKeyId ?? null };
    if (mark?.keyId !== next.keyId || mark.before !== next.before) commit.set(MARK_KEY, next);
    // An earlier version left no mark, did not seal webhooks and named no secret.
    if (mark?.keyId === keyId && next.before === null) return;
    const job = { kind: "reseal", id: "reseal", brandId: "", subject: { keyId } } as const;
    await jobs.add(commit, { ...job, hurry: true });
  });
}

/** Whether nothing is sealed, or the first sealed value opens; `strict`: nothing may be sealed. */
async function opensFirst(parts: Parts, strict: boolean): Promise<boolean> {
  for await (const { open } of everythingSealed(parts)) {
    return !strict && await open().then(() => true, () => false);
  }
  return true;
}

function strangeSecret(mark: SecretMark | null): SettingsError {
  const isUnfinished = mark !== null && mark.before !== null;
  return new SettingsError(
    "Cannot use setting SECRET_KEY: the store is sealed with another one; " +
      (isUnfinished
        ? "set SECRET_KEY_PREVIOUS until `admin secret status` says that resealing has ended"
        : "start with that one, or set that one as SECRET_KEY_PREVIOUS"),
  );
}

/** Seals with the current secret whatever a known one opens, then calls `finish` in a last commit. */
export async function resealAll(
  { kv, secrets, log }: Parts & Pick<Service, "log">,
  signal: AbortSignal,
  finish: (commit: Commit) => Promise<void>,
): Promise<void> {
  const { keyId } = secrets;
  let unreadable = 0;
  for await (const { isCurrent, reseal } of everythingSealed({ kv, secrets })) {
    signal.throwIfAborted();
    if (!isCurrent) await reseal().catch((error) => unreadable += countUnreadable(error));
  }
  if (unreadable > 0) log.warn("secret.unreadable", { count: unreadable });
  await transact(kv, async (commit) => {
    const mark = await commit.get<SecretMark>(MARK_KEY);
    if (mark?.keyId === keyId) commit.set(MARK_KEY, { keyId, before: null } satisfies SecretMark);
    await finish(commit);
  });
}

/** 1 for a value that no known secret opens. @throws any other error, so that the job runs again */
function countUnreadable(error: unknown): 1 {
  if (error instanceof AggregateError) return 1;
  throw error;
}

/** What `admin secret status` says. */
export interface SecretStatus {
  keyId: string;
  previousKeyId: string | null;
  /** Whether something may still be sealed with the previous secret. */
  resealing: boolean;
  /** How many values SECRET_KEY sealed, SECRET_KEY_PREVIOUS or an earlier version did, nobody can open. */
  sealed: { current: number; previous: number; unreadable: number };
}

export async function secretStatus({ kv, secrets }: Parts): Promise<SecretStatus> {
  const { keyId, previousKeyId } = secrets;
  const sealed = { current: 0, previous: 0, unreadable: 0 };
  for await (const { isCurrent, open } of everythingSealed({ kv, secrets })) {
    const isReadable = await open().then(() => true, () => false);
    sealed[!isReadable ? "unreadable" : isCurrent ? "current" : "previous"]++;
  }
  const mark = (await kv.get<SecretMark>(MARK_KEY)).value;
  return { keyId, previousKeyId, resealing: mark !== null && mark.before !== null, sealed };
}
