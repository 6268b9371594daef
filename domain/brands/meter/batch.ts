/** One commit of the meter: counts the requests of several brands, and says which brands moved. */
import type { Now } from "../../foundation/calendar.ts";
import type { ServiceError } from "../../foundation/errors.ts";
import { remoteOf } from "../../kv/remote.ts";
import { retryWhileLocked } from "../../kv/transact.ts";
import { isExpired } from "../budgets.ts";
import type { ApiKey } from "../keys.ts";
import type { Brand } from "../brands.ts";
import type { Plan, PlanLimits } from "../plans.ts";
import { type Cost, type Count, countKey, decide, type Limits, pack, turn } from "./count.ts";
import type { Known, Ledger } from "./ledger.ts";
import { appendMarks, hasMark, type Mark, withMark } from "./marks.ts";

export interface Caller {
  key: ApiKey;
  brand: Brand;
}

/** The decision on a request with a known key: `refusal` is null if it is admitted. */
export interface Admission {
  caller: Caller;
  limits: Limits;
  refusal: ServiceError | null;
}

export interface Pending {
  hash: string;
  cost: Cost;
  resolve(admission: Admission | null): void;
  reject(error: unknown): void;
}

/** The decisions on a batch, before they are committed; null for an unknown, revoked or expired key. */
export interface Counted {
  admissions: (Admission | null)[];
  /** The new count of each brand that the decisions rely on; undefined where it stays the same. */
  counts: Map<Known, Count | undefined>;
}

/** What came of a commit: the brands that another writer had changed, none when it took place. */
export type Moved = ReadonlySet<string>;

export interface BatchParts {
  kv: Deno.Kv;
  ledger: Ledger;
  now: Now;
  plans: Record<Plan, PlanLimits>;
}

export function countBatch({ ledger, now, plans }: BatchParts, batch: Pending[]): Counted {
  const at = now();
  const counts: Counted["counts"] = new Map();
  const admissions = batch.map(({ hash, cost }): Admission | null => {
    const known = ledger.find(hash);
    const key = known?.keys.get(hash);
    if (!known?.brand || !key || key.revokedAt !== null || isExpired(key, at)) return null;
    const before = turn(counts.get(known) ?? known.count, at);
    const { count, limits, refusal } = decide(before, plans[known.brand.plan], cost, at);
    counts.set(known, count === before ? counts.get(known) : count);
    return { caller: { key, brand: known.brand }, limits, refusal };
  });
  return { admissions, counts };
}

/**
 * Commits the new counts, or only looks whether the old ones still hold where nothing is counted.
 * @param mark by which the commit is recognised if its answer is lost
 */
export async function commitBatch(
  parts: BatchParts,
  { counts }: Counted,
  mark: Mark,
): Promise<Moved> {
  const isChanged = [...counts.values()].some((count) => count !== undefined);
  if (!isChanged) return await movedOf(parts.ledger, [...counts.keys()]);
  const remote = remoteOf(parts.kv);
  const atomic = parts.kv.atomic();
  const written = new Map<Known, Uint32Array>();
  for (const [known, count] of counts) {
    const key = countKey(known.brandId);
    atomic.check({ key, versionstamp: known.versionstamp });
    if (count === undefined) continue;
    // The embedded store loses no answer, so its counts stay small.
    const marks = remote === null ? known.marks : withMark(known.marks, mark);
    written.set(known, marks);
    atomic.set(key, appendMarks(pack(count), marks));
  }
  const result =
    await (remote === null
      ? retryWhileLocked(() => atomic.commit())
      : remote.ask(() => atomic.commit()));
  if (!result.ok) return await movedOf(parts.ledger, [...counts.keys()], mark);
  for (const [known, count] of counts) {
    const marks = written.get(known);
    if (count === undefined || marks === undefined) continue;
    Object.assign(known, { count, marks, versionstamp: result.versionstamp });
  }
  return new Set();
}

/**
 * The brands whose count has changed since it was read; their counts are read again. None when the
 * commit with that mark is found in one of them, because then it took place.
 */
async function movedOf(ledger: Ledger, known: Known[], mark?: Mark): Promise<Moved> {
  const changed = await retryWhileLocked(() => ledger.refresh(known));
  if (mark && [...changed.values()].some((marks) => hasMark(marks, mark))) return new Set();
  // A refused commit whose brands look the same was refused for one that has changed back.
  const isRefused = mark !== undefined && changed.size === 0;
  return new Set(isRefused ? known.map(({ brandId }) => brandId) : changed.keys());
}
