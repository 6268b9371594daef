/** Free text as it is compared: case, diacritics and width don't matter, in any script. */

const NOT_ASCII = /[^ -~\s]/;

/** Lower case, NFKD, without combining marks. */
export function fold(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  // Lower case twice: NFKD turns letters without a lower case (bold, circled) into capitals.
  return text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
    .replaceAll("ς", "σ");
}

/** The folded words between white space; none for a blank text. */
export function words(text: string): string[] {
  return fold(text).split(/\s+/u).filter((word) => word !== "");
}
