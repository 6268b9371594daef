/** Keeps in-memory indexes of the brands whose posts are being read, and keeps them up to date. */
import type { Now } from "../../foundation/calendar.ts";
import { paginate } from "../../foundation/paging.ts";
import { newestIds, newestPosts } from "../by_date.ts";
import type { PostQuery } from "../query.ts";
import { build, patch } from "./build.ts";
import type { PostIndex, PostPage } from "./post_index.ts";
import { type IndexFiles, type SavedIndex, savedKey, type SavedRow } from "./saved.ts";
import { type StoredPost, toPost, versionKey, versionsKey } from "../records.ts";

/**
 * How long versions that were read from the store are trusted, ms. An `admin` process takes longer to
 * end after its last write, so whoever waits for it sees what it wrote.
 */
const TRUSTED_MS = 50;
/** Memory for all indexes where none is given. */
const MEMORY_BYTES = 512 * 1024 * 1024;
/** Building an index of so few posts takes no longer than reading a page of them twice. */
const FEW_POSTS = 500;
/** What building any index costs beside reading its posts, in posts. */
const BUILD_POSTS = 500;
/** A brand's index, or null before it is built. */
interface Held {
  readonly brandId: string;
  index: PostIndex | null;
  /** The index's memory when it was last counted. */
  bytes: number;
  /** How many posts there were at the last first page from the store; Infinity before. */
  total: number;
  /** The number of reads of all brands up to the last one of this brand. */
  readAt: number;
  version: number;
  /** The stamp of all versions when this one was read. */
  stamp: Stamp;
  /** Whether this process has written posts since the version was read. */
  stale: boolean;
  /** The update in progress, shared by all requests that wait for it. */
  catchingUp: Promise<void> | null;
}

/** The versionstamp of all brands' versions together; undefined before it was first read. */
type Stamp = string | null | undefined;

export interface PostIndexesOptions {
  memoryBytes?: number;
  /** Where finished indexes are kept; absent: nowhere. */
  files?: IndexFiles;
}

/** Whether a query asks for the first page in the order of the keys by date. */
function isNewestFirst(query: PostQuery): boolean {
  const { page, sort, dir, q, from, to, platform, format, hashtag } = query;
  return page === 1 && sort === "published" && dir === "desc" &&
    [q, from, to, platform, format, hashtag].every((filter) => filter === undefined);
}

export class PostIndexes {
  readonly #kv: Deno.Kv;
  readonly #now: Now;
  readonly #files: IndexFiles | null;
  #memoryBytes: number;
  readonly #held = new Map<string, Held>();
  /** The counted memory of all that is held. */
  #bytes = 0;
  /** Reads of any brand. */
  #reads = 0;
  #stamp: Stamp;
  #stampAt = -Infinity;
  #looking: Promise<void> | null = null;

  constructor(kv: Deno.Kv, now: Now, options: PostIndexesOptions = {}) {
    this.#kv = kv;
    this.#now = now;
    this.#files = options.files ?? null;
    this.#memoryBytes = options.memoryBytes ?? MEMORY_BYTES;
  }

  /** Changes the memory for all indexes. They shrink when one of them is counted next. */
  keepWithin(bytes: number): void {
    this.#memoryBytes = bytes;
  }

  /** How many brands' indexes are in memory. */
  get size(): number {
    return this.#held.size;
  }

  /**
   * Notes posts that this process has written. An index at the version before takes them at once; any
   * other one is marked as stale, so its next reader updates it.
   */
  wrote(brandId: string, version: number, posts: readonly StoredPost[]): void {
    const held = this.#held.get(brandId);
    if (held === undefined) return;
    const { index, catchingUp } = held;
    if (index === null || index.worn || catchingUp !== null || held.version !== version - 1) {
      held.stale = true;
      return;
    }
    for (const post of posts) index.put(post);
    held.version = version;
    this.#count(held);
  }

  /**
   * A page of the brand's posts. While there is no index, a first page without filters comes from the
   * store: at once, however many posts there are. The second such request has an index built.
   */
  async page(brandId: string, query: PostQuery): Promise<PostPage> {
    const held = this.#held.get(brandId);
    if (!held?.index && (held?.total ?? Infinity) > FEW_POSTS && isNewestFirst(query)) {
      const first = await this.#firstPage(brandId, query);
      if (first !== null) return first;
    }
    // Without a promise where none is needed, because most requests come here.
    const index = this.#fresh(held) ?? await this.of(brandId);
    return query.q === undefined ? index.page(query) : await index.search(query);
  }

  async #firstPage(brandId: string, { perPage }: PostQuery): Promise<PostPage | null> {
    const found = await newestPosts(this.#kv, brandId, perPage);
    if (found === null) return null;
    const { posts, total } = found;
    const isFirst = !this.#held.has(brandId);
    this.#hold(brandId).total = total;
    // The error surfaces at the next request that needs the index.
    if (!isFirst && total > FEW_POSTS) this.of(brandId).catch(() => {});
    return { data: posts.map(toPost), pagination: paginate(1, perPage, total) };
  }

