/**
 * The meter: decides on each request by its key and the brand's limits of the second and the month.
 * It is exact across requests, keys and processes. Requests that arrive together, or while their
 * brand's commit is in flight, share the next commit. Each commit checks the brands' counters.
 * Revoking a key and changing a plan write them, too, so both take effect for the very next request.
 */
import { type ApiKey, apiKeyKey, hashSecret, noteKeyUse } from "../keys.ts";
import { dayOf, type Now, SECOND, startOfDay } from "../../foundation/calendar.ts";
import { ServiceError } from "../../foundation/errors.ts";
import { LruCache } from "../../foundation/lru.ts";
import { limitsOf } from "../../kv/limits.ts";
import { remoteOf } from "../../kv/remote.ts";
import { retryWhileLocked } from "../../kv/transact.ts";
import { type Plan, type PlanLimits, PLANS } from "../plans.ts";
import {
  type Admission,
  type BatchParts,
  commitBatch,
  countBatch,
  type Moved,
  type Pending,
} from "./batch.ts";
import { type Cost, countKey, type PackedCount, turn, unpack } from "./count.ts";
import { Ledger } from "./ledger.ts";
import { newWriter } from "./marks.ts";

export type { Admission, Caller } from "./batch.ts";

/** Brands and keys that are cached, the most recently used ones. Must be more than a batch has. */
const CACHED = 10_000;
/** How long a request waits while other processes keep changing its brand's count, ms. */
const PATIENCE_MS = 4 * SECOND;
/** Commits in flight to a store over the network, each of other brands. A file takes one at a time. */
const REMOTE_COMMITS = 8;
/** From so many commits in flight on, only a full one is started: one of few brands costs as much. */
const PARTLY_FILLED = 2;
/** After a commit of a brand that another process writes too, the other gets this long, ms. */
const YIELD_MS = 3;
/** How long a brand counts as written by others after a conflict, ms. */
const CONTENDED_MS = 10 * SECOND;

/** The number of requests counted against the brand's quota in the month of `at`. */
export async function readMonth(kv: Deno.Kv, brandId: string, at: number): Promise<number> {
  const { value } = await kv.get<PackedCount>(countKey(brandId));
  return turn(unpack(value), at).inMonth;
}

export interface MeterOptions {
  /** The plans' limits; benchmarks raise them. */
  plans?: Record<Plan, PlanLimits>;
  /** How many brands and keys are cached; at least as many as a batch has. */
  cached?: number;
}

export class Meter {
  readonly #kv: Deno.Kv;
  readonly #now: Now;
  readonly #ledger: Ledger;
  readonly #parts: BatchParts;
  readonly #commitsAtOnce: number;
  /** Secret → its hash. Hashing is the slowest part of checking a key. */
  readonly #hashes: LruCache<string, string>;
  /** Key → the UTC day on which its use was last noted, as the day's first instant. */
  readonly #usedOn: LruCache<string, number>;
  readonly #writer = newWriter();
  #commits = 0;
  /** Requests that wait, by brand. */
  readonly #waiting = new Map<string, Pending[]>();
  /** Brands with a commit in flight, or that yield to another process. */
  readonly #busy = new Set<string>();
  /** Brands that another process has written → until when they count as such, real time. */
  readonly #contended: LruCache<string, number>;
  #inFlight = 0;
  #scheduled = false;

  constructor(kv: Deno.Kv, now: Now, options: MeterOptions = {}) {
    const { plans = PLANS, cached = CACHED } = options;
    this.#kv = kv;
    this.#now = now;
    this.#ledger = new Ledger(kv, cached);
    this.#parts = { kv, ledger: this.#ledger, now, plans };
    this.#commitsAtOnce = remoteOf(kv) === null ? 1 : REMOTE_COMMITS;
    this.#hashes = new LruCache(cached);
    this.#usedOn = new LruCache(cached);
    this.#contended = new LruCache(cached);
  }

  /**
   * Decides on one request.
   * @throws ServiceError `unauthorized` for a key that is missing, malformed, unknown or revoked
   */
  async admit(secret: string | null, cost: Cost): Promise<Admission> {
    const hash = secret === null ? null : this.#hashes.get(secret) ?? await this.#hash(secret);
    if (hash === null) {
      throw unauthorized(secret === null ? "Send an API key." : "Unknown, revoked or expired key.");
    }
    const admission = await new Promise<Admission | null>((resolve, reject) => {
      this.#enqueue({ hash, cost, resolve, reject });
    });
    if (admission === null) throw unauthorized("Unknown, revoked or expired key.");
    this.#noteUse(admission.caller.key);
    return admission;
  }

  /** Whether the key is known, so that no stranger's body is read. Only `admit` is exact. */
  async knows(secret: string | null): Promise<boolean> {
    const hash = secret === null ? null : this.#hashes.get(secret) ?? await this.#hash(secret);
    if (hash === null) return false;
    const cached = this.#ledger.find(hash)?.keys.get(hash);
    if (cached?.revokedAt === null) return true;
    const { value: key } = await this.#kv.get<ApiKey>(apiKeyKey(hash));
    return key?.revokedAt === null;
  }

