/** One brand's posts in memory: filters, free text, sorts and pages without a look at the store. */
import { DAY } from "../../calendar.ts";
import { paginate, type Pagination } from "../../paging.ts";
import { Recent } from "../../recent.ts";
import { renderedList } from "../../rendered.ts";
import { words } from "../fold.ts";
import { foldHashtag } from "../hashtags.ts";
import type { PostQuery } from "../query.ts";
import type { StoredPost } from "../records.ts";
import type { Post } from "../shape.ts";
import { type Bits, countBits, intersect, noBits, rangeBits, setBit } from "./bits.ts";
import { type Label, Slots } from "./slots.ts";
import { type SortedRows, Table } from "./table.ts";

export interface PostPage {
  data: Post[];
  pagination: Pagination;
}

type Filter = Pick<PostQuery, "q" | "from" | "to" | "platform" | "format" | "hashtag">;

/** The posts that a filter lets through. */
interface Selection {
  bits: Bits;
  total: number;
  /** By sort and direction. */
  sorted: Map<string, SortedRows>;
}

const SELECTIONS = 256;
const PAGES = 256;
const WORDS = 256;
/** How long other requests wait for a search to be prepared, ms. */
const SLICE_MS = 5;
/** Labels on fewer posts are turned into bits faster than looked up. */
const KEPT_LABEL = 512;
/** Dead slots beyond this share of all make a fresh index cheaper than patching on. */
const DEAD_SHARE = 0.5;

export class PostIndex {
  readonly #slots = new Slots();
  #table: Table | null = null;
  readonly #selections = new Recent<string, Selection>(SELECTIONS);
  readonly #labelBits = new Map<string, Bits>();
  readonly #wordBits = new Recent<string, Bits>(WORDS);
  /** Ready answers, by the query itself: one that repeats comes as the same object. */
  readonly #pages = new Recent<PostQuery, PostPage>(PAGES);
  /** The largest of them. */
  #pageBytes = 0;

  /** Memory in use, about. */
  get bytes(): number {
    const sets = this.#selections.size + this.#labelBits.size + this.#wordBits.size;
    const bits = sets * this.#slots.count / 8;
    // A page, and the answer that it is cloned from.
    const pages = this.#pages.size * this.#pageBytes * 2;
    return this.#slots.bytes + bits + pages + (this.#table?.bytes ?? 0);
  }

  /** Whether so much has changed that the index should be built anew. */
  get worn(): boolean {
    return this.#slots.dead > 1_000 && this.#slots.dead > this.#slots.count * DEAD_SHARE;
  }

  get size(): number {
    return this.#slots.count - this.#slots.dead;
  }

  /** Adds a post, or puts it in the place of its former state. */
  put(post: StoredPost): void {
    const before = this.#slots.put(post);
    if (this.#table === null) return;
    const isKept = before !== null && this.#table.replace(before, this.#slots.count - 1);
    if (!isKept) this.#table = null;
    this.#selections.clear();
    this.#pages.clear();
    this.#pageBytes = 0;
    this.#labelBits.clear();
    this.#wordBits.clear();
  }

  /** Adds a post to an index that is being built: one whose id is not there yet. */
  append(post: StoredPost): void {
    this.#slots.append(post);
  }

  /**
   * Makes the index ready for free text, which takes about a second per 100,000 posts; in between
   * others are served. A page asks for it by itself where nobody has, and all at once.
   */
  async prepareSearch(): Promise<void> {
    while (!this.#slots.words.prepare(SLICE_MS)) await new Promise((done) => setTimeout(done));
  }

  /** Ids of the posts published at or after `from` (instant, ms), newest first, at most `most`. */
  newest(from: number, most: number): string[] {
    const table = this.#tableNow();
    const rows = table.slotOf.subarray(0, Math.min(most, table.firstBefore(from)));
    return Array.from(rows, (slot) => this.#slots.ids[slot]!);
  }

  page(query: PostQuery): PostPage {
    return this.#pages.get(query, () => this.#render(query));
  }

  #render(query: PostQuery): PostPage {
    const selection = this.#select(query);
    const start = (query.page - 1) * query.perPage;
    const rows = this.#sort(selection, query).slice(start, start + query.perPage);
    const { slotOf } = this.#tableNow();
    const pagination = paginate(query.page, query.perPage, selection.total);
    const json = this.#slots.json.join(
      '{"data":[',
      Array.from(rows, (row) => slotOf[row]!),
      `],"pagination":${JSON.stringify(pagination)}}`,
    );
    this.#pageBytes = Math.max(this.#pageBytes, json.length);
    return renderedList<Post>(json, pagination);
  }

  #tableNow(): Table {
    return this.#table ??= new Table(this.#slots);
  }

  #sort(selection: Selection, { sort, dir }: PostQuery): SortedRows {
    const name = `${sort} ${dir}`;
    let sorted = selection.sorted.get(name);
    if (sorted === undefined) {
      sorted = this.#tableNow().sorted(selection.bits, selection.total, sort, dir);
      selection.sorted.set(name, sorted);
    }
    return sorted;
  }

  #select({ q, from, to, platform, format, hashtag }: Filter): Selection {
    const name = JSON.stringify([q, from, to, platform, format, hashtag]);
    return this.#selections.get(name, () => {
      const bits = this.#between(from, to);
      if (platform !== undefined) intersect(bits, this.#labelled("platform", platform));
      if (format !== undefined) intersect(bits, this.#labelled("format", format));
      if (hashtag !== undefined) {
        intersect(bits, this.#labelled("hashtag", foldHashtag(hashtag)));
      }
      for (const word of new Set(words(q ?? ""))) intersect(bits, this.#holding(word));
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

  #holding(word: string): Bits {
    return this.#wordBits.get(
      word,
      () => this.#rowsOf((found) => this.#slots.words.find(word, found)),
    );
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
