/**
 * The meter: who calls, and may they now? One decision on key, second and month, exact across
 * requests, keys and processes, by group commit: requests that arrive together, or while a
 * commit is in flight, share the next one, and each commit checks the counters, which a
 * revocation and a change of plan write, too, so that both hold for the very next request.
 */
import { type ApiKey, apiKeyKey, hashSecret, noteKeyUse } from "../access.ts";
import { type Brand, brandKey } from "../brands.ts";
import { dayOf, startOfDay } from "../calendar.ts";
import type { Now } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import { getEach, getEntries, patiently } from "../kv.ts";
import { type PlanLimits, PLANS } from "../plans.ts";
import { Recent } from "../recent.ts";
import {
  type Cost,
  type Count,
  countKey,
  decide,
  type Limits,
  pack,
  type PackedCount,
  turn,
  unpack,
} from "./count.ts";

export interface Caller {
  key: ApiKey;
  brand: Brand;
}

/** A known key's decision: `refusal` is null when the request may go on. */
export interface Admission {
  caller: Caller;
  limits: Limits;
  refusal: ServiceError | null;
}

/** A commit takes 100 checks: one for each brand, of which a batch has no more than keys. */
const BATCH = 100;
/** Brands and keys that stay known, the most recently used ones: more than a batch can bring. */
const CACHED = 10_000;
const PATIENCE_MS = 10_000;

interface Pending {
  hash: string;
  cost: Cost;
  resolve(admission: Admission | null): void;
  reject(error: unknown): void;
}

/** Where a count stands, and the version that was seen of it. */
type Seen = Deno.AtomicCheck;

/**
 * What this instance last saw of a brand. The count is the oldest of it, and whoever revokes a key
 * or changes the brand writes the count, too: while it stands, so does the rest.
 */
interface Known {
  seen: Seen;
  count: Count;
  brand: Brand | null;
  keys: Map<string, ApiKey | null>;
}

/** Requests counted against the brand's quota in the month of `at`. */
export async function readMonth(kv: Deno.Kv, brandId: string, at: number): Promise<number> {
  const { value } = await kv.get<PackedCount>(countKey(brandId));
  return turn(unpack(value), at).inMonth;
}

export interface MeterOptions {
  /** What each plan allows; benchmarks lift it. */
  plans?: Record<string, PlanLimits>;
  /** How many brands and keys stay known; at least as many as a batch can bring. */
  cached?: number;
}

export class Meter {
  readonly #kv: Deno.Kv;
  readonly #now: Now;
  readonly #plans: Record<string, PlanLimits>;
  /** Secret → its hash: hashing is the dearest part of a look at a key. */
  readonly #hashes: Recent<string, string>;
  /** Hash of a key → its brand, which never changes. */
  readonly #brandOf: Recent<string, string>;
  readonly #known: Recent<string, Known>;
  /** Key → the UTC day on which its use was noted last, as its first instant. */
  readonly #usedOn: Recent<string, number>;
  #pending: Pending[] = [];
  #flushing = false;

  constructor(kv: Deno.Kv, now: Now, options: MeterOptions = {}) {
    this.#kv = kv;
    this.#now = now;
    this.#plans = options.plans ?? PLANS;
    const cached = options.cached ?? CACHED;
    this.#hashes = new Recent(cached);
    this.#brandOf = new Recent(cached);
    this.#known = new Recent(cached);
    this.#usedOn = new Recent(cached);
  }

  /**
   * Decides on one request.
   * @throws ServiceError `unauthorized` for a key that is malformed, unknown or revoked
   */
  async admit(secret: string | null, cost: Cost): Promise<Admission> {
    const hash = secret === null ? null : this.#hashes.find(secret) ?? await this.#hash(secret);
    if (hash === null) {
      throw unauthorized(secret === null ? "Send an API key." : "Unknown or revoked key.");
    }
    const admission = await new Promise<Admission | null>((resolve, reject) => {
      this.#pending.push({ hash, cost, resolve, reject });
      this.#schedule();
    });
    if (admission === null) throw unauthorized("Unknown or revoked key.");
    this.#noteUse(admission.caller.key);
    return admission;
  }

