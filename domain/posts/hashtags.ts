/** Hashtags as posts carry them, and as they are compared. */

const PLAIN = /^[a-z0-9_]*$/;

/** As posts carry them: lower case, no leading `#`, all else as it came; each once, in order. */
export function storedHashtags(tags: readonly string[]): string[] {
  const named = tags.filter((tag) => foldHashtag(tag) !== "");
  return [...new Set(named.map((tag) => tag.replace(/^[#＃]+/u, "").toLowerCase()))];
}

/**
 * What one hashtag has in common however it is written: a leading `#`, case, white space around it
 * and its Unicode normalization don't matter. Empty for one without a name.
 */
export function foldHashtag(tag: string): string {
  // Most are so plain that there is nothing to do: an index is built of hundreds of thousands.
  if (PLAIN.test(tag)) return tag;
  return tag.replace(/^[\s#＃]+/u, "").trim().toLowerCase().normalize("NFC");
}
