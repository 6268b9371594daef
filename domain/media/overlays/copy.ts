/** Prepares an overlay's text: cleans it, splits it into heading and support, finds its direction. */
import { isEmojiAlone } from "./characters.ts";

export interface Copy {
  /** The first line. */
  heading: string;
  /** The other lines, set smaller; often empty. */
  support: string;
  /** All lines, in order. */
  lines: string[];
}

/** Characters without a shape or with an effect on the text around them: controls, overrides, unassigned. */
const UNPRINTABLE =
  /[\p{Cc}\p{Co}\p{Cs}\p{Cn}\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFC]/gu;
/** More marks than four on one letter would leave the line. Thai and Vietnamese need two, Hebrew three. */
const TOO_MANY_MARKS = /(\p{M}{4})\p{M}+/gu;
/** Combining marks that none of the typefaces has, and keycap frames that are not around a key. */
const UNKNOWN_MARKS = new RegExp(
  String.raw`[\u030D\u030F\u0313\u0314\u0316-\u0319\u031B-\u0322\u0324\u0325\u0328\u032A\u032B` +
    String.raw`\u0334-\u0337\u0339\u033B-\u033E\u0340-\u0345\u0347-\u034C\u034E-\u036F\u0897` +
    String.raw`\u1AB0-\u1AFF\u1DC0-\u1DFF\u2DE0-\u2DFE\u302A-\u302F\uA66F-\uA67D\uA69E` +
    String.raw`\uFE20-\uFE2F]|(?<![0-9#*][\uFE0E\uFE0F]?)\u20E3`,
  "gu",
);
/** Ligatures as single characters. The typefaces only have their letters. */
const JOINED = /[\uFB00-\uFB06\uFB13-\uFB17]/g;
/** A whole sentence as one character. It is wider than a line, so it would be drawn blank. */
const BASMALA = "\uFDFD";
const BASMALA_SPELT = "بسم الله الرحمن الرحيم";
/** Characters that may be text or emoji, and are drawn as emoji here. ©, ® and ™ stay text. */
const PLAIN_EMOJI =
  /(?![\p{ASCII}\p{Emoji_Presentation}©®™])\p{Emoji}(?![\uFE0E\uFE0F\p{Emoji_Modifier}])/gu;
const ORPHAN_MARKS = /(^|[\s\p{Z}])\p{M}+/gu;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

export function copyOf(text: string): Copy {
  const lines = printable(text).split("\n").map((line) => line.trim()).filter((line) =>
    line !== ""
  );
  return copyFrom(withoutLoneEmoji(lines));
}

/** The first of these lines as heading, the others as support. */
export function copyFrom(lines: string[]): Copy {
  return { heading: lines[0] ?? "", support: lines.slice(1).join("\n"), lines };
}

/** A line of emoji alone joins the line before it, or the one after it when it is the first. */
function withoutLoneEmoji(lines: string[]): string[] {
  const joined: string[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    if (last !== undefined && (isEmojiAlone(line) || isEmojiAlone(last))) {
      joined[joined.length - 1] = `${last} ${line}`;
    } else {
      joined.push(line);
    }
  }
  return joined;
}

/** Whether the first letter is of a script that is written from right to left. */
export function isRightToLeft(text: string): boolean {
  const first = text.match(/\p{L}/u);
  return first !== null && RIGHT_TO_LEFT.test(first[0]);
}

/** Whether a text is only Latin, Greek and Cyrillic, which may be set tighter than the fonts suggest. */
export function isEuropean(text: string): boolean {
  return !/[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]/u.test(text) &&
    !/\p{Extended_Pictographic}/u.test(text);
}

/** Escapes text for Pango markup. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
}

function printable(text: string): string {
  const clean = text.normalize("NFC")
    .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/g, "\n")
    .replace(/\t/g, " ")
    .replace(JOINED, (letters) => letters.normalize("NFKC"))
    .replaceAll(BASMALA, BASMALA_SPELT)
    .replace(/[^\n]/gu, (character) => character.replace(UNPRINTABLE, ""))
    .replace(UNKNOWN_MARKS, "")
    .replace(ORPHAN_MARKS, "$1")
    .replace(TOO_MANY_MARKS, "$1")
    .replace(/[^\S\n]+/gu, " ");
  return qualified(clean);
}

/** Adds emoji selectors (Unicode TR 51), by which Pango knows which characters take the emoji font. */
function qualified(text: string): string {
  return text
    .replace(/(?<=[0-9#*])[\uFE0E\uFE0F]/g, "")
    .replace(/\u20E3/g, "\uFE0F$&")
    .replace(PLAIN_EMOJI, "$&\uFE0F");
}
