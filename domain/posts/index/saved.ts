/** A finished index outside of this process, so that another one need not list all posts. */
import type { PostIndex } from "./post_index.ts";

export interface SavedIndex {
  /** Names its files. */
  name: string;
  /** `FORMAT` of the program that wrote it. */
  format: number;
  /** The brand's version that it has at least. */
  version: number;
  posts: number;
  blocks: number;
  /** Instant, ms. */
  savedAt: number;
}

/** What the store has of it. */
export interface SavedRow {
  saved: SavedIndex | null;
  /** Until this instant (ms) nobody begins to save, because a process is doing so. */
  savingUntil: number;
}

export const savedKey = (brandId: string): Deno.KvKey => ["savedIndex", brandId];

/** An index with the version that it has at least. */
export interface Current {
  readonly index: PostIndex | null;
  readonly version: number;
}

export interface IndexFiles {
  /** The index as it was saved; null if its files can't be used. */
  load(brandId: string, saved: SavedIndex): Promise<PostIndex | null>;
  /** Saves the index in the background if that is worth it. `current` changes meanwhile. */
  offer(brandId: string, current: Current): void;
}
