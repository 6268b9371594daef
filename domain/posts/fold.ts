/** Folds free text and hashtags, so that spellings that mean the same compare as equal. */

const NOT_ASCII = /[^ -~\s]/;

/** Free text without case, diacritics and width, in any script: lower case, NFKD, no marks. */
export function fold(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  // Lower case twice: NFKD turns letters without a lower case (bold, circled) into capitals.
  return text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
    .replaceAll("ς", "σ");
}

/** The folded words of a text. */
export function words(text: string): string[] {
  return fold(text).split(/\s+/u).filter((word) => word !== "");
}

const PLAIN = /^[a-z0-9_]*$/;

/** Hashtags as stored: lower case and without `#`, each once, in their order. */
export function storedHashtags(tags: readonly string[]): string[] {
  const named = tags.filter((tag) => foldHashtag(tag) !== "");
  return [...new Set(named.map((tag) => tag.replace(/^[#＃]+/u, "").toLowerCase()))];
}

/**
 * A hashtag without `#`, case, surrounding white space and Unicode variants, for comparing. Empty if
 * it has no name.
 */
export function foldHashtag(tag: string): string {
  // Most are plain already, and building an index folds hundreds of thousands.
  if (PLAIN.test(tag)) return tag;
  return tag.replace(/^[\s#＃]+/u, "").trim().toLowerCase().normalize("NFC");
}
