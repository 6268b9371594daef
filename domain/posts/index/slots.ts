/** The index's data of each post, in columns. A slot never changes: a changed post gets a new slot. */
import { foldHashtag } from "../fold.ts";
import { type StoredPost, toPost } from "../records.ts";
import type { PostSort } from "../query.ts";
import type { Post } from "../shape.ts";
import type { Block, Label } from "./block.ts";
import { Column } from "./column.ts";
import { Texts } from "./texts.ts";
import { Words } from "./words.ts";

/** Approximate bytes of an id, of a label with its list, and of an entry there. */
const ID_BYTES = 56;
const LABEL_BYTES = 100;
const ENTRY_BYTES = 8;
/** Approximate bytes of an entry of the map that is made when a post is replaced. */
const MAPPED_BYTES = 40;
/** So many posts are read again in a moment. */
const FEW = 500;
/** Labels between two steps of adding a block. */
const LABELS_STEP = 64;

type LabelSlots = Map<string, number | number[]>;

export class Slots {
  /** Slot → post id. */
  readonly ids: string[] = [];
  readonly json = new Texts();
  readonly words = new Words(() => this.#unread());
  readonly columns: Record<PostSort, Column> = {
    published: new Column(),
    views: new Column(),
    impressions: new Column(),
    clicks: new Column(),
    comments: new Column(),
    engagementRate: new Column(),
  };
  /** Value → slots, ascending; a single slot without a list, because most hashtags are used once. */
  readonly #labels: Record<Label, LabelSlots> = {
    platform: new Map(),
    format: new Map(),
    hashtag: new Map(),
  };
  #labelCount = 0;
  #labelEntries = 0;
  /** Slot → what its JSON does not show of its text, until `words` has it. */
  readonly #covers = new Map<number, string>();
  /** Post id → its latest slot; null until a post is replaced for the first time. */
  #slotOf: Map<string, number> | null = null;

  get count(): number {
    return this.ids.length;
  }

  /** The number of slots whose post has a newer slot. */
  get dead(): number {
    return this.#slotOf === null ? 0 : this.ids.length - this.#slotOf.size;
  }

  get published(): Column {
    return this.columns.published;
  }

  get bytes(): number {
    const columns = Object.values(this.columns).reduce((sum, column) => sum + column.bytes, 0);
    const labels = this.#labelCount * LABEL_BYTES + this.#labelEntries * ENTRY_BYTES;
    const mapped = (this.#slotOf?.size ?? 0) * MAPPED_BYTES;
    const covers = this.#covers.size * LABEL_BYTES;
    return this.count * ID_BYTES + columns + labels + mapped + covers + this.json.bytes +
      this.words.bytes;
  }

  /** Adds a post and returns the former slot of its id, or null if the id is new. */
  put(post: StoredPost): number | null {
    this.#slotOf ??= new Map(this.ids.map((id, slot) => [id, slot]));
    const before = this.#slotOf.get(post.id) ?? null;
    this.#slotOf.set(post.id, this.ids.length);
    this.append(post);
    return before;
  }

  /** Adds a post whose id is new. */
  append(post: StoredPost): void {
    const slot = this.ids.length;
    const shown = toPost(post);
    const { metrics } = shown;
    this.ids.push(post.id);
    this.json.add(JSON.stringify(shown));
    this.#addWords(slot, post);
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

  /** Releases the capacity that is not in use, at the end of a build. */
  trim(): void {
    for (const column of Object.values(this.columns)) column.trim();
    this.json.trim();
    this.words.trim();
    for (const slotsOf of Object.values(this.#labels)) {
      for (const [value, slots] of slotsOf) {
        if (typeof slots !== "number") slotsOf.set(value, slots.slice());
      }
    }
  }

  /** The texts of few posts are read from their JSON at the first search, because most never come to it. */
  #addWords(slot: number, { title, caption, coverText }: StoredPost): void {
    if (slot >= FEW) {
      this.words.catchUp();
      this.words.add(searched(title, caption, coverText));
    } else if (coverText) this.#covers.set(slot, coverText);
  }

  *#unread(): Generator<string> {
    const end = Math.min(this.count, FEW);
    for (let slot = this.words.count; slot < end; slot++) {
      const { title, caption }: Post = JSON.parse(this.json.read(slot));
      yield searched(title, caption, this.#covers.get(slot) ?? null);
    }
    this.#covers.clear();
  }

  /** Adds the posts of a block, whose ids are new, in steps. */
  *add({ ids, labels, numbers, json, texts }: Block): Generator<void, this> {
    const first = this.count;
    for (const id of ids) this.ids.push(id);
    this.json.addRun(json.bytes, json.lengths);
    this.words.addFolded(texts.bytes, texts.lengths);
    yield;
    for (const [at, column] of Object.values(this.columns).entries()) {
      for (let post = 0; post < ids.length; post++) column.add(numbers[at * ids.length + post]!);
    }
    yield;
    for (const [at, [label, value, posts]] of labels.entries()) {
      for (const post of posts) this.#label(first + post, label, value);
      if (at % LABELS_STEP === 0) yield;
    }
    return this;
  }

  /** Slots of the posts with a label, dead ones included. */
  labelled(label: Label, value: string): readonly number[] {
    return listOf(this.#labels[label].get(value) ?? []);
  }

  /** Every label with the slots of its posts. */
  *allLabelled(): Generator<[Label, string, readonly number[]]> {
    for (const [label, slotsOf] of Object.entries(this.#labels) as [Label, LabelSlots][]) {
      for (const [value, slots] of slotsOf) yield [label, value, listOf(slots)];
    }
  }

  /** The slots in use. */
  live(): Uint32Array {
    if (this.#slotOf !== null) return Uint32Array.from(this.#slotOf.values());
    const slots = new Uint32Array(this.count);
    for (let slot = 0; slot < slots.length; slot++) slots[slot] = slot;
    return slots;
  }

  #label(slot: number, label: Label, value: string): void {
    const slots = this.#labels[label].get(value);
    this.#labelEntries++;
    if (slots === undefined) {
      this.#labels[label].set(value, slot);
      this.#labelCount++;
    } else if (typeof slots === "number") this.#labels[label].set(value, [slots, slot]);
    else slots.push(slot);
  }
}

function searched(title: string | null, caption: string, coverText: string | null): string {
  return `${title ?? ""} ${caption} ${coverText ?? ""}`;
}

function listOf(slots: number | number[]): readonly number[] {
  return typeof slots === "number" ? [slots] : slots;
}
