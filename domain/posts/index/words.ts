/**
 * Free text: a word is found wherever it is a substring of a text. Words hold no white space, so it
 * lies within one token of the text. Tokens are far fewer than posts' words; among them the ones
 * that hold a word are found by its rarest pair of letters. All of it is made when somebody searches.
 */
import { words } from "../fold.ts";

/** What memory is spent on, in bytes about: texts that wait to be read, then tokens and their lists. */
const UNIT_BYTES = 2;
const TOKEN_BYTES = 150;
const ENTRY_BYTES = 8;
/** Texts or tokens between two looks at the time. */
const LOOK_EVERY = 64;

export class Words {
  readonly #numbers = new Map<string, number>();
  readonly #tokens: string[] = [];
  /** For each token the slots of the posts that hold it, ascending. */
  readonly #slots: number[][] = [];
  /** For each letter and pair of letters (UTF-16 units) the tokens that hold it. */
  readonly #grams = new Map<number, number[]>();
  /** How many tokens have their grams. */
  #cut = 0;
  /** Texts by slot; empty once they are read. */
  readonly #texts: string[] = [];
  /** How many texts have been read. */
  #read = 0;
  /** UTF-16 units of those that have not. */
  #unread = 0;
  #entries = 0;

  get bytes(): number {
    return this.#tokens.length * TOKEN_BYTES + this.#entries * ENTRY_BYTES +
      this.#unread * UNIT_BYTES;
  }

  /** Adds the text of the next slot. */
  add(text: string): void {
    this.#texts.push(text);
    this.#unread += text.length;
  }

  /** Goes on with what searches need, for about `ms`; true when there is nothing left to do. */
  prepare(ms: number): boolean {
    const endsAt = performance.now() + ms;
    for (; this.#read < this.#texts.length; this.#read++) {
      if (this.#read % LOOK_EVERY === 0 && performance.now() > endsAt) return false;
      const text = this.#texts[this.#read]!;
      this.#readText(this.#read, text);
      this.#unread -= text.length;
      this.#texts[this.#read] = "";
    }
    for (; this.#cut < this.#tokens.length; this.#cut++) {
      if (this.#cut % LOOK_EVERY === 0 && performance.now() > endsAt) return false;
      this.#cutToken(this.#cut);
    }
    return true;
  }

  #readText(slot: number, text: string): void {
    for (const token of words(text)) {
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

  /** Calls `found` with the slots of every post that holds `word`, some of them again and again. */
  find(word: string, found: (slot: number) => void): void {
    this.prepare(Infinity);
    for (const number of this.#candidates(word)) {
      if (!this.#tokens[number]!.includes(word)) continue;
      for (const slot of this.#slots[number]!) found(slot);
    }
  }

  /** The tokens that hold the word's rarest pair of letters. */
  #candidates(word: string): readonly number[] {
    if (word.length === 1) return this.#grams.get(word.charCodeAt(0)) ?? [];
    let rarest: readonly number[] | undefined;
    for (let at = 0; at + 1 < word.length; at++) {
      const tokens = this.#grams.get(pairAt(word, at)) ?? [];
      if (rarest === undefined || tokens.length < rarest.length) rarest = tokens;
    }
    return rarest ?? [];
  }

  #cutToken(number: number): void {
    const token = this.#tokens[number]!;
    for (let at = 0; at < token.length; at++) {
      this.#note(token.charCodeAt(at), number);
      if (at + 1 < token.length) this.#note(pairAt(token, at), number);
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

/** A number for two units, apart from those of single ones. */
function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at) + 1) * 0x10000 + text.charCodeAt(at + 1);
}
