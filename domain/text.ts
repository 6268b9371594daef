/** Text fields: stored exactly as sent; lengths count Unicode code points. */
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

/** Somebody else's words as a sentence that ours can follow. */
export function sentence(words: string): string {
  const said = words.trimEnd();
  return /[.!?…。！？]["')\]]?$/u.test(said) || said === "" ? said : `${said}.`;
}