  /** Caches well-formed secrets only, so that arbitrary input can't fill the cache. */
  async #hash(secret: string): Promise<string | null> {
    const hash = await hashSecret(secret);
    if (hash !== null) this.#hashes.set(secret, hash);
    return hash;
  }

  /** Starts at the end of the event loop's turn, so that requests read together share a commit. */
  #enqueue(pending: Pending): void {
    const group = this.#ledger.groupOf(pending.hash);
    const waiting = this.#waiting.get(group);
    if (waiting === undefined) this.#waiting.set(group, [pending]);
    else waiting.push(pending);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#startNext();
    });
  }

  #startNext(): void {
    while (this.#inFlight < this.#commitsAtOnce) {
      const batch = this.#takeBatch();
      if (batch.length === 0) return;
      void this.#settle(batch);
    }
  }

  /** Takes the requests of as many idle brands as one commit checks; none when it is better to wait. */
  #takeBatch(): Pending[] {
    const most = limitsOf(this.#kv).checks;
    const groups = new Set<string>();
    for (const group of this.#waiting.keys()) {
      if (groups.size === most) break;
      if (!this.#busy.has(group)) groups.add(group);
    }
    if (groups.size < most && this.#inFlight >= PARTLY_FILLED) return [];
    const batch: Pending[] = [];
    for (const group of groups) {
      batch.push(...this.#waiting.get(group) ?? []);
      this.#waiting.delete(group);
      this.#busy.add(group);
    }
    return batch;
  }

  /** Decides on the requests, as often as it takes until their brands hold still. Never rejects. */
  async #settle(batch: Pending[], isFresh = false): Promise<void> {
    this.#inFlight++;
    const groups = new Set(batch.map(({ hash }) => this.#ledger.groupOf(hash)));
    try {
      const giveUpAt = performance.now() + PATIENCE_MS;
      if (!isFresh) await this.#refreshContended(groups);
      while (performance.now() < giveUpAt) {
        const hashes = [...new Set(batch.map(({ hash }) => hash))];
        if (this.#ledger.lacks(hashes)) {
          await retryWhileLocked(() => this.#ledger.load(hashes));
          batch = this.#claim(batch, groups);
          if (batch.length === 0) return this.#end(groups, () => {});
        }
        const counted = countBatch(this.#parts, batch);
        const mark = { writer: this.#writer, commit: this.#commits++ };
        const moved = await commitBatch(this.#parts, counted, mark);
        if (moved.size === 0) {
          return this.#end(groups, () => {
            for (const [index, { resolve }] of batch.entries()) {
              resolve(counted.admissions[index] ?? null);
            }
          });
        }
        this.#noteMoved(moved);
        if (moved.size < counted.counts.size) return this.#split(batch, groups, moved);
      }
      throw new ServiceError("serviceUnavailable", "The service is busy. Try again shortly.");
    } catch (error) {
      this.#ledger.forget(batch.map(({ hash }) => hash));
      this.#end(groups, () => batch.forEach(({ reject }) => reject(error)));
    }
  }

  /**
   * A key's brand is known only now. Its later requests wait for this commit, too. Where the brand has
   * another commit in flight, these requests wait for that one: two at a time could hide each other's
   * marks, and one whose answer is lost would be counted twice.
   */
  #claim(batch: Pending[], groups: Set<string>): Pending[] {
    const others = new Set([...this.#busy].filter((group) => !groups.has(group)));
    return batch.filter((pending) => {
      const group = this.#ledger.groupOf(pending.hash);
      if (others.has(group)) {
        this.#waiting.set(group, [...this.#waiting.get(group) ?? [], pending]);
        return false;
      }
      groups.add(group);
      this.#busy.add(group);
      return true;
    });
  }

  /** Reads what others have probably counted meanwhile: else the commit would be refused for it. */
  async #refreshContended(groups: Set<string>): Promise<void> {
    const at = performance.now();
    const contended = [...groups].filter((group) => (this.#contended.get(group) ?? 0) > at);
    if (contended.length === 0) return;
    await retryWhileLocked(() => this.#ledger.refresh(this.#ledger.cachedOf(contended)));
  }

  #noteMoved(moved: Moved): void {
    const until = performance.now() + CONTENDED_MS;
    for (const brandId of moved) this.#contended.set(brandId, until);
  }

  /** Brands that have moved cost only themselves: the others commit without them. */
  #split(batch: Pending[], groups: Set<string>, moved: Moved): void {
    const { held = [], others = [] } = Object.groupBy(
      batch,
      ({ hash }) => moved.has(this.#ledger.groupOf(hash)) ? "held" : "others",
    );
    this.#inFlight--;
    // Keys of one brand that were strange to each other may have been two groups until now.
    const named = new Set(batch.map(({ hash }) => this.#ledger.groupOf(hash)));
    for (const group of groups) if (!named.has(group)) this.#busy.delete(group);
    for (const part of [held, others]) void this.#settle(part, true);
  }

  /** Starts the next commit before the answers of this one are made. */
  #end(groups: Set<string>, handOut: () => void): void {
    this.#inFlight--;
    for (const group of groups) this.#release(group);
    this.#startNext();
    handOut();
  }

  #release(group: string): void {
    const until = this.#contended.get(group);
    if (until === undefined) {
      this.#busy.delete(group);
      return;
    }
    if (until < performance.now()) this.#contended.delete(group);
    setTimeout(() => {
      this.#busy.delete(group);
      this.#startNext();
    }, Math.random() * YIELD_MS);
  }

  #noteUse(key: ApiKey): void {
    const day = startOfDay(this.#now());
    if (this.#usedOn.get(key.id) === day) return;
    this.#usedOn.set(key.id, day);
    noteKeyUse(this.#kv, key.id, dayOf(day)).catch(() => this.#usedOn.delete(key.id));
  }
}

function unauthorized(message: string): ServiceError {
  return new ServiceError("unauthorized", message);
}
