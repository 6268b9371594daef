/**
 * The meter: who calls, and may they now? One decision on key, second and month, exact across
 * requests, keys and processes, by group commit: requests that arrive together, or while their
 * brand's commit is in flight, share the next one, and each commit checks the key and brand it
 * relied on, so that a revocation or a change of plan holds for the very next request.
 */
import { setImmediate } from "node:timers";
import { type ApiKey, apiKeyKey, hashSecret, noteKeyUse } from "../access.ts";
import { type Brand, brandKey } from "../brands.ts";
import { dayOf } from "../calendar.ts";
import type { Now } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import { patiently } from "../kv.ts";
import { type PlanLimits, PLANS } from "../plans.ts";
import { type Cost, type Count, decide, type Limits, turn, UNUSED } from "./count.ts";

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

const countKey = (brandId: string): Deno.KvKey => ["meter", brandId];

// A commit takes 100 checks: one for each key, two for each brand.
const BATCH = 33;
/** So that one is with the store while the answers of another are made. */
const COMMITS_IN_FLIGHT = 2;
const CACHED = 10_000;
const PATIENCE_MS = 10_000;

interface Pending {
  hash: string;
  cost: Cost;
  resolve(admission: Admission | null): void;
  reject(error: unknown): void;
}

type Entry<T> = Deno.KvEntryMaybe<T>;

/** Requests counted against the brand's quota in the month of `at`. */
export async function readMonth(kv: Deno.Kv, brandId: string, at: number): Promise<number> {
  const count = (await kv.get<Count>(countKey(brandId))).value ?? UNUSED;
  return turn(count, at).inMonth;
}

export interface MeterOptions {
  /** What each plan allows; benchmarks lift it. */
  plans?: Record<string, PlanLimits>;
}

export class Meter {
  readonly #kv: Deno.Kv;
  readonly #now: Now;
  readonly #plans: Record<string, PlanLimits>;
  readonly #keys = new Map<string, Entry<ApiKey>>();
  readonly #brands = new Map<string, Entry<Brand>>();
  readonly #counts = new Map<string, Entry<Count>>();
  readonly #usedOn = new Map<string, string>();
  #pending: Pending[] = [];
  /** Brands (or keys whose brand is not known yet) with a commit in flight. */
  readonly #busy = new Set<string>();
  #inFlight = 0;
  #scheduled = false;

  constructor(kv: Deno.Kv, now: Now, options: MeterOptions = {}) {
    this.#kv = kv;
    this.#now = now;
    this.#plans = options.plans ?? PLANS;
  }

