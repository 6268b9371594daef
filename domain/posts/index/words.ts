/**
 * Free-text search. A searched word matches any text that contains it. Folded texts are searched as
 * they are, until much text has been cut into tokens: a word has no white space, so it must be part
 * of one token, posts share most tokens, and those that may contain a word are found by its rarest
 * pair of letters. Folding is done at the first search, and cutting little by little at the next ones.
 */
import { fold } from "../fold.ts";
import { Texts } from "./texts.ts";

/** Up to this many UTF-16 units of text are searched as they are. Tokens would take more memory. */
const SEARCHED_UNITS = 64 * 1024;
/** Approximate memory in bytes: a text, a unit of it, a token, an entry of a list. */
const TEXT_BYTES = 24;
const UNIT_BYTES = 2;
const TOKEN_BYTES = 150;
const ENTRY_BYTES = 8;
/** Texts or tokens between two checks of the time. A text may be long. */
const LOOK_EVERY = 4;

/** An empty list for so many units of searched text, because readers count lists to stop in time. */
const LIST_UNITS = 256;
const NONE: readonly number[] = [];

/** The words of all texts at one moment. Texts that are added later, or cut, change nothing in it. */
export interface WordsCopy {
  readonly tokens: readonly string[];
  /** For each token the slots of the posts that contain it; those from `tokened` on are not whole. */
  readonly slots: readonly (readonly number[])[];
  /** Texts of slots below have been cut into tokens. */
  readonly tokened: number;
  /** The folded text of a slot from `tokened` on. */
  foldedAt(slot: number): string;
}

// The columns below are read by numbers that were added to them, so reading them never misses.
export class Words {
  readonly #numbers = new Map<string, number>();
  readonly #tokens: string[] = [];
  /** For each token the slots of the posts that contain it, ascending. */
  readonly #slots: number[][] = [];
  /** For each letter and pair of letters (UTF-16 units) the tokens that contain it. */
  readonly #grams = new Map<number, number[]>();
  /** How many tokens are in `#grams`. */
  #paired = 0;
  /** The texts of the slots from `#from` on, until all are folded. */
  #texts = new Texts();
  #from = 0;
  /** How many texts from the first on were folded when they were added. */
  #ready = 0;
  /**
   * Folded texts of the slots from `#tokened` on. A new array begins when these are found by their
   * tokens, so a search under way keeps the texts that it began with.
   */
  #folded: string[] = [];
  #tokened = 0;
  /** How many texts have been cut into tokens. */
  #cut = 0;
  /** UTF-16 units of the folded texts. */
  #units = 0;
  #entries = 0;
  readonly #unread: () => Iterable<string>;

  /** @param unread the texts of the slots after the last one that was added */
  constructor(unread: () => Iterable<string> = () => []) {
    this.#unread = unread;
  }

  get bytes(): number {
    return this.#tokens.length * TOKEN_BYTES + this.#entries * ENTRY_BYTES + this.#texts.bytes +
      this.#folded.length * TEXT_BYTES + this.#units * UNIT_BYTES;
  }

  /** How many texts were added. */
  get count(): number {
    return this.#from + this.#texts.length;
  }

  /** Adds the text of the next slot. */
  add(text: string): void {
    this.#texts.add(text);
  }

  /** Adds the texts of the first slots, folded. @param run their UTF-8 @param lengths bytes of each */
  addFolded(run: Uint8Array<ArrayBuffer>, lengths: Uint32Array): void {
    this.#texts.addRun(run, lengths);
    this.#ready = this.#texts.length;
  }

