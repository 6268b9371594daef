/** Text: fields stored exactly as sent, lengths in Unicode code points, and ways to cut and to put words. */
import { z } from "zod";

/** Code points of `value`. */
export function lengthOf(value: string): number {
  let length = 0;
  for (const _ of value) length++;
  return length;
}

function withinLimit(max: number) {
  return (value: string) => value.length <= max || lengthOf(value) <= max;
}

/** A text that may be empty, at most `max` code points. */
export function optionalText(max: number) {
  return z.string()
    .refine(withinLimit(max), `must be at most ${max.toLocaleString("en-US")} characters`)
    .meta({ maxLength: max });
}

/** A required text: at least one character that is not white space, at most `max` code points. */
export function text(max: number) {
  return optionalText(max)
    .refine((value) => /\S/u.test(value), "must hold a character that is not white space")
    .meta({ minLength: 1, maxLength: max });
}

/** Half a surrogate pair, as only an escape can bring it: decoded UTF-8 holds none. */
const HIGH = String.raw`\\u[dD][89abAB][0-9a-fA-F]{2}`;
const LOW = String.raw`\\u[dD][c-fC-F][0-9a-fA-F]{2}`;
const HALF = new RegExp(`${HIGH}(?!${LOW})|(?<!${HIGH})${LOW}`);

/**
 * Whether no text in the JSON holds half a surrogate pair. Looks at the JSON itself, which may be
 * nested deeper than a walk could follow.
 */
export function isWellFormedJson(json: string): boolean {
  if (!json.includes("\\u")) return true;
  // An escaped backslash begins no escape.
  return !HALF.test(json.replaceAll("\\\\", "  "));
}

/** At most `length` code points, cut after a sentence if that keeps half of it, else after a word. */
export function cutAtSentence(value: string, length: number): string {
  if (lengthOf(value) <= length) return value;
  const head = headOf(value, length);
  const end = Math.max(...SENTENCE_ENDS.map((end) => head.lastIndexOf(end)));
  return end > head.length / 2 ? head.slice(0, end + 1) : cutAtWord(value, length);
}

const SENTENCE_ENDS = [". ", "! ", "? ", ".\n", "。", "！", "？"];

/** At most `length` code points, cut after a word, with an ellipsis for what is left out. */
export function cutAtWord(value: string, length: number): string {
  if (lengthOf(value) <= length) return value;
  const head = headOf(value, length);
  const word = head.search(/\s+\S*$/);
  return `${(word > head.length / 2 ? head.slice(0, word) : head).trimEnd()}…`;
}

/** Room for an ellipsis is left. */
function headOf(value: string, length: number): string {
  return [...value].slice(0, length - 1).join("");
}

/** "1 post", "2 posts". */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 || noun.endsWith("s") ? "" : "s"}`;
}

export function capitalized(value: string): string {
  const [first = ""] = value;
  return first.toUpperCase() + value.slice(first.length);
}

/** Somebody else's words as a sentence that ours can follow. */
export function sentence(words: string): string {
  const said = words.trimEnd();
  return /[.!?…。！？]["')\]]?$/u.test(said) || said === "" ? said : `${said}.`;
}
