/** Hashtags, addresses and timestamps in the forms that platforms write them. */

/** The texts' hashtags in order, lower case, without `#`, each once. */
export function hashtagsOf(...texts: string[]): string[] {
  const tags = new Set<string>();
  for (const text of texts) {
    for (const [, tag] of text.matchAll(/(?<![\p{L}\p{N}_&/])[#＃]([\p{L}\p{M}\p{N}_]+)/gu)) {
      if (tag !== undefined && /[^\p{N}_]/u.test(tag)) tags.add(tag.toLowerCase());
    }
  }
  return [...tags];
}

export function hasAddress(text: string): boolean {
  return /\bhttps?:\/\/[^\s/]+\.[^\s]|\bwww\.[^\s.]+\.[^\s]/i.test(text);
}

/** A platform's timestamp, such as one with `+0000` and no colon, as ISO 8601 in UTC. */
export function instant(text: string): string | null {
  const at = Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"));
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
