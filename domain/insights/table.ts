/**
 * What insights need of one brand's posts, in memory: what each post had at fixed ages, its hashtags,
 * and the gains of each day. Histories are kept packed, so that a changed post's former gains can be
 * taken away again.
 */
import { HOUR } from "../foundation/calendar.ts";
import { LruCache } from "../foundation/lru.ts";
import { Column } from "../posts/index/column.ts";
import { foldHashtag } from "../posts/fold.ts";
import type { StoredPost } from "../posts/records.ts";
import { Platform, PostFormat, type Reading } from "../posts/shape.ts";
import { AGES, EQUAL_AGE, valueAtAge } from "./age.ts";
import { DayGains } from "./gains.ts";
import { type History, type Metric, METRICS, toHistory, valueOf } from "./history.ts";
import { pack, unpack } from "./packed.ts";
import { Grid, Pool } from "./pool.ts";
import type { Turn } from "./slices.ts";

/** A post's platform and format as one number. */
export type Kind = number;
const FORMATS = PostFormat.options.length;
export const KINDS = Platform.options.length * FORMATS;
export const platformOf = (kind: Kind): number => Math.floor(kind / FORMATS);
export const formatOf = (kind: Kind): number => kind % FORMATS;
export const STORY = PostFormat.options.indexOf("story");
export const kindOf = ({ platform, format }: Pick<StoredPost, "platform" | "format">): Kind =>
  Platform.options.indexOf(platform) * FORMATS + PostFormat.options.indexOf(format);

export const EQUAL_AGE_AT = AGES.indexOf(EQUAL_AGE);

/** Approximate bytes of a post's id with its entry in the map, of a hashtag, and of a kept result. */
const ID_BYTES = 100;
const TAG_BYTES = 100;
const RESULT_BYTES = 20_000;
const RESULTS = 64;

export class InsightTable {
  /** Post id → row. */
  readonly #rows = new Map<string, number>();
  readonly published = new Column();
  readonly kinds = new Column();
  readonly #ages = new Grid(AGES.length);
  readonly #histories = new Pool(Uint8Array);
  readonly #tags = new Pool(Uint32Array);
  readonly #tagNumbers = new Map<string, number>();
  /** Number → hashtag, folded. */
  readonly tagNames: string[] = [];
  readonly gains = new DayGains();
  /** What was computed from this state, by the question. */
  readonly #results = new LruCache<string, object>(RESULTS);
  /** How often a post has changed. */
  #changes = 0;

  get size(): number {
    return this.#rows.size;
  }

  /** Approximate memory in use. */
  get bytes(): number {
    return this.size * ID_BYTES + this.tagNames.length * TAG_BYTES + this.published.bytes +
      this.kinds.bytes + this.#ages.bytes + this.#histories.bytes + this.#tags.bytes +
      this.gains.bytes + this.#results.size * RESULT_BYTES;
  }

  rowOf(id: string): number | undefined {
    return this.#rows.get(id);
  }

  /** What a post had at an age of `AGES`; NaN if its readings don't tell it. */
  at(row: number, age: number): number {
    return this.#ages.at(row, age);
  }

  tagsOf(row: number): ArrayLike<number> {
    return this.#tags.at(row);
  }

  /** Whether any of the post's readings has the number. */
  hasEver(row: number, metric: Metric): boolean {
    const history = unpack(this.#histories.at(row));
    const place = METRICS.indexOf(metric);
    return history.at.some((_, reading) => !Number.isNaN(valueOf(history, reading, place)));
  }

  /** Adds a post without its readings, at the build. */
  add(post: StoredPost): number {
    const known = this.#rows.get(post.id);
    if (known !== undefined) return known;
    const row = this.#rows.size;
    this.#rows.set(post.id, row);
    this.published.add(Date.parse(post.publishedAt));
    this.kinds.add(kindOf(post));
    this.#ages.add();
    this.#histories.set(row, pack({ at: [], values: [] }));
    this.#tags.set(row, this.#tagsFrom(post));
    return row;
  }

  /** Adds a post or replaces its former state, with all its readings. */
  put(post: StoredPost, readings: readonly Reading[]): void {
    const row = this.#rows.get(post.id) ?? this.add(post);
    this.#count(row, unpack(this.#histories.at(row)), -1);
    this.published.put(row, Date.parse(post.publishedAt));
    this.kinds.put(row, kindOf(post));
    this.#tags.set(row, this.#tagsFrom(post));
    this.setReadings(row, readings);
    this.#results.clear();
    this.#changes++;
  }

  /** The readings of a post that has none yet. */
  setReadings(row: number, readings: readonly Reading[]): void {
    const history = toHistory(readings);
    this.#count(row, history, 1);
    this.#histories.set(row, pack(history));
    const format = PostFormat.options[formatOf(this.kinds.at(row))] ?? "image";
    for (const [age, hours] of AGES.entries()) {
      const value = valueAtAge(history, this.published.at(row), hours * HOUR, format);
      this.#ages.set(row, age, value);
    }
  }

  /** Gives back the memory of rows that were replaced. */
  async compact(turn: Turn): Promise<void> {
    await this.#histories.compact(turn);
    await this.#tags.compact(turn);
  }

  /** A result that stays the same until a post changes. */
  async result<T extends object>(name: string, make: () => Promise<T> | T): Promise<T> {
    const kept = this.#results.get(name);
    // Each name is used by one question, whose results are of one type.
    if (kept !== undefined) return kept as T;
    const changes = this.#changes;
    const made = await make();
    if (changes === this.#changes) this.#results.set(name, made);
    return made;
  }

  #count(row: number, history: History, sign: 1 | -1): void {
    this.gains.count(platformOf(this.kinds.at(row)), this.published.at(row), history, sign);
  }

  #tagsFrom({ hashtags }: StoredPost): Uint32Array {
    return Uint32Array.from(new Set(hashtags.map(foldHashtag)), (tag) => {
      let number = this.#tagNumbers.get(tag);
      if (number === undefined) {
        this.#tagNumbers.set(tag, number = this.tagNames.length);
        this.tagNames.push(tag);
      }
      return number;
    });
  }
}
