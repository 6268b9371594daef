/** One brand's posts in memory: filters, searches, sorts and pages them without reading the store. */
import { DAY } from "../../foundation/calendar.ts";
import { paginate, type Pagination } from "../../foundation/paging.ts";
import { LruCache } from "../../foundation/lru.ts";
import { renderedList } from "../../foundation/json.ts";
import { isRepeated, type Repeated } from "../../foundation/repeats.ts";
import { words } from "../fold.ts";
import { foldHashtag } from "../fold.ts";
import type { PostQuery, PostSelection } from "../query.ts";
import type { StoredPost } from "../records.ts";
import type { Post } from "../shape.ts";
import { type Bits, countBits, hasBit, intersect, noBits, rangeBits, setBit } from "./bits.ts";
import { type Bytes, type Label, unpack } from "./block.ts";
import { IndexCopy } from "./copy.ts";
import { inSlices, WordSearch } from "./search.ts";
import { Slots } from "./slots.ts";
import { type SortedRows, Table } from "./table.ts";

export interface PostPage {
  data: Post[];
  pagination: Pagination;
}

type Filter = Pick<PostQuery, "q" | "from" | "to" | "platform" | "format" | "hashtag">;

/** The posts that match a filter. */
interface Selection {
  bits: Bits;
  total: number;
  /** By sort and direction. */
  sorted: Map<string, SortedRows>;
}

const SELECTIONS = 256;
const PAGES = 256;
/** With more bytes of pages than this, all are released, so that one brand does not push out others. */
const KEPT_BYTES = 16 * 1024 * 1024;
/** Approximate bytes of an empty index, of a set of rows beside its bits, and of a page beside its JSON. */
const EMPTY_BYTES = 6_000;
const SET_BYTES = 800;
const PAGE_BYTES = 1_000;
/** Bits are cached for labels on more posts than this. For fewer, making them anew is cheap. */
const KEPT_LABEL = 512;
/** With more dead slots, and a larger share of them, a new index is cheaper than keeping this one. */
const DEAD_SLOTS = 250;
const DEAD_SHARE = 0.5;

export class PostIndex {
  readonly #slots = new Slots();
  #table: Table | null = null;
  readonly #selections = new LruCache<string, Selection>(SELECTIONS);
  readonly #labelBits = new Map<string, Bits>();
  #search = new WordSearch(this.#slots.words);
  /**
   * Finished pages, by the query object itself: faces hand in the same object for a repeated query.
   * Null until the second request, because many queries are sent once.
   */
  readonly #pages = new LruCache<PostQuery, PostPage | null>(PAGES);
  /**
   * Bytes of the pages kept since the last change, twice: each exists as made and as the answer, and
   * half as many again for its compressed forms.
   */
  #keptBytes = 0;

