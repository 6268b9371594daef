/**
 * Keeps the indexes of brands with many posts in the image store, as private files that only holders of
 * the secret can read. A file that is missing, damaged or of another format is as good as none.
 */
import { DAY, HOUR, MINUTE, SECOND } from "../foundation/calendar.ts";
import { within } from "../foundation/within.ts";
import { faultFields } from "../foundation/log.ts";
import { type Commit, transact } from "../kv/transact.ts";
import { keepFiles, reserveFiles } from "../media/storage/reservations.ts";
import {
  newPrivateName,
  PRIVATE_TYPE,
  privateKey,
  StorageError,
} from "../media/storage/storage.ts";
import { type Bytes, FORMAT } from "../posts/index/block.ts";
import type { IndexCopy } from "../posts/index/copy.ts";
import { PostIndex } from "../posts/index/post_index.ts";
import type { Current, IndexFiles, SavedIndex, SavedRow } from "../posts/index/saved.ts";
import { savedKey } from "../posts/index/saved.ts";
import { stepsInSlices } from "../posts/index/search.ts";
import { versionKey } from "../posts/records.ts";
import type { Service } from "./service.ts";

/** Listing fewer posts than this is quick. */
const LEAST_POSTS = 10_000;
/** An index is saved again after one change for so many of its posts, or after a day, but not sooner. */
const POSTS_A_CHANGE = 2_000;
const STALE_MS = DAY;
const LEAST_MS = 15 * MINUTE;
/** Longer than saving takes. Of a process that dies meanwhile, others wait so long for nothing. */
const SAVING_MS = 10 * MINUTE;
/** Whoever reads the files of the index before has ended by then. */
const REPLACED_MS = 10 * MINUTE;
/** Blocks that are read at once. */
const AHEAD = 4;
/** Whoever waits for a file so long had better list the posts. */
const PATIENCE_MS = 3 * SECOND;
/** Most files of an index: their names are in one value of the store. */
const MOST_BLOCKS = 500;

type Dependencies = Pick<
  Service,
  "kv" | "now" | "jobs" | "storage" | "secrets" | "log" | "stopping"
>;

export interface SavedIndexesOptions {
  leastPosts?: number;
  blockPosts?: number;
}

/** What this process knows of a brand's saved index. */
interface Known {
  saved: SavedIndex | null;
  isUsable: boolean;
  /** Instant, ms, before which nothing is tried. */
  retryAt: number;
}

/** The storage keys of an index's files. */
export function filesOfIndex({ name, blocks }: Pick<SavedIndex, "name" | "blocks">): string[] {
  return Array.from({ length: blocks }, (_, block) => privateKey(name, block));
}

export class SavedIndexes implements IndexFiles {
  readonly #service: Dependencies;
  readonly #leastPosts: number;
  readonly #blockPosts: number | undefined;
  readonly #known = new Map<string, Known>();
  /** One index at a time, so that their copies take little memory. */
  #saving: Promise<void> | null = null;

  constructor(service: Dependencies, options: SavedIndexesOptions = {}) {
    this.#service = service;
    this.#leastPosts = options.leastPosts ?? LEAST_POSTS;
    this.#blockPosts = options.blockPosts;
  }

  async load(brandId: string, saved: SavedIndex): Promise<PostIndex | null> {
    const known: Known = { saved, isUsable: false, retryAt: 0 };
    this.#known.set(brandId, known);
    if (saved.format !== FORMAT) return null;
    try {
      const index = await this.#read(brandId, saved);
      known.isUsable = true;
      return index;
    } catch (error) {
      // A store that does not answer now may do so later.
      known.isUsable = error instanceof StorageError;
      this.#service.log.warn("index.unusable", { brandId, ...faultFields(error) });
      return null;
    }
  }

