/** The names of the worlds that the painter knows. */

export const SCENES = [
  "horizon",
  "city",
  "stillLife",
  "botanical",
  "tabletop",
  "abstract",
  "people",
  "team",
  "product",
  "bookshop",
  "street",
  "vehicle",
  "animal",
  "sale",
  "event",
  "sport",
  "desk",
  "home",
  "drinks",
  "notice",
  "craft",
] as const;
export type SceneName = typeof SCENES[number];