  /** Only well-formed secrets are kept: what anyone may send must not fill the memory. */
  async #hash(secret: string): Promise<string | null> {
    const hash = await hashSecret(secret);
    if (hash !== null) this.#hashes.set(secret, hash);
    return hash;
  }

  /** Starts at the end of the event loop's turn: what was read together is counted together. */
  #schedule(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    let deciding = this.#decideNext();
    while (deciding !== null) {
      const handOut = await deciding;
      // The next commit is on its way before the answers of this one are made.
      deciding = this.#decideNext();
      handOut();
    }
    this.#flushing = false;
  }

  /** Starts to decide on what is pending; gives what hands out the decisions. */
  #decideNext(): Promise<() => void> | null {
    if (this.#pending.length === 0) return null;
    const batch = this.#takeBatch();
    return this.#decide(batch).then(
      (admissions) => () => batch.forEach(({ resolve }, at) => resolve(admissions[at]!)),
      (error) => {
        this.#forget(batch);
        return () => batch.forEach(({ reject }) => reject(error));
      },
    );
  }

  /** The pending requests that fit into one commit: any number, of at most 100 keys. */
  #takeBatch(): Pending[] {
    const hashes = new Set<string>();
    const batch: Pending[] = [];
    const rest: Pending[] = [];
    for (const request of this.#pending) {
      if (hashes.size < BATCH || hashes.has(request.hash)) {
        hashes.add(request.hash);
        batch.push(request);
      } else rest.push(request);
    }
    this.#pending = rest;
    return batch;
  }

  async #decide(batch: Pending[]): Promise<(Admission | null)[]> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    while (performance.now() < giveUpAt) {
      if (this.#lacks(batch)) await patiently(() => this.#load(batch));
      const decided = this.#count(batch);
      if (await patiently(() => this.#settle(decided))) return decided.admissions;
      this.#forget(batch);
    }
    throw new ServiceError("serviceUnavailable", "The meter is busy; try again shortly.");
  }

  /** Reads what this instance has not seen yet: counters first, then what must not be older. */
  async #load(batch: Pending[]): Promise<void> {
    const hashes = [...new Set(batch.map(({ hash }) => hash))];
    const strange = hashes.filter((hash) => this.#brandOf.find(hash) === undefined);
    const found = await getEach<ApiKey>(this.#kv, strange.map(apiKeyKey));
    for (const [at, key] of found.entries()) {
      if (key !== null) this.#brandOf.set(strange[at]!, key.brandId);
    }
    const brandIds = new Set(hashes.flatMap((hash) => this.#brandOf.find(hash) ?? []));
    const fresh = [...brandIds].filter((brandId) => this.#known.find(brandId) === undefined);
    const counts = await getEntries<PackedCount>(this.#kv, fresh.map(countKey));
    const brands = await getEach<Brand>(this.#kv, fresh.map(brandKey));
    for (const [at, brandId] of fresh.entries()) {
      const { key, versionstamp, value } = counts[at]!;
      this.#known.set(brandId, {
        seen: { key, versionstamp },
        count: unpack(value),
        brand: brands[at]!,
        keys: new Map(),
      });
    }
    const unread = hashes.filter((hash) => this.#knownOf(hash)?.keys.has(hash) === false);
    const keys = await getEach<ApiKey>(this.#kv, unread.map(apiKeyKey));
    for (const [at, hash] of unread.entries()) this.#knownOf(hash)!.keys.set(hash, keys[at]!);
  }

  #lacks(batch: Pending[]): boolean {
    return batch.some(({ hash }) => this.#knownOf(hash)?.keys.has(hash) !== true);
  }

  #knownOf(hash: string): Known | undefined {
    const brandId = this.#brandOf.find(hash);
    return brandId === undefined ? undefined : this.#known.find(brandId);
  }

  #count(batch: Pending[]): Decided {
    const at = this.#now();
    const reliedOn = new Set<Seen>();
    const counts = new Map<Known, Count>();
    const admissions = batch.map(({ hash, cost }): Admission | null => {
      const known = this.#knownOf(hash);
      const key = known?.keys.get(hash);
      if (!known?.brand || !key || key.revokedAt !== null) return null;
      const { brand, seen, count } = known;
      reliedOn.add(seen);
      const before = turn(counts.get(known) ?? count, at);
      const decision = decide(before, this.#plans[brand.plan]!, cost, at);
      if (decision.count !== before) counts.set(known, decision.count);
      return { caller: { key, brand }, limits: decision.limits, refusal: decision.refusal };
    });
    return { admissions, reliedOn, counts };
  }

  /** Commits what was counted; true when everything the decisions relied on still held. */
  async #settle({ reliedOn, counts }: Decided): Promise<boolean> {
    if (counts.size === 0) return await unchanged(this.#kv, [...reliedOn]);
    const atomic = this.#kv.atomic();
    for (const seen of reliedOn) atomic.check(seen);
    for (const [{ seen }, count] of counts) atomic.set(seen.key, pack(count));
    const result = await atomic.commit();
    if (!result.ok) return false;
    for (const [known, count] of counts) {
      known.count = count;
      known.seen = { key: known.seen.key, versionstamp: result.versionstamp };
    }
    return true;
  }

  #forget(batch: Pending[]): void {
    for (const { hash } of batch) this.#known.delete(this.#brandOf.find(hash) ?? "");
  }

  #noteUse(key: ApiKey): void {
    const day = startOfDay(this.#now());
    if (this.#usedOn.find(key.id) === day) return;
    this.#usedOn.set(key.id, day);
    noteKeyUse(this.#kv, key.id, dayOf(day)).catch(() => this.#usedOn.delete(key.id));
  }
}

interface Decided {
  admissions: (Admission | null)[];
  reliedOn: Set<Seen>;
  counts: Map<Known, Count>;
}

function unauthorized(message: string): ServiceError {
  return new ServiceError("unauthorized", message);
}

/** Whether every entry still has the version that was seen. */
async function unchanged(kv: Deno.Kv, seen: Seen[]): Promise<boolean> {
  const current = await getEntries(kv, seen.map(({ key }) => key));
  return current.every(({ versionstamp }, at) => versionstamp === seen[at]!.versionstamp);
}
