/** What captions say of themselves: hashtags and addresses. */

/** Hashtags in order of appearance: lower case, no `#`, each once. */
export function hashtagsOf(...texts: string[]): string[] {
  const tags = new Set<string>();
  for (const text of texts) {
    for (const [, tag] of text.matchAll(/(?<![\p{L}\p{N}_&/])[#＃]([\p{L}\p{M}\p{N}_]+)/gu)) {
      if (/[^\p{N}_]/u.test(tag!)) tags.add(tag!.toLowerCase());
    }
  }
  return [...tags];
}

export function hasAddress(text: string): boolean {
  return /\bhttps?:\/\/[^\s/]+\.[^\s]|\bwww\.[^\s.]+\.[^\s]/i.test(text);
}

/** A timestamp as platforms write it (`+0000` without a colon, say) in ISO 8601, UTC. */
export function instant(text: string): string | null {
  const at = Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"));
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
