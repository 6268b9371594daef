/** LinkedIn's "little text": escapes reserved characters, and writes hashtags and mentions in forms. */

const HASHTAG = String.raw`(?<![\p{L}\p{N}_])#[\p{L}\p{N}_]+`;
const TO_ESCAPE = new RegExp(String.raw`${HASHTAG}|[|{}@\[\]()<>#\\*_~]`, "gu");
const ESCAPED = new RegExp(
  String.raw`\{hashtag\|\\?#\|((?:\\.|[^}\\])*)\}` +
    String.raw`|@\[((?:\\.|[^\]\\])*)\]\((?:\\.|[^)\\])*\)` +
    String.raw`|\\(.)`,
  "gsu",
);

/** Plain text → little text; hashtags stay as they are. */
export function escapeLittleText(text: string): string {
  return text.replace(TO_ESCAPE, (match) => match.length > 1 ? match : `\\${match}`);
}

/** Little text → what people read. */
export function unescapeLittleText(text: string): string {
  return text.replace(ESCAPED, (_, tag?: string, name?: string, char = "") => {
    if (tag !== undefined) return `#${unescapeLittleText(tag)}`;
    if (name !== undefined) return `@${unescapeLittleText(name)}`;
    return char;
  });
}
