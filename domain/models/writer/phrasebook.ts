/** The shape of what the local writer can say. */

/** What the local writer can say in a language. Each sentence is true of any brand, so nothing is made up. */
export interface Phrasebook {
  /** For each card, in order: its name, which may be printed on the picture, and its first sentence. */
  cards: readonly (readonly [name: string, hook: string])[];
  /** Sentences that go on from any hook. */
  thoughts: readonly string[];
  /** Sentences that go on from any thought. */
  remarks: readonly string[];
  /** Words on the pictures of a carousel between its first and its last one. */
  steps: readonly string[];
  closing: string;
  calls: readonly CallToAction[];
  /** What comes before something that the guidance asks to mention, or to show. */
  mentioned: string;
  shown: string;
}

/** A call to action: the last line of a caption. */
export interface CallToAction {
  /** Goals that it suits. */
  goal: RegExp;
  lines: readonly string[];
}
