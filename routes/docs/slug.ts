/** Ids of headings, apart from the renderer because navigation needs them without it. */

/** The id of a heading, by the rule of the common hosts of markdown. */
export function slug(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(/\s/g, "-");
}
