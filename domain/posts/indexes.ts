/** The in-memory indexes of the brands whose posts are being read, as fresh as the store. */
import type { Now } from "../clock.ts";
import { listValues } from "../kv.ts";
import { PostIndex } from "./index/post_index.ts";
import {
  changeKey,
  isSplit,
  postPrefix,
  type PostValue,
  readPosts,
  readWhole,
  type StoredPost,
  versionKey,
  versionsKey,
} from "./records.ts";

/**
 * How long the brands' versions are taken to stand without a look at the store, ms: shorter than
 * `admin` takes to end after it has written, so that who waits for it reads what it wrote.
 */
const TRUSTED_MS = 50;
const LIST_BATCH = 500;
/** Memory for all indexes; the least recently read go first. */
const MEMORY_BYTES = 512 * 1024 * 1024;

interface Held {
  index: PostIndex | null;
  version: number;
  /** The stamp of all versions when this one was read. */
  stamp: Stamp;
  /** This process has written since the version was read. */
  stale: boolean;
  /** The look at the store under way, shared by all who wait. */
  catchingUp: Promise<void> | null;
}

/** The versionstamp of all brands' versions together; undefined before the first look. */
type Stamp = string | null | undefined;

export interface PostIndexesOptions {
  memoryBytes?: number;
}

export class PostIndexes {
  readonly #kv: Deno.Kv;
  readonly #now: Now;
  readonly #memoryBytes: number;
  /** Least recently read first. */
  readonly #held = new Map<string, Held>();
  #stamp: Stamp;
  #stampAt = -Infinity;
  #looking: Promise<void> | null = null;

  constructor(kv: Deno.Kv, now: Now, options: PostIndexesOptions = {}) {
    this.#kv = kv;
    this.#now = now;
    this.#memoryBytes = options.memoryBytes ?? MEMORY_BYTES;
  }

  /** How many brands' indexes are in memory. */
  get size(): number {
    return this.#held.size;
  }

  /** This process has written posts: an index that stood just before has them, others look at once. */
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
    this.#evict();
  }

  /** The brand's index: a moment behind other processes at most, and never behind this one. */
  async of(brandId: string): Promise<PostIndex> {
    const held = this.#hold(brandId);
    // The look that is joined may have begun before a write that the reader knows of; another not.
    for (let look = 0; look < 2 && !this.#isFresh(held); look++) {
      held.catchingUp ??= this.#catchUp(brandId, held).finally(() => held.catchingUp = null);
      await held.catchingUp;
    }
    return held.index!;
  }

  #hold(brandId: string): Held {
    const held = this.#held.get(brandId) ??
      { index: null, version: 0, stamp: undefined, stale: false, catchingUp: null };
    this.#held.delete(brandId);
    this.#held.set(brandId, held);
    return held;
  }

  #isFresh({ index, stale, stamp }: Held): boolean {
    return index !== null && !stale && stamp === this.#stamp && this.#hasLooked();
  }

  #hasLooked(): boolean {
    return Math.abs(this.#now() - this.#stampAt) < TRUSTED_MS;
  }

  /** One look for all brands whose readers wait. */
  async #look(): Promise<void> {
    const at = this.#now();
    this.#stamp = (await this.#kv.get(versionsKey)).versionstamp;
    this.#stampAt = at;
  }

  async #catchUp(brandId: string, held: Held): Promise<void> {
    if (!this.#hasLooked()) {
      await (this.#looking ??= this.#look().finally(() => this.#looking = null));
    }
    if (this.#isFresh(held)) return;
    held.stale = false;
    const stamp = this.#stamp;
    const version = (await this.#kv.get<number>(versionKey(brandId))).value ?? 0;
    if (held.index === null || held.version !== version) await this.#renew(brandId, held, version);
    held.stamp = stamp;
  }

  async #renew(brandId: string, held: Held, version: number): Promise<void> {
    try {
      if (held.index === null || !(await this.#patch(brandId, held.index, held.version, version))) {
        held.index = await build(this.#kv, brandId);
      }
    } catch (error) {
      held.index = null;
      throw error;
    }
    held.version = version;
    this.#evict();
  }

  /** Puts what changed between two versions into the index; false when a new one is called for. */
  async #patch(brandId: string, index: PostIndex, from: number, to: number): Promise<boolean> {
    if (index.worn || to < from) return false;
    const changes = await listValues<string[]>(this.#kv, ["postChange", brandId], {
      start: changeKey(brandId, from + 1),
    });
    if (changes.length < to - from) return false;
    const ids = [...new Set(changes.flat())];
    if (ids.length > 1_000 && ids.length > index.size / 4) return false;
    for (const post of await readPosts(this.#kv, brandId, ids)) if (post !== null) index.put(post);
    return true;
  }

  #evict(): void {
    let bytes = 0;
    for (const [brandId, { index }] of [...this.#held].reverse()) {
      if (index === null) continue;
      bytes += index.bytes;
      if (bytes > this.#memoryBytes && bytes > index.bytes) this.#held.delete(brandId);
    }
  }
}

/** Reads all of the brand's posts in one list. */
async function build(kv: Deno.Kv, brandId: string): Promise<PostIndex> {
  const index = new PostIndex();
  const idAt = postPrefix(brandId).length;
  for await (const entries of batchesOf<PostValue>(kv, postPrefix(brandId))) {
    for (const { key, value } of entries) {
      if (key.length > idAt + 1) continue;
      const post = isSplit(value) ? await readWhole(kv, brandId, String(key[idAt])) : value;
      if (post !== null) index.append(post);
    }
  }
  return index;
}

/** The entries under `prefix` in portions; the store reads the next while one is worked on. */
async function* batchesOf<T>(
  kv: Deno.Kv,
  prefix: Deno.KvKey,
): AsyncGenerator<Deno.KvEntry<T>[]> {
  const read = async (cursor: string) => {
    const limits = { limit: LIST_BATCH, batchSize: LIST_BATCH };
    const list = kv.list<T>({ prefix }, cursor === "" ? limits : { ...limits, cursor });
    return { entries: await Array.fromAsync(list), cursor: list.cursor };
  };
  let next = read("");
  for (;;) {
    const { entries, cursor } = await next;
    if (entries.length < LIST_BATCH) return yield entries;
    next = read(cursor);
    // Its fault is met when it is awaited, should the work on this portion get that far.
    next.catch(() => {});
    yield entries;
  }
}
