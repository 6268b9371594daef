/** What the index keeps of each post, in columns. A slot is never rewritten: a changed post takes a new one. */
import { foldHashtag } from "../hashtags.ts";
import { type StoredPost, toPost } from "../records.ts";
import type { PostSort } from "../query.ts";
import { JsonBytes } from "./bytes.ts";
import { Words } from "./words.ts";

/** Numbers in a growing typed array; NaN stands for a missing one. */
export class Column {
  #values = new Float64Array(256);
  #length = 0;

  add(value: number): void {
    if (this.#length === this.#values.length) {
      this.#values = new Float64Array(this.#values.buffer.transfer(this.#length * 16));
    }
    this.#values[this.#length++] = value;
  }

  at(slot: number): number {
    return this.#values[slot]!;
  }

  get bytes(): number {
    return this.#values.byteLength;
  }
}

/** What posts are filtered by as a whole; hashtags folded. */
export type Label = "platform" | "format" | "hashtag";

/** An id, and a place in the list of each of some labels; in bytes about. */
const SLOT_BYTES = 150;

export class Slots {
  /** Slot → post id. */
  readonly ids: string[] = [];
  readonly json = new JsonBytes();
  readonly words = new Words();
  readonly columns: Record<PostSort, Column> = {
    published: new Column(),
    views: new Column(),
    impressions: new Column(),
    clicks: new Column(),
    comments: new Column(),
    engagementRate: new Column(),
  };
  /** Value → slots, ascending. */
  readonly #labels: Record<Label, Map<string, number[]>> = {
    platform: new Map(),
    format: new Map(),
    hashtag: new Map(),
  };
  /** Post id → its latest slot; null while no post has been put in the place of another. */
  #slotOf: Map<string, number> | null = null;

  get count(): number {
    return this.ids.length;
  }

  /** Slots whose post has moved on. */
  get dead(): number {
    return this.#slotOf === null ? 0 : this.ids.length - this.#slotOf.size;
  }

  get published(): Column {
    return this.columns.published;
  }

  get bytes(): number {
    const columns = Object.values(this.columns).reduce((sum, column) => sum + column.bytes, 0);
    return this.count * SLOT_BYTES + columns + this.json.capacity + this.words.bytes;
  }

  /** Adds a post, in the place of the one with its id; answers that one's slot, or null. */
  put(post: StoredPost): number | null {
    this.#slotOf ??= new Map(this.ids.map((id, slot) => [id, slot]));
    const before = this.#slotOf.get(post.id) ?? null;
    this.#slotOf.set(post.id, this.ids.length);
    this.append(post);
    return before;
  }

  /** Adds a post whose id is not there yet. */
  append(post: StoredPost): void {
    const slot = this.ids.length;
    const shown = toPost(post);
    const { metrics } = shown;
    this.ids.push(post.id);
    this.json.add(JSON.stringify(shown));
    this.words.add(`${post.title ?? ""} ${post.caption} ${post.coverText ?? ""}`);
    this.columns.published.add(Date.parse(post.publishedAt));
    this.columns.views.add(metrics.views);
    this.columns.impressions.add(metrics.impressions);
    this.columns.clicks.add(metrics.clicks ?? NaN);
    this.columns.comments.add(metrics.comments);
    this.columns.engagementRate.add(metrics.engagementRate);
    this.#label(slot, "platform", post.platform);
    this.#label(slot, "format", post.format);
    for (const tag of post.hashtags) this.#label(slot, "hashtag", foldHashtag(tag));
  }

  /** Slots of the posts that carry a label, dead ones among them. */
  labelled(label: Label, value: string): readonly number[] {
    return this.#labels[label].get(value) ?? [];
  }

  /** The slots in use. */
  live(): Uint32Array {
    return Uint32Array.from(this.#slotOf?.values() ?? this.ids.keys());
  }

  #label(slot: number, label: Label, value: string): void {
    const slots = this.#labels[label].get(value);
    if (slots === undefined) this.#labels[label].set(value, [slot]);
    else slots.push(slot);
  }
}
