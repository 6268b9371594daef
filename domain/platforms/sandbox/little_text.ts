/** LinkedIn's "little text" as the platform reads it, checks it and returns it. */

const RESERVED = new Set("|{}@[]()<>#\\*_~");
const HASHTAG = /^\{hashtag\|(?:\\?[#＃])\|((?:\\.|[^{}|\\])+)\}/u;
const MENTION = /^@\[((?:\\.|[^\]\\])+)\]\(urn:li:(?:person|organization):[\w-]+\)/u;
const BARE_HASHTAG = /^#[\p{L}\p{N}_]+/u;

/** The text that people read, or the place of a character that is not escaped. */
type LittleText = { text: string } | { reserved: string; at: number };

export function readLittleText(commentary: string): LittleText {
  let text = "";
  for (let at = 0; at < commentary.length;) {
    const rest = commentary.slice(at);
    const char = commentary.charAt(at);
    const element = HASHTAG.exec(rest) ?? MENTION.exec(rest) ?? BARE_HASHTAG.exec(rest);
    if (char === "\\" && RESERVED.has(commentary[at + 1] ?? "")) {
      text += commentary[at + 1];
      at += 2;
    } else if (element !== null && RESERVED.has(char)) {
      text += element[1] === undefined
        ? element[0]
        : `${char === "@" ? "@" : "#"}${element[1].replaceAll(/\\(.)/gu, "$1")}`;
      at += element[0].length;
    } else if (RESERVED.has(char)) {
      return { reserved: char, at };
    } else {
      text += char;
      at++;
    }
  }
  return { text };
}

/** A text as LinkedIn returns it: hashtags as templates, reserved characters escaped. */
export function escapeLittleText(text: string): string {
  return text.split(/(#[\p{L}\p{N}_]+)/u).map((part, at) =>
    at % 2 === 1
      ? `{hashtag|\\#|${part.slice(1)}}`
      : part.replaceAll(/[|{}@[\]()<>#\\*_~]/g, "\\$&")
  ).join("");
}