  /** Ids of at most `most` posts published at or after `from` (instant, ms), newest first. */
  async newest(brandId: string, from: number, most: number): Promise<string[]> {
    const isBuilt = this.#held.get(brandId)?.index != null;
    const ids = isBuilt ? null : await newestIds(this.#kv, brandId, from, most);
    return ids ?? (await this.of(brandId)).newest(from, most);
  }

  /** The brand's index: never behind this process, and at most a moment behind others. */
  async of(brandId: string): Promise<PostIndex> {
    const held = this.#hold(brandId);
    // An update that is joined may have begun before a write that the reader knows of. A second
    // update can't have.
    for (let round = 0; round < 2 && !this.#isFresh(held); round++) {
      held.catchingUp ??= this.#catchUp(brandId, held).finally(() => {
        held.catchingUp = null;
        this.#count(held);
      });
      await held.catchingUp;
    }
    if (held.index === null) throw new Error("Cannot read posts: their index was not built");
    return held.index;
  }

  #fresh(held: Held | undefined): PostIndex | null {
    if (held === undefined || !this.#isFresh(held)) return null;
    held.readAt = ++this.#reads;
    return held.index;
  }

  #hold(brandId: string): Held {
    let held = this.#held.get(brandId);
    if (held === undefined) {
      const fresh = { index: null, version: 0, stamp: undefined, stale: false, catchingUp: null };
      this.#held.set(brandId, held = { ...fresh, brandId, bytes: 0, total: Infinity, readAt: 0 });
    }
    held.readAt = ++this.#reads;
    return held;
  }

  #isFresh({ index, stale, stamp }: Held): boolean {
    return index !== null && !stale && stamp === this.#stamp && this.#hasLooked();
  }

  #hasLooked(): boolean {
    return Math.abs(this.#now() - this.#stampAt) < TRUSTED_MS;
  }

  /** Reads the stamp of all versions, once for all brands whose readers wait. */
  async #look(): Promise<void> {
    const at = this.#now();
    this.#stamp = (await this.#kv.get(versionsKey)).versionstamp;
    this.#stampAt = at;
  }

  async #catchUp(brandId: string, held: Held): Promise<void> {
    if (!this.#hasLooked()) {
      await (this.#looking ??= this.#look().finally(() => this.#looking = null));
    }
    if (!this.#isFresh(held)) await this.#update(brandId, held);
    this.#files?.offer(brandId, held);
  }

  async #update(brandId: string, held: Held): Promise<void> {
    held.stale = false;
    const stamp = this.#stamp;
    const { version, saved } = await this.#readVersion(brandId, held.index === null);
    if (held.index === null || held.version !== version) {
      await this.#renew(brandId, held, version, saved);
    }
    held.stamp = stamp;
  }

  /** The brand's version and, for a process without an index, the saved one; in one call. */
  async #readVersion(brandId: string, isCold: boolean) {
    if (!isCold || this.#files === null) {
      const { value } = await this.#kv.get<number>(versionKey(brandId));
      return { version: value ?? 0, saved: null };
    }
    const keys = [versionKey(brandId), savedKey(brandId)] as const;
    const [version, row] = await this.#kv.getMany<[number, SavedRow]>(keys);
    return { version: version.value ?? 0, saved: row.value?.saved ?? null };
  }

  async #renew(
    brandId: string,
    held: Held,
    version: number,
    saved: SavedIndex | null,
  ): Promise<void> {
    let [index, from] = [held.index, held.version];
    try {
      if (index === null && saved !== null && this.#files !== null) {
        [index, from] = [await this.#files.load(brandId, saved), saved.version];
      }
      const isPatched = index !== null && await patch(this.#kv, brandId, index, [from, version]);
      held.index = isPatched ? index : await build(this.#kv, brandId);
    } catch (error) {
      held.index = null;
      throw error;
    }
    held.version = version;
  }

  /** Counts an index's memory again. Its caches grow while it is read. */
  #count(held: Held): void {
    if (this.#held.get(held.brandId) !== held) return;
    const bytes = held.index?.bytes ?? 0;
    this.#bytes += bytes - held.bytes;
    held.bytes = bytes;
    while (this.#bytes > this.#memoryBytes && this.#release(this.#leastWorth()));
  }

  /**
   * The index whose memory buys least: many bytes, cheap to build again, and other brands were read
   * often since it was read. Null if there is none beside the one that was just read.
   */
  #leastWorth(): Held | null {
    let [least, most]: [Held | null, number] = [null, 0];
    for (const held of this.#held.values()) {
      if (held.index === null) continue;
      const idle = this.#reads - held.readAt;
      const waste = idle * held.bytes / (BUILD_POSTS + held.index.size);
      if (waste > most) [least, most] = [held, waste];
    }
    return least;
  }

  /** Releases an index's caches, or if it has none, the index. Returns false if there is no index. */
  #release(held: Held | null): boolean {
    if (held === null || held.index === null) return false;
    const full = held.index.bytes;
    held.index.shed();
    const { bytes } = held.index;
    const isShed = bytes < full;
    this.#bytes += (isShed ? bytes : 0) - held.bytes;
    if (isShed) held.bytes = bytes;
    else this.#held.delete(held.brandId);
    return true;
  }
}
