/** Words of no language, so that texts of a soak are told from each other and never alike. */

const SYLLABLES = "ba de fi go lu me na po ra si ta vu ke no ri sa tu we xo za".split(" ");

const word = (random: () => number): string =>
  Array.from({ length: 3 }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join("");

/** So many words with a capital at the beginning. */
export function phrase(random: () => number, words: number): string {
  const text = Array.from({ length: words }, () => word(random)).join(" ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
