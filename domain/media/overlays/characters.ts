/** Characters as a reader sees them, and which of them are emoji. */

/** Drawn in colour: not ©, ® and ™ as they stand. */
const EMOJI = /^(?![©®™](?!\uFE0F))(?:\p{Extended_Pictographic}|\p{Regional_Indicator})/u;

/** The characters as a reader sees them, in order. */
export function graphemes(text: string): string[] {
  return Array.from(new Intl.Segmenter("und").segment(text), ({ segment }) => segment);
}

/** Whether a character is drawn in colour. One with a text selector is not. */
export function isEmoji(grapheme: string): boolean {
  return grapheme.includes("\u20E3") || EMOJI.test(grapheme) && !grapheme.includes("\uFE0E");
}

/** Whether a text may have emoji: a quick look that is sometimes wrong with yes. */
export function mayHaveEmoji(text: string): boolean {
  return /[\p{Extended_Pictographic}\p{Regional_Indicator}\u20E3]/u.test(text);
}

/** Whether a text has nothing but emoji, blanks and punctuation. */
export function isEmojiAlone(text: string): boolean {
  if (!mayHaveEmoji(text)) return false;
  const visible = graphemes(text).filter((one) => isEmoji(one) || /[^\s\p{P}]/u.test(one));
  return visible.length > 0 && visible.every(isEmoji);
}
