/** The angles from which the local writer and the local strategist look at a subject. */

export interface Angle {
  /** The start of a direction with this angle. */
  opening: string;
}

/** In the order of the cards (`cards.ts`). */
export const ANGLES: readonly Angle[] = [
  { opening: "Behind the scenes" },
  { opening: "How to" },
  { opening: "A closer look" },
  { opening: "Questions people ask" },
  { opening: "Before and after" },
  { opening: "People and their stories" },
];
