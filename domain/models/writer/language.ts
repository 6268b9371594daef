/** Which language a text is in, and its nouns: read from stop words, without a model. */
import { once } from "../../foundation/once.ts";

/** The twelve languages with the most speakers, and Japanese (ISO 639-1). */
const LANGUAGES = [
  ...["en", "zh", "hi", "es", "fr", "ar", "bn"] as const,
  ...["pt", "ru", "ur", "id", "de", "ja"] as const,
];
export type Language = typeof LANGUAGES[number];

export function isLanguage(code: string): code is Language {
  return LANGUAGES.some((language) => language === code);
}

/** Of each language the words that carry no meaning of their own. */
export type StopWords = Record<Language, ReadonlySet<string>>;

/** Loads the lists, 240 KB, with the first text that is written here. */
export const loadStopWords: () => Promise<StopWords> = once(load);

async function load(): Promise<StopWords> {
  const lists: Record<string, unknown> = await import("stopword");
  const words = (name: string) => {
    const list = lists[name];
    return new Set<string>(Array.isArray(list) ? list : []);
  };
  return {
    en: words("eng"),
    zh: words("zho"),
    hi: words("hin"),
    es: words("spa"),
    fr: words("fra"),
    ar: words("ara"),
    bn: words("ben"),
    pt: words("por"),
    ru: words("rus"),
    ur: words("urd"),
    id: words("ind"),
    de: words("deu"),
    ja: words("jpn"),
  };
}

/** Scripts that only one of the languages uses, or that tell it from the others. */
const SCRIPTS: readonly (readonly [Language, RegExp])[] = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ["zh", /\p{Script=Han}/u],
  ["hi", /\p{Script=Devanagari}/u],
  ["bn", /\p{Script=Bengali}/u],
];

/** Letters that German has and the other languages written in Latin letters do not. */
const GERMAN_LETTERS = /[äöüß]/i;
/** Texts with other letters are in none of these languages. */
const ALPHABETS: Partial<Record<Language, RegExp>> = {
  en: /^[a-zàâéèêçñï]*$/,
  de: /^[a-zäöüßé]*$/,
  id: /^[a-zé]*$/,
};

/**
 * The language of a text; null when nothing tells. A text of plain Latin letters without any stop word
 * counts as English.
 */
export function languageOf(text: string, stopWords: StopWords): Language | null {
  const script = SCRIPTS.find(([, letters]) => letters.test(text));
  if (script !== undefined) return script[0];
  const words = new Set(wordsOf(text).map((word) => word.toLowerCase()));
  let best: { language: Language; hits: number } | null = null;
  const letters = text.toLowerCase().replace(/\P{L}/gu, "");
  for (const language of LANGUAGES) {
    if (ALPHABETS[language]?.test(letters) === false) continue;
    const hits = [...words].filter((word) => stopWords[language].has(word)).length +
      (language === "de" && GERMAN_LETTERS.test(text) ? 1 : 0);
    if (hits > (best?.hits ?? 0)) best = { language, hits };
  }
  if (best !== null) return best.language;
  return /^[\p{ASCII}\p{P}\p{S}]*$/u.test(text) && /[a-z]/i.test(text) ? "en" : null;
}

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu) ?? [];

/** Shorter words make no hashtag. */
const SHORTEST = 3;

/**
 * The nouns of a text as hashtags, in order, each once: in German the capitalized words, in English the
 * ends of its runs of words without stop words ("our autumn menu" → autumnmenu, menu). Empty for other
 * languages, where the words alone do not tell.
 */
export function nounsOf(text: string, language: Language | null, stopWords: StopWords): string[] {
  const parts = text.split(/[^\p{L}\p{M}\p{N}'’\s-]+/u).map((part) =>
    part.split(/\s+/).filter((word) => word !== "")
  );
  if (language !== "de" && language !== "en") return [];
  const stops = stopWords[language];
  const isStop = (word: string) => stops.has(word.toLowerCase());
  const nouns = language === "de"
    ? parts.flat().filter((word) => /^\p{Lu}/u.test(word) && !isStop(word))
    : parts.flatMap((words) => headsOf(words, isStop));
  const tags = nouns.map((noun) => noun.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, ""));
  return [...new Set(tags)].filter((tag) => tag.length >= SHORTEST && /\p{L}/u.test(tag));
}

/** Words that end in these are no nouns, or seldom ones. */
const NO_NOUN = /(?:ly|n[’']t)$/i;
/** Adjectives that like to stand behind their noun: "loaves fresh from the oven". */
const ADJECTIVES = new Set(
  ("available big cold daily fresh free good great handmade homemade hot local new open ready small " +
    "straight warm weekly").split(" "),
);

/** The ends of a part's runs of meaningful words: the last word, and the last two as one. */
function headsOf(words: string[], isStop: (word: string) => boolean): string[] {
  const heads: string[] = [];
  let run: string[] = [];
  let isAction = false;
  for (const [place, word] of [...words, ""].entries()) {
    if (word !== "" && !isStop(word)) {
      // "to throw", and a first word before "our" or "to", are verbs: "Meet our team".
      const follower = words[place + 1];
      const opens = place === 0 && follower !== undefined && isStop(follower);
      if (run.length === 0) isAction = opens || words[place - 1]?.toLowerCase() === "to";
      run.push(word);
      continue;
    }
    while (ADJECTIVES.has(run.at(-1)?.toLowerCase() ?? "")) run.pop();
    const last = run.at(-1);
    if (last !== undefined && !(isAction && run.length === 1) && !NO_NOUN.test(last)) {
      if (run.length > 1) heads.push(run.slice(-2).join(""));
      heads.push(last);
    }
    run = [];
  }
  return heads;
}
