/** How alike two texts are, by their runs of three words (A. Broder, "On the resemblance", 1997). */

const RUN = 3;

/** A word; in scripts that write without spaces, a character. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu;

/** The runs of three words of a text, in lower case. */
export function shinglesOf(text: string): Set<string> {
  const words = text.toLowerCase().match(WORDS) ?? [];
  const runs = new Set<string>();
  for (let at = 0; at + RUN <= words.length; at++) runs.add(words.slice(at, at + RUN).join(" "));
  return runs;
}

/** The share of the smaller set that both have: 0 to 1. */
export function sharedOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const least = Math.min(a.size, b.size);
  return least === 0 ? 0 : a.intersection(b).size / least;
}
