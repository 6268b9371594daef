/** What a picture is of: the world and kind whose words the idea names first and most. */
import { COLOUR_WORDS } from "./english.ts";
import { wordsOf } from "./reading.ts";
import { type Entry, PLACES } from "./vocabulary.ts";
import { GOODS } from "./vocabulary_goods.ts";
import { THINGS } from "./vocabulary_things.ts";
import type { SceneName } from "./names.ts";

export interface Subject {
  scene: SceneName;
  kind: string;
}

interface Lexicon {
  whole: Map<string, Entry[]>;
  /** Beginnings and ends of words, longest first. */
  starts: [string, Entry][];
  ends: [string, Entry][];
  /** Japanese has no spaces: looked for anywhere. */
  inside: [string, Entry][];
}

const LEXICON = lexiconOf([...THINGS, ...GOODS, ...PLACES]);

/** Words after which a noun only says a colour: "harbour blues", "forest tones". */
const TONES = new Set([
  "tone",
  "tones",
  "palette",
  "colour",
  "colours",
  "color",
  "colors",
  "hue",
  "hues",
  "shades",
]);

/** What gives colours their names: sea green, rose gold, coffee brown. A bicycle gives none. */
const TINTS = new Set<SceneName>(["horizon", "city", "street", "botanical", "tabletop", "drinks"]);

/** Japanese words that contain a word of the lists and mean something else: Japan is no book. */
const OTHERS = /日本|本日|本格|基本|本当|本店|本社|花火|空間|電車|大人気/g;

/** The subject of the sentences, the first of which count most; null when none of their words is known. */
export function subjectOf(sentences: string[]): Subject | null {
  const scores = new Map<string, { subject: Subject; score: number }>();
  for (const [place, sentence] of sentences.entries()) {
    const nearness = 1 / (1 + place * 1.5);
    for (const { entry, at } of named(sentence)) {
      const key = `${entry.scene} ${entry.kind}`;
      const known = scores.get(key) ??
        { subject: { scene: entry.scene, kind: entry.kind }, score: 0 };
      known.score += entry.weight * nearness * (0.4 + 1 / (1 + at / 5));
      scores.set(key, known);
    }
  }
  let best: { subject: Subject; score: number } | null = null;
  for (const one of scores.values()) if (one.score > (best?.score ?? 0)) best = one;
  return best?.subject ?? null;
}

/** Each entry once a sentence, where it is named first. */
function named(sentence: string): { entry: Entry; at: number }[] {
  const words = wordsOf(sentence);
  const found = new Map<Entry, number>();
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? "";
    if (TONES.has(next)) continue;
    for (const more of [next, `${next}_${words[at + 2] ?? ""}`]) {
      for (const entry of LEXICON.whole.get(`${word}_${more}`) ?? []) {
        if (!found.has(entry)) found.set(entry, at);
      }
    }
    const isTint = COLOUR_WORDS.has(next) || COLOUR_WORDS.has(next.replace(/s$/, ""));
    const add = (entry: Entry, at: number) => {
      if (!found.has(entry) && !(isTint && TINTS.has(entry.scene))) found.set(entry, at);
    };
    for (const part of partsOfCompound(word)) {
      const whole = LEXICON.whole.get(part);
      if (whole !== undefined) {
        for (const entry of whole) add(entry, at);
        continue;
      }
      const start = LEXICON.starts.find(([head]) => part.startsWith(head));
      const end = LEXICON.ends.find(([tail]) => part.endsWith(tail) && part.length > tail.length);
      // The end of a German compound says what it is: a book shop is a shop of books.
      if (end !== undefined) add(end[1], at);
      if (start !== undefined) add(start[1], at);
    }
    const plain = word.replace(OTHERS, "々");
    for (const [part, entry] of LEXICON.inside) {
      const inside = plain.indexOf(part);
      if (inside >= 0) add(entry, at + inside / 4);
    }
  }
  return [...found].map(([entry, at]) => ({ entry, at }));
}

/** "Kaffee-Tasting" is both of its words. */
function partsOfCompound(word: string): string[] {
  return word.includes("-") ? [word, ...word.split("-")] : [word];
}

function lexiconOf(entries: Entry[]): Lexicon {
  const lexicon: Lexicon = { whole: new Map(), starts: [], ends: [], inside: [] };
  for (const entry of entries) {
    for (const word of entry.words.split(" ")) {
      if (/[\u3040-\u30ff\u4e00-\u9fff]/.test(word)) {
        lexicon.inside.push([wordsOf(word).join(""), entry]);
      } else if (word.startsWith("*")) lexicon.ends.push([word.slice(1), entry]);
      else if (word.endsWith("*")) lexicon.starts.push([word.slice(0, -1), entry]);
      else lexicon.whole.set(word, [...lexicon.whole.get(word) ?? [], entry]);
    }
  }
  const longest = (a: [string, Entry], b: [string, Entry]) => b[0].length - a[0].length;
  lexicon.starts.sort(longest);
  lexicon.ends.sort(longest);
  lexicon.inside.sort(longest);
  return lexicon;
}
