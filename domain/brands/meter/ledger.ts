/** What this instance has cached of keys, brands and their counts. */
import { type ApiKey, apiKeyKey } from "../keys.ts";
import { type Brand, brandKey } from "../brands.ts";
import { LruCache } from "../../foundation/lru.ts";
import { getEach, getEntries } from "../../kv/transact.ts";
import { type Count, countKey, type PackedCount, unpack } from "./count.ts";
import { marksOf } from "./marks.ts";

/**
 * What is cached for a brand. The count is read first, and revoking a key or changing the brand also
 * writes it. So while the count's `changes` are the same, the rest is current.
 */
export interface Known {
  readonly brandId: string;
  readonly brand: Brand | null;
  readonly keys: Map<string, ApiKey | null>;
  /** The version of the count that was read. */
  versionstamp: string | null;
  count: Count;
  /** The latest commit of each writer that this version of the count contains. */
  marks: Uint32Array;
}

export class Ledger {
  readonly #kv: Deno.Kv;
  /** Hash of a key → its brand, which never changes. */
  readonly #brandOf: LruCache<string, string>;
  readonly #known: LruCache<string, Known>;

  /** @param cached how many brands and keys are kept; at least as many as a batch has */
  constructor(kv: Deno.Kv, cached: number) {
    this.#kv = kv;
    this.#brandOf = new LruCache(cached);
    this.#known = new LruCache(cached);
  }

  /** Names the brand of a key, or the key itself while its brand is not known. */
  groupOf(hash: string): string {
    return this.#brandOf.get(hash) ?? hash;
  }

  find(hash: string): Known | undefined {
    const brandId = this.#brandOf.get(hash);
    return brandId === undefined ? undefined : this.#known.get(brandId);
  }

  /** What is cached of those of the brands that are. */
  cachedOf(brandIds: Iterable<string>): Known[] {
    return [...brandIds].flatMap((brandId) => this.#known.get(brandId) ?? []);
  }

  lacks(hashes: Iterable<string>): boolean {
    return [...hashes].some((hash) => this.find(hash)?.keys.has(hash) !== true);
  }

  forget(hashes: Iterable<string>): void {
    for (const hash of hashes) this.#known.delete(this.#brandOf.get(hash) ?? "");
  }

  /**
   * Reads the counts of cached brands again. A brand that has itself changed is forgotten, so that
   * `load` reads all of it. Returns the marks of each count that has changed, by brand.
   */
  async refresh(cached: readonly Known[]): Promise<Map<string, Uint32Array>> {
    const counts = await this.#readCounts(cached.map(({ brandId }) => brandId));
    const changed = new Map<string, Uint32Array>();
    for (const [index, known] of cached.entries()) {
      const { value = null, versionstamp = null } = counts[index] ?? {};
      if (versionstamp === known.versionstamp) continue;
      const [count, marks] = [unpack(value), marksOf(value)];
      changed.set(known.brandId, marks);
      const isCurrent = count.changes !== null && count.changes === known.count.changes;
      if (isCurrent) Object.assign(known, { count, marks, versionstamp });
      else this.#known.delete(known.brandId);
    }
    return changed;
  }

  /** Reads what is not cached: counts first, because keys and brands must not be older than they. */
  async load(hashes: readonly string[]): Promise<void> {
    const strange = hashes.filter((hash) => this.#brandOf.get(hash) === undefined);
    const found = await getEach<ApiKey>(this.#kv, strange.map(apiKeyKey));
    for (const [index, hash] of strange.entries()) {
      const key = found[index];
      if (key) this.#brandOf.set(hash, key.brandId);
    }
    const brandIds = new Set(hashes.flatMap((hash) => this.#brandOf.get(hash) ?? []));
    const fresh = [...brandIds].filter((brandId) => this.#known.get(brandId) === undefined);
    const counts = await this.#readCounts(fresh);
    const brands = await getEach<Brand>(this.#kv, fresh.map(brandKey));
    for (const [index, { value, versionstamp }] of counts.entries()) {
      const brandId = fresh[index] ?? "";
      this.#known.set(brandId, {
        brandId,
        brand: brands[index] ?? null,
        keys: new Map(),
        versionstamp,
        count: unpack(value),
        marks: marksOf(value),
      });
    }
    const unread = hashes.filter((hash) => this.find(hash)?.keys.has(hash) === false);
    const keys = await getEach<ApiKey>(this.#kv, unread.map(apiKeyKey));
    for (const [index, hash] of unread.entries()) {
      this.find(hash)?.keys.set(hash, keys[index] ?? null);
    }
  }

  #readCounts(brandIds: readonly string[]): Promise<Deno.KvEntryMaybe<PackedCount>[]> {
    return getEntries<PackedCount>(this.#kv, brandIds.map(countKey));
  }
}