  copy(): WordsCopy {
    this.catchUp();
    const [from, ready, tokened] = [this.#from, this.#ready, this.#tokened];
    const [folded, texts] = [this.#folded, this.#texts];
    return {
      tokens: this.#tokens,
      slots: this.#slots,
      tokened,
      foldedAt: (slot) => folded[slot - tokened] ?? foldedAt(texts, slot - from, ready - from),
    };
  }

  /** Adds the texts that were put off. */
  catchUp(): void {
    for (const text of this.#unread()) this.#texts.add(text);
  }

  /** Releases the capacity that is not in use. */
  trim(): void {
    this.#texts.trim();
  }

  /** Continues folding until about `endsAt`. Returns true when all texts can be searched. */
  prepare(endsAt: number): boolean {
    this.catchUp();
    const isOver = deadline(endsAt);
    for (let at = this.#tokened + this.#folded.length - this.#from; at < this.#texts.length; at++) {
      if (isOver(at)) return false;
      const text = foldedAt(this.#texts, at, this.#ready - this.#from);
      this.#folded.push(text);
      this.#units += text.length;
    }
    if (this.#texts.length > 0) [this.#from, this.#texts] = [this.count, new Texts()];
    return true;
  }

  /**
   * Continues cutting folded texts until about `endsAt`, so that later searches take less time. Returns
   * true when little text is left to be searched as it is.
   */
  cut(endsAt: number): boolean {
    if (this.#units <= SEARCHED_UNITS) return true;
    const isOver = deadline(endsAt);
    for (; this.#cut < this.#tokened + this.#folded.length; this.#cut++) {
      if (isOver(this.#cut)) return false;
      this.#cutText(this.#cut);
    }
    for (; this.#paired < this.#tokens.length; this.#paired++) {
      if (isOver(this.#paired)) return false;
      this.#pairToken(this.#paired);
    }
    [this.#tokened, this.#folded, this.#units] = [this.#cut, [], 0];
    return true;
  }

  #cutText(slot: number): void {
    for (const token of this.#folded[slot - this.#tokened]!.split(/\s+/u)) {
      if (token === "") continue;
      let number = this.#numbers.get(token);
      if (number === undefined) {
        number = this.#tokens.length;
        this.#numbers.set(token, number);
        this.#tokens.push(token);
        this.#slots.push([]);
      }
      const slots = this.#slots[number]!;
      if (slots[slots.length - 1] === slot) continue;
      slots.push(slot);
      this.#entries++;
    }
  }

  /**
   * The slots of the posts that contain `word`: ascending lists, which may have slots in common, one
   * for each token that may contain it and for each text. Everything must be folded.
   */
  *find(word: string): Generator<readonly number[], void> {
    const [texts, from] = [this.#folded, this.#tokened];
    for (const number of this.#candidates(word)) {
      yield this.#tokens[number]!.includes(word) ? this.#slots[number]! : NONE;
    }
    let units = 0;
    for (const [at, text] of texts.entries()) {
      if (text.includes(word)) yield [from + at];
      for (units += text.length; units > LIST_UNITS; units -= LIST_UNITS) yield NONE;
    }
  }

  /** The tokens that contain the word's rarest pair of letters. */
  #candidates(word: string): readonly number[] {
    if (word.length === 1) return this.#grams.get(word.charCodeAt(0)) ?? [];
    let rarest: readonly number[] | undefined;
    for (let index = 0; index + 1 < word.length; index++) {
      const tokens = this.#grams.get(pairAt(word, index)) ?? [];
      if (rarest === undefined || tokens.length < rarest.length) rarest = tokens;
    }
    return rarest ?? [];
  }

  #pairToken(number: number): void {
    const token = this.#tokens[number]!;
    for (let index = 0; index < token.length; index++) {
      this.#note(token.charCodeAt(index), number);
      if (index + 1 < token.length) this.#note(pairAt(token, index), number);
    }
  }

  #note(gram: number, token: number): void {
    const tokens = this.#grams.get(gram);
    if (tokens === undefined) this.#grams.set(gram, [token]);
    else if (tokens[tokens.length - 1] !== token) tokens.push(token);
    else return;
    this.#entries++;
  }
}

/** A text, folded. The first `ready` ones are so already. */
function foldedAt(texts: Texts, at: number, ready: number): string {
  const text = texts.read(at);
  return at < ready ? text : fold(text);
}

/** Whether it is about `endsAt`; reads the clock at every so many steps. */
function deadline(endsAt: number): (step: number) => boolean {
  return (step) => step % LOOK_EVERY === 0 && performance.now() > endsAt;
}

/** A number for two units that differs from those of single units. */
function pairAt(text: string, index: number): number {
  return (text.charCodeAt(index) + 1) * 0x10000 + text.charCodeAt(index + 1);
}
