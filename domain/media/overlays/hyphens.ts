/** Marks where long words may be parted, with soft hyphens: a compound would make all words small. */
import { once } from "../../foundation/once.ts";

const HYPHEN = "\u00AD";

type Hyphenate = (text: string, options: { minWordLength: number }) => string;
interface Language {
  hyphenateSync: Hyphenate;
}

/** Shorter words stay whole: a headline is no newspaper column. */
const LONG = 16;
/** Letters that stay together at both ends of a word. */
const ENDS = 4;
/** Where the language is not known, only words that are surely compounds are parted. */
const VERY_LONG = 20;

/** By the language's tag. German comes first, because it is taken for very long words of no known one. */
const PATTERNS: Record<string, () => Promise<Language>> = {
  de: once(async () => (await import("hyphen/de/index.js")).default),
  nl: once(async () => (await import("hyphen/nl/index.js")).default),
  sv: once(async () => (await import("hyphen/sv/index.js")).default),
  da: once(async () => (await import("hyphen/da/index.js")).default),
  nb: once(async () => (await import("hyphen/nb/index.js")).default),
  fi: once(async () => (await import("hyphen/fi/index.js")).default),
  hu: once(async () => (await import("hyphen/hu/index.js")).default),
  en: once(async () => (await import("hyphen/en/index.js")).default),
  fr: once(async () => (await import("hyphen/fr/index.js")).default),
  es: once(async () => (await import("hyphen/es/index.js")).default),
  it: once(async () => (await import("hyphen/it/index.js")).default),
  pl: once(async () => (await import("hyphen/pl/index.js")).default),
};

/** @param language BCP 47; null when it is not known */
export async function hyphenated(text: string, language: string | null): Promise<string> {
  const [tag = ""] = (language ?? "").toLowerCase().split("-");
  const own = PATTERNS[tag];
  if (own === undefined && tag !== "") return text;
  const least = own === undefined ? VERY_LONG : LONG;
  const long = new RegExp(
    `(?<![\\p{L}\\p{Nd}.@#/_-])\\p{Script=Latin}{${least},}(?![\\p{Nd}.@/_]\\p{L})`,
    "gu",
  );
  if (!long.test(text)) return text;
  const { hyphenateSync } = await (own ?? PATTERNS["de"]!)();
  return text.replace(long, (word) => withoutEnds(hyphenateSync(word, { minWordLength: least })));
}

/** Takes back the hyphens that would leave a few letters alone. */
function withoutEnds(word: string): string {
  const parts = word.split(HYPHEN);
  while (parts.length > 1 && parts[0]!.length < ENDS) parts.splice(0, 2, parts[0]! + parts[1]!);
  while (parts.length > 1 && parts.at(-1)!.length < ENDS) {
    parts.splice(-2, 2, parts.at(-2)! + parts.at(-1)!);
  }
  return parts.join(HYPHEN);
}
