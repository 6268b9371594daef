/** Text: input fields that are stored as sent, lengths in Unicode code points, cutting and wording. */
import { z } from "zod";

/** The number of code points of `value`. */
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

/** A required text: at most `max` code points, and not only white space. */
export function text(max: number) {
  return optionalText(max)
    .refine((value) => /\S/u.test(value), "must hold a character that is not white space")
    .meta({ minLength: 1, maxLength: max, pattern: String.raw`\S` });
}

/** Half of a surrogate pair. It can only come from a JSON escape, because valid UTF-8 has none. */
const HIGH = String.raw`\\u[dD][89abAB][0-9a-fA-F]{2}`;
const LOW = String.raw`\\u[dD][c-fC-F][0-9a-fA-F]{2}`;
const HALF = new RegExp(`${HIGH}(?!${LOW})|(?<!${HIGH})${LOW}`);

/**
 * Whether no text in the JSON contains half of a surrogate pair. Searches the JSON itself, because
 * its value may be nested too deeply for recursion.
 */
export function isWellFormedJson(json: string): boolean {
  if (!json.includes("\\u")) return true;
  // An escaped backslash does not start another escape.
  return !HALF.test(json.replaceAll("\\\\", "  "));
}

/** At most `length` code points: cut after a sentence if that keeps half of them, else after a word. */
export function cutAtSentence(value: string, length: number): string {
  if (lengthOf(value) <= length) return value;
  const head = headOf(value, length);
  const end = Math.max(...SENTENCE_ENDS.map((end) => head.lastIndexOf(end)));
  return end > head.length / 2 ? head.slice(0, end + 1) : cutAtWord(value, length);
}

const SENTENCE_ENDS = [". ", "! ", "? ", ".\n", "。", "！", "？"];

/** At most `length` code points: cut after a word, with an ellipsis if anything is left out. */
export function cutAtWord(value: string, length: number): string {
  if (lengthOf(value) <= length) return value;
  const head = headOf(value, length);
  const word = head.search(/\s+\S*$/);
  return `${(word > head.length / 2 ? head.slice(0, word) : head).trimEnd()}…`;
}

/** The first code points, one fewer than `length` so that an ellipsis fits. */
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

/** Another system's message, closed with a full stop so that our own sentence can follow. */
export function sentence(words: string): string {
  const said = words.trimEnd();
  return /[.!?…。！？]["')\]]?$/u.test(said) || said === "" ? said : `${said}.`;
}
