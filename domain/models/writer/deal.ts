/** Deals topics from the deck, so that what was used longest ago comes next. */
import { ANGLES } from "./angles.ts";
import { CARDS_AN_ANGLE, PHRASEBOOKS, SCENES } from "./cards.ts";
import type { Phrasebook } from "./phrasebook.ts";
import { hashOf } from "../../foundation/chance.ts";

/** A topic that a series has had. */
export interface Used {
  topic: string;
  captionAngle: string;
}

export interface Dealt {
  /** The card's name: a few words that may be printed on the picture. */
  name: string;
  scene: string;
  /** The sentences of the caption: the hook, a line break, then the rest. */
  text: string;
}

/** A card does not come back within this many topics. */
const APART = 30;

const ENGLISH_NAMES = PHRASEBOOKS["en"]?.cards ?? [];

/**
 * The next card of a series.
 * @param book null: no language to write in, so the card has no text, and its name is for planning only
 * @param used the topics so far, oldest first
 * @param direction cards of its angle come first
 * @param seed each series begins elsewhere in the deck
 */
export function deal(
  book: Phrasebook | null,
  { used, direction, seed, avoid }: {
    used: readonly Used[];
    direction: string;
    seed: string;
    /** Words that no sentence may contain. */
    avoid: readonly string[];
  },
): Dealt {
  const angle = ANGLES.findIndex(({ opening }) =>
    direction.toLowerCase().startsWith(opening.toLowerCase())
  );
  const cards = book?.cards ?? ENGLISH_NAMES;
  const lastUsed = (isIn: (entry: Used) => boolean) => used.findLastIndex(isIn);
  const next = leastRecent(
    cards.length,
    seed,
    (card) => {
      const [name, hook] = cards[card] ?? ["", ""];
      const at = lastUsed(({ topic }) => topic === name || topic.startsWith(`${name}:`));
      const isOfAngle = Math.floor(card / CARDS_AN_ANGLE) === angle;
      const isFree = at < used.length - APART || at === -1;
      // Cards of the angle come first while they are free; then the one used longest ago.
      return (isFree ? isOfAngle ? -2 * APART : 0 : 4 * APART) + at +
        (hits(hook, avoid) ? 8 * APART : 0);
    },
  );
  const [name = "", hook = ""] = cards[next] ?? [];
  const scene = SCENES[next] ?? "";
  if (book === null) return { name, scene, text: "" };
  const sentence = (pool: readonly string[]) =>
    pool[
      leastRecent(pool.length, seed, (place) => {
        const text = pool[place] ?? "";
        return lastUsed(({ captionAngle }) => captionAngle.includes(text)) +
          (hits(text, avoid) ? 8 * APART : 0);
      })
    ] ?? "";
  return {
    name,
    scene,
    text: `${hook}\n${sentence(book.thoughts)} ${sentence(book.remarks)}`,
  };
}

/** The place with the lowest rank; of several the first from where the seed begins. */
function leastRecent(count: number, seed: string, rankOf: (place: number) => number): number {
  const start = hashOf(seed) % count;
  let best = { place: start, rank: Infinity };
  for (let step = 0; step < count; step++) {
    const place = (start + step) % count;
    const rank = rankOf(place);
    if (rank < best.rank) best = { place, rank };
  }
  return best.place;
}

function hits(text: string, avoid: readonly string[]): boolean {
  const words = text.toLowerCase();
  return avoid.some((word) => word.trim() !== "" && words.includes(word.trim().toLowerCase()));
}