  async #read(brandId: string, saved: SavedIndex): Promise<PostIndex> {
    const index = new PostIndex();
    const underWay: Promise<Bytes>[] = [];
    for (let block = 0, asked = 0; block < saved.blocks; block++) {
      for (; asked < Math.min(block + AHEAD, saved.blocks); asked++) {
        const read = this.#readBlock(brandId, saved, asked);
        read.catch(() => {}); // surfaces when it is awaited
        underWay.push(read);
      }
      const bytes = await underWay.shift();
      if (bytes !== undefined) await stepsInSlices(index, index.addBlock(bytes));
    }
    if (index.size !== saved.posts) throw new Error("A saved index has too few posts");
    index.trim();
    return index;
  }

  async #readBlock(brandId: string, saved: SavedIndex, block: number): Promise<Bytes> {
    const { storage, secrets } = this.#service;
    const key = privateKey(saved.name, block);
    const file = await within(PATIENCE_MS, storage.get(key));
    if (file === undefined) throw new StorageError();
    if (file === null) throw new Error("A file of a saved index is missing");
    return await secrets.openBytes(file.bytes, aboutBlock(brandId, saved, block));
  }

  offer(brandId: string, current: Current): void {
    if (this.#saving !== null || !this.#isWanted(brandId, current)) return;
    this.#saving = this.#save(brandId, current).catch((error) => {
      this.#service.log.warn("index.unsaved", { brandId, ...faultFields(error) });
    }).finally(() => this.#saving = null);
  }

  /** Resolves when nothing is being saved. */
  async idle(): Promise<void> {
    await this.#saving;
  }

  #isWanted(brandId: string, { index, version }: Current): boolean {
    if (index === null || index.size < this.#leastPosts) return false;
    const { saved, isUsable, retryAt } = this.#known.get(brandId) ?? NOTHING;
    const now = this.#service.now();
    if (now < retryAt) return false;
    if (saved === null || !isUsable) return true;
    const age = now - saved.savedAt;
    const changes = version - saved.version;
    if (changes <= 0 || age < LEAST_MS) return false;
    return changes > index.size / POSTS_A_CHANGE || age > STALE_MS;
  }

  async #save(brandId: string, current: Current): Promise<void> {
    const { kv, now } = this.#service;
    const known = this.#known.get(brandId) ?? NOTHING;
    const retry = { ...known, retryAt: now() + LEAST_MS };
    this.#known.set(brandId, retry);
    const { value } = await kv.get<SavedRow>(savedKey(brandId));
    if (value !== null && !isAsKnown(value, known)) {
      // Another process has saved it.
      if (value.saved !== null) this.#learn(brandId, value.saved);
      return;
    }
    const { index, version } = current;
    if (index === null || (value?.savingUntil ?? 0) > now()) return;
    const copy = await stepsInSlices(this, index.copy(this.#blockPosts).prepare());
    const { posts, blocks } = copy;
    const saved = {
      name: newPrivateName(),
      format: FORMAT,
      version,
      posts,
      blocks,
      savedAt: now(),
    };
    if (blocks > MOST_BLOCKS || !(await this.#write(brandId, saved, copy, known))) return;
    this.#learn(brandId, saved);
  }

  #learn(brandId: string, saved: SavedIndex): void {
    this.#known.set(brandId, { saved, isUsable: saved.format === FORMAT, retryAt: 0 });
  }

  /** Returns false if another process is writing or has written. */
  async #write(
    brandId: string,
    saved: SavedIndex,
    copy: IndexCopy,
    known: Known,
  ): Promise<boolean> {
    const { kv, storage, log } = this.#service;
    const begun = performance.now();
    const savingUntil = saved.savedAt + SAVING_MS;
    const reservation = await transact(
      kv,
      (commit) => this.#begin(commit, brandId, saved, savingUntil, known),
    );
    if (reservation === null) return false;
    try {
      const bytes = await this.#writeBlocks(brandId, saved, copy);
      await transact(kv, (commit) => this.#end(commit, brandId, saved, savingUntil, reservation));
      const ms = Math.round(performance.now() - begun);
      log.info("index.saved", { brandId, posts: saved.posts, bytes, ms });
      return true;
    } catch (error) {
      // Sooner than the reservation would do it, because the disk may be full.
      for (const key of filesOfIndex(saved)) await storage.delete(key);
      throw error;
    }
  }

  async #begin(
    commit: Commit,
    brandId: string,
    saved: SavedIndex,
    savingUntil: number,
    known: Known,
  ): Promise<string | null> {
    const row = await commit.get<SavedRow>(savedKey(brandId));
    const isFree = row === null || (isAsKnown(row, known) && row.savingUntil <= saved.savedAt);
    if (!isFree || !(await hasPosts(commit, brandId))) return null;
    commit.set(savedKey(brandId), { saved: row?.saved ?? null, savingUntil } satisfies SavedRow);
    const sweepAt = saved.savedAt + HOUR;
    return await reserveFiles(this.#service, commit, {
      ...{ brandId, keys: filesOfIndex(saved), sweepAt },
    });
  }

  /** Returns how many bytes were written. */
  async #writeBlocks(brandId: string, saved: SavedIndex, copy: IndexCopy): Promise<number> {
    const { storage, secrets, stopping } = this.#service;
    let written = 0;
    for (let block = 0; block < saved.blocks; block++) {
      stopping.throwIfAborted();
      const packed = await stepsInSlices(this, copy.pack(block));
      const bytes = await secrets.sealBytes(packed, aboutBlock(brandId, saved, block));
      await storage.put(privateKey(saved.name, block), { bytes, contentType: PRIVATE_TYPE });
      written += bytes.length;
    }
    return written;
  }

  /** Puts the index in place of the one before, whose files are swept later. */
  async #end(
    commit: Commit,
    brandId: string,
    saved: SavedIndex,
    savingUntil: number,
    reservation: string,
  ): Promise<void> {
    const row = await commit.get<SavedRow>(savedKey(brandId));
    if (row?.savingUntil !== savingUntil || !(await hasPosts(commit, brandId))) {
      throw new Error("A saved index came too late");
    }
    const keys = filesOfIndex(saved);
    await keepFiles(commit, brandId, reservation, keys);
    commit.set(savedKey(brandId), { saved, savingUntil: 0 } satisfies SavedRow);
    if (row.saved === null) return;
    const sweepAt = this.#service.now() + REPLACED_MS;
    const before = filesOfIndex(row.saved);
    await reserveFiles(this.#service, commit, { brandId, keys: before, sweepAt });
  }
}

const NOTHING: Known = { saved: null, isUsable: false, retryAt: 0 };

function isAsKnown({ saved }: SavedRow, known: Known): boolean {
  return saved?.name === known.saved?.name;
}

/** Whether the brand has posts: one that was deleted meanwhile has none. */
async function hasPosts(commit: Commit, brandId: string): Promise<boolean> {
  return await commit.get(versionKey(brandId)) !== null;
}

/** Whatever differs from what was saved, a block of another place in it for example, does not open. */
function aboutBlock(
  brandId: string,
  { name, format, version, posts, blocks }: SavedIndex,
  block: number,
): string {
  return ["index", format, brandId, name, version, posts, blocks, block].join("\n");
}