  /** Approximate memory in use. */
  get bytes(): number {
    const sets = this.#selections.size + this.#labelBits.size + this.#search.size;
    const bits = sets * (SET_BYTES + this.#slots.count / 8);
    return EMPTY_BYTES + this.#slots.bytes + bits + this.#keptBytes + (this.#table?.bytes ?? 0);
  }

  /** Whether so many posts have changed that the index should be built anew. */
  get worn(): boolean {
    return this.#slots.dead > DEAD_SLOTS && this.#slots.dead > this.#slots.count * DEAD_SHARE;
  }

  get size(): number {
    return this.#slots.count - this.#slots.dead;
  }

  /** Adds a post, or replaces its former state. */
  put(post: StoredPost): void {
    const before = this.#slots.put(post);
    if (this.#table === null) return;
    const isKept = before !== null && this.#table.replace(before, this.#slots.count - 1);
    if (!isKept) this.#table = null;
    this.#clearResults();
  }

  /** Releases what the next request can make again from the posts in memory. */
  shed(): void {
    this.#table = null;
    this.#search = new WordSearch(this.#slots.words);
    this.#clearResults();
  }

  #clearResults(): void {
    this.#selections.clear();
    this.#pages.clear();
    this.#keptBytes = 0;
    this.#labelBits.clear();
  }

  /** Adds a post to an index that is being built. Its id must be new. */
  append(post: StoredPost): void {
    this.#slots.append(post);
  }

  /** Ends a build: releases the memory that was reserved for more posts. */
  trim(): void {
    this.#slots.trim();
  }

  /** The posts as they are now, to be saved in blocks of at most `blockPosts`. */
  copy(blockPosts?: number): IndexCopy {
    return new IndexCopy(this.#slots, blockPosts);
  }

  /** Adds a saved block to an index that is being built, in steps. @throws when it is no block */
  addBlock(block: Bytes): Generator<void, object> {
    return this.#slots.add(unpack(block));
  }

  /** Ids of at most `most` posts published at or after `from` (instant, ms), newest first. */
  newest(from: number, most: number): string[] {
    const table = this.#tableNow();
    const slots = table.slotOf.subarray(0, Math.min(most, table.firstBefore(from)));
    return Array.from(slots, (slot) => this.#slots.ids[slot]!);
  }

  /**
   * The page of a query with free text. What takes long is done in short slices, so that other requests
   * are served in between.
   */
  async search(query: PostQuery): Promise<PostPage> {
    const kept = this.#pages.get(query as Repeated<PostQuery>);
    return kept ?? await this.#searched(query, (found) => this.page(query, found));
  }

  /**
   * The slots of all posts that match, in order. Slots never change, so `texts` reads the same posts
   * from them at any time.
   */
  async select(selection: PostSelection): Promise<Uint32Array> {
    return await this.#searched(selection, (found) => {
      const selected = this.#select(selection, found);
      const rows = this.#sort(selected, selection).slice(0, selected.total);
      const { slotOf } = this.#tableNow();
      return Uint32Array.from(rows, (row) => slotOf[row]!);
    });
  }

  /** The posts in these slots as JSON. */
  texts(slots: Uint32Array): string[] {
    return Array.from(slots, (slot) => this.#slots.json.read(slot));
  }

  /** Calls `finish` with the slots of the posts that have the words of `q`, which may take slices. */
  async #searched<T extends object>(
    { q }: PostSelection,
    finish: (found?: Bits) => T,
  ): Promise<T> {
    const searched = words(q ?? "");
    if (searched.length === 0) return finish();
    const find = this.#search.of(searched);
    return await inSlices(this, (endsAt) => {
      if (this.#table === null) {
        this.#tableNow();
        return null;
      }
      const found = find(endsAt);
      return found === null ? null : finish(found);
    });
  }

  /** @param found the slots of the posts with the words of `q`; absent: they are searched at once */
  page(query: PostQuery, found?: Bits): PostPage {
    const kept = this.#pages.get(query as Repeated<PostQuery>);
    if (kept) return kept;
    const selection = this.#select(query, found);
    const pagination = paginate(query.page, query.perPage, selection.total);
    const json = this.#render(selection, query, pagination);
    const page = renderedList<Post>(json, pagination);
    if (!isRepeated(query)) return page;
    if (this.#keptBytes > KEPT_BYTES) {
      this.#pages.clear();
      this.#keptBytes = 0;
    }
    this.#pages.set(query, kept === undefined ? null : page);
    if (kept === null) this.#keptBytes += PAGE_BYTES + 2.5 * json.length;
    return page;
  }

  #render(
    selection: Selection,
    query: PostQuery,
    pagination: Pagination,
  ): Uint8Array<ArrayBuffer> {
    const start = (query.page - 1) * query.perPage;
    const rows = this.#sort(selection, query).slice(start, start + query.perPage);
    const { slotOf } = this.#tableNow();
    return this.#slots.json.join(
      '{"data":[',
      Array.from(rows, (row) => slotOf[row]!),
      `],"pagination":${JSON.stringify(pagination)}}`,
    );
  }

  #tableNow(): Table {
    return this.#table ??= new Table(this.#slots);
  }

  #sort(selection: Selection, { sort, dir }: PostSelection): SortedRows {
    const name = `${sort} ${dir}`;
    let sorted = selection.sorted.get(name);
    if (sorted === undefined) {
      sorted = this.#tableNow().sorted(selection.bits, selection.total, sort, dir);
      selection.sorted.set(name, sorted);
    }
    return sorted;
  }

  #select({ q, from, to, platform, format, hashtag }: Filter, found?: Bits): Selection {
    const name = JSON.stringify([q, from, to, platform, format, hashtag]);
    return this.#selections.getOrMake(name, () => {
      const bits = this.#between(from, to);
      if (platform !== undefined) intersect(bits, this.#labelled("platform", platform));
      if (format !== undefined) intersect(bits, this.#labelled("format", format));
      if (hashtag !== undefined) {
        intersect(bits, this.#labelled("hashtag", foldHashtag(hashtag)));
      }
      const searched = found ?? this.#search.of(words(q ?? ""))(Infinity);
      if (searched !== null) intersect(bits, this.#rowsIn(searched));
      return { bits, total: countBits(bits), sorted: new Map() };
    });
  }

  /** Whole UTC days, both inclusive. */
  #between(from: string | undefined, to: string | undefined): Bits {
    const table = this.#tableNow();
    const start = to === undefined ? 0 : table.firstBefore(Date.parse(to) + DAY);
    const end = from === undefined ? table.rows : table.firstBefore(Date.parse(from));
    return rangeBits(table.rows, start, end);
  }

  #labelled(label: Label, value: string): Bits {
    const name = `${label} ${value}`;
    const kept = this.#labelBits.get(name);
    if (kept !== undefined) return kept;
    const slots = this.#slots.labelled(label, value);
    const bits = this.#rowsOf((found) => slots.forEach(found));
    if (slots.length > KEPT_LABEL) this.#labelBits.set(name, bits);
    return bits;
  }

  /** The rows of the posts in these slots. */
  #rowsIn(slots: Bits): Bits {
    const { rows, slotOf } = this.#tableNow();
    const bits = noBits(rows);
    for (let row = 0; row < rows; row++) if (hasBit(slots, slotOf[row]!)) setBit(bits, row);
    return bits;
  }

  #rowsOf(each: (found: (slot: number) => void) => void): Bits {
    const table = this.#tableNow();
    const bits = noBits(table.rows);
    each((slot) => {
      const row = table.rowOf(slot);
      if (row >= 0) setBit(bits, row);
    });
    return bits;
  }
}
