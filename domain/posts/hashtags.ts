/** Hashtags in the one form in which they are stored, shown and asked for. */

/** Lowercase, without leading `#` and surrounding white space; may be empty. */
export function normalizeHashtag(tag: string): string {
  return tag.trim().replace(/^[#＃]+/u, "").trim().toLowerCase().normalize("NFC");
}

/** Normalized, each once, in order. */
export function normalizeHashtags(tags: readonly string[]): string[] {
  return [...new Set(tags.map(normalizeHashtag).filter((tag) => tag !== ""))];
}