  /**
   * Decides on one request.
   * @throws ServiceError `unauthorized` for a key that is malformed, unknown or revoked
   */
  async admit(secret: string | null, cost: Cost): Promise<Admission> {
    const hash = secret === null ? null : hashSecret(secret);
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

  /** Starts at the end of the event loop's turn: what was read together is counted together. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.#pending.length > 0 && this.#inFlight < COMMITS_IN_FLIGHT) {
      const batch = this.#takeBatch();
      if (batch.length === 0) return;
      void this.#answer(batch);
    }
  }

  async #answer(batch: Pending[]): Promise<void> {
    const lanes = new Set(batch.map(({ hash }) => this.#laneOf(hash)));
    for (const lane of lanes) this.#busy.add(lane);
    this.#inFlight++;
    try {
      const admissions = await this.#decide(batch);
      for (const [at, request] of batch.entries()) request.resolve(admissions[at]!);
    } catch (error) {
      this.#forget(batch);
      for (const request of batch) request.reject(error);
    }
    for (const lane of lanes) this.#busy.delete(lane);
    this.#inFlight--;
    if (this.#pending.length > 0) this.#schedule();
  }

  #laneOf(hash: string): string {
    return this.#keys.get(hash)?.value?.brandId ?? hash;
  }

  /** The pending requests that fit into one commit: any number, of at most 33 keys. */
  #takeBatch(): Pending[] {
    const hashes = new Set<string>();
    const batch: Pending[] = [];
    const rest: Pending[] = [];
    for (const request of this.#pending) {
      const free = !this.#busy.has(this.#laneOf(request.hash));
      if (free && (hashes.size < BATCH || hashes.has(request.hash))) {
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
      await patiently(() => this.#load(batch));
      const decided = this.#count(batch);
      if (await patiently(() => this.#settle(decided))) return decided.admissions;
      this.#forget(batch);
    }
    throw new ServiceError("serviceUnavailable", "The meter is busy; try again shortly.");
  }

  /** Reads what this instance has not seen yet: keys, then their brands and counts. */
  async #load(batch: Pending[]): Promise<void> {
    await loadInto(this.#kv, this.#keys, batch.map((r) => r.hash), apiKeyKey);
    const brandIds = new Set<string>();
    for (const { hash } of batch) {
      const key = this.#keys.get(hash)?.value;
      if (key) brandIds.add(key.brandId);
    }
    await Promise.all([
      loadInto(this.#kv, this.#brands, brandIds, brandKey),
      loadInto(this.#kv, this.#counts, brandIds, countKey),
    ]);
  }

  #count(batch: Pending[]): Decided {
    const at = this.#now();
    const checks = new Set<Entry<unknown>>();
    const counts = new Map<string, Count>();
    const admissions = batch.map(({ hash, cost }): Admission | null => {
      const keyEntry = this.#keys.get(hash)!;
      checks.add(keyEntry);
      const key = keyEntry.value;
      if (key === null || key.revokedAt !== null) return null;
      const brandEntry = this.#brands.get(key.brandId)!;
      const brand = brandEntry.value;
      if (brand === null) return null;
      checks.add(brandEntry);
      const stored = this.#counts.get(brand.id)!.value ?? UNUSED;
      const before = turn(counts.get(brand.id) ?? stored, at);
      const decision = decide(before, this.#plans[brand.plan]!, cost, at);
      if (decision.count !== before) counts.set(brand.id, decision.count);
      return { caller: { key, brand }, limits: decision.limits, refusal: decision.refusal };
    });
    return { admissions, checks, counts };
  }

  /** Commits what was counted; true when everything the decisions relied on still held. */
  async #settle({ checks, counts }: Decided): Promise<boolean> {
    if (counts.size === 0) return await unchanged(this.#kv, [...checks]);
    const atomic = this.#kv.atomic();
    for (const entry of checks) atomic.check(entry);
    for (const [brandId, count] of counts) {
      const entry = this.#counts.get(brandId)!;
      atomic.check(entry).set(entry.key, count);
    }
    const result = await atomic.commit();
    if (!result.ok) return false;
    for (const [brandId, value] of counts) {
      const key = countKey(brandId);
      remember(this.#counts, brandId, { key, value, versionstamp: result.versionstamp });
    }
    return true;
  }

  #forget(batch: Pending[]): void {
    for (const { hash } of batch) {
      const brandId = this.#keys.get(hash)?.value?.brandId;
      this.#keys.delete(hash);
      if (brandId === undefined) continue;
      this.#brands.delete(brandId);
      this.#counts.delete(brandId);
    }
  }

  #noteUse(key: ApiKey): void {
    const day = dayOf(this.#now());
    if (this.#usedOn.get(key.id) === day) return;
    remember(this.#usedOn, key.id, day);
    noteKeyUse(this.#kv, key.id, day).catch(() => this.#usedOn.delete(key.id));
  }
}

interface Decided {
  admissions: (Admission | null)[];
  checks: Set<Entry<unknown>>;
  counts: Map<string, Count>;
}

function unauthorized(message: string): ServiceError {
  return new ServiceError("unauthorized", message);
}

/** Whether every entry still has its versionstamp. */
async function unchanged(kv: Deno.Kv, entries: Entry<unknown>[]): Promise<boolean> {
  for (let at = 0; at < entries.length; at += 10) {
    const chunk = entries.slice(at, at + 10);
    const current = await kv.getMany(chunk.map((entry) => entry.key));
    if (current.some((entry, i) => entry.versionstamp !== chunk[i]!.versionstamp)) return false;
  }
  return true;
}

async function loadInto<T>(
  kv: Deno.Kv,
  cache: Map<string, Entry<T>>,
  ids: Iterable<string>,
  keyOf: (id: string) => Deno.KvKey,
): Promise<void> {
  const missing = [...new Set(ids)].filter((id) => !cache.has(id));
  for (let at = 0; at < missing.length; at += 10) {
    const chunk = missing.slice(at, at + 10);
    const entries = await kv.getMany<T[]>(chunk.map(keyOf));
    for (const [i, id] of chunk.entries()) remember(cache, id, entries[i]!);
  }
}

/** Keeps the most recently learned entries, at most 10,000. */
function remember<T>(cache: Map<string, T>, id: string, value: T): void {
  cache.delete(id);
  cache.set(id, value);
  if (cache.size > CACHED) cache.delete(cache.keys().next().value!);
}
