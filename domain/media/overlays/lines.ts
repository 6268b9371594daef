/** Says where the lines of an overlay's text may break: between phrases, and never before an emoji. */
import { once } from "../../foundation/once.ts";
import { graphemes, isEmoji, mayHaveEmoji } from "./characters.ts";

const NO_BREAK_SPACE = "\u00A0";
const WORD_JOINER = "\u2060";
/** Emoji in a row that stay together. More would make a word that fits no line. */
const TOGETHER = 3;
/** Ties each emoji to the word before it, and one that begins a line to the word after it. */
export function tied(text: string): string {
  if (!mayHaveEmoji(text)) return text;
  let [out, row] = ["", 0];
  for (const one of graphemes(text)) {
    const isOne = isEmoji(one);
    const isFirst = out === "" || out.endsWith("\n");
    if (isOne && !isFirst && row < TOGETHER) {
      out = out.endsWith(" ") ? `${out.slice(0, -1)}${NO_BREAK_SPACE}` : `${out}${WORD_JOINER}`;
      row++;
    } else if (one === " " && isOpening(out)) {
      out += NO_BREAK_SPACE;
      continue;
    } else if (isOne || one !== " ") {
      row = isOne ? 1 : 0;
    }
    out += one;
  }
  return out;
}

/** Joins the letters of each phrase of a Japanese text and of each word of a Chinese one. */
export async function kept(text: string): Promise<string> {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) {
    const { parse } = await phrases();
    return text.split(/(?<=[\s\u00A0])/).flatMap(parse).map(joined).join("");
  }
  return keptWords(text);
}

/** Whether readers are used to lines that break inside of words. */
export function breaksInWords(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
}

/** Joins the letters of each word. Lines of Chinese and Japanese may break between any of them otherwise. */
export function keptWords(text: string): string {
  if (!breaksInWords(text)) return text;
  return Array.from(
    new Intl.Segmenter("ja", { granularity: "word" }).segment(text),
    ({ segment, isWordLike }) => isWordLike ? joined(segment) : segment,
  ).join("");
}

function joined(phrase: string): string {
  const [words = ""] = phrase.match(/^.*\S/su) ?? [];
  return graphemes(words).join(WORD_JOINER) + phrase.slice(words.length);
}

/** Finds the phrases of a Japanese sentence. Loaded with the first Japanese text. */
const phrases = once(async () => {
  const { jaModel, Parser } = await import("budoux");
  const parser = new Parser(jaModel);
  return { parse: (sentence: string) => parser.parse(sentence) };
});

/** Whether a line has only emoji so far. */
function isOpening(text: string): boolean {
  const line = text.slice(text.lastIndexOf("\n") + 1);
  const row = graphemes(line.replaceAll(NO_BREAK_SPACE, "").replaceAll(WORD_JOINER, ""));
  return row.length > 0 && row.length <= TOGETHER && row.every(isEmoji);
}
