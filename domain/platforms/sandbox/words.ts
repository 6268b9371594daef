/** Words for made-up posts. */
import type { Draws } from "./draws.ts";

/** The handle of the demo's invented brand, whose posts are about one thing. */
export const LANTERNFOLD = "lanternfold.coffee";

interface Words {
  openings: readonly string[];
  middles: readonly string[];
  tags: readonly string[];
  titles: readonly string[];
  scenes: readonly string[];
}

const ANYBODY: Words = {
  openings: [
    "Fresh from the workshop this morning.",
    "Three things we learned this week (and one we forgot).",
    "Our favourite corner of the studio.",
    "Nobody told us it would take this long.",
    "Behind the scenes with the team.",
    "A small change that made a big difference.",
    "You asked, we listened.",
    "Slow mornings, good coffee.",
    "Before and after: which one do you prefer?",
    "Save this for later.",
    "We are hiring!",
    "Meet the people who make it happen.",
  ],
  middles: [
    "It started as a sketch and ended as a plan.",
    "Tell us in the comments what you would do.",
    "More of this next week.",
    "Every piece is made by hand, 100% by the same two people.",
    "The light does most of the work.",
    "Swipe to see how it went.",
    "Thank you for five years.",
    "Half price until Sunday [while it lasts].",
  ],
  tags: [
    "design",
    "studio",
    "handmade",
    "coffee",
    "smallbusiness",
    "behindthescenes",
    "craft",
    "launch",
    "teamwork",
    "slowliving",
  ],
  titles: [
    "How we built it in a week",
    "The honest review",
    "One day at the studio",
    "Five mistakes we made",
    "Everything about the new collection",
    "Ask us anything",
    "The long way home",
  ],
  scenes: [
    "A wooden table with tools in morning light",
    "Two people laughing at a desk",
    "A cup of coffee beside a notebook",
    "A shelf with clay pots",
    "An open door to a garden",
  ],
};

const COFFEE: Words = {
  openings: [
    "First light over the harbour, first pot of the day.",
    "The roaster has been warm since five.",
    "New on the shelf: a washed Ethiopian from a small harvest.",
    "Three brews, one bean, three different cups.",
    "Mira tasted eleven samples so that you need to taste one.",
    "The summer menu is here: cold brew with orange peel.",
    "Last days of our summer roast.",
    "Saturday is tasting day.",
    "How we dial in a new bean.",
    "A quiet corner for a loud week.",
    "What is in the bag, and what is not.",
    "Rain on the harbour, slow pour inside.",
  ],
  middles: [
    "Peach, black tea and a long finish.",
    "Grind a little coarser than you think and give it four minutes.",
    "Come by the roastery, the door is open from eight.",
    "Twelve kilos a batch, by hand, never in a hurry.",
    "Tell us how you brew it at home.",
    "Swipe to see it go from green to brown.",
    "The table by the window is the first to go.",
    "We ship on Tuesdays, so it reaches you before the weekend.",
  ],
  tags: [
    "slowcoffee",
    "smallbatch",
    "coffeeroaster",
    "pourover",
    "coldbrew",
    "coffeetasting",
    "harbour",
    "lanternfold",
  ],
  titles: [
    "How to brew a quiet cup",
    "One day at the roastery",
    "From green to brown in eleven minutes",
    "Five mistakes with a hand grinder",
    "Tasting notes, explained",
    "What makes a summer roast",
    "A walk along the harbour, with coffee",
  ],
  scenes: [
    "A cup of coffee on a wooden counter in morning light",
    "Hands pouring water over ground coffee",
    "Bags of coffee on a shelf",
    "A drum roaster beside a window",
    "Boats in the harbour behind a cafe table",
  ],
};

const wordsOf = (handle: string): Words => handle.toLowerCase() === LANTERNFOLD ? COFFEE : ANYBODY;

/** A caption with one to four hashtags, and the address in it when there is one. */
export function captionFor(
  draws: Draws,
  handle: string,
  link: string | null,
): { caption: string; tags: string[] } {
  const words = wordsOf(handle);
  const tags = [
    ...new Set(Array.from({ length: draws.whole(1, 4) }, () => draws.pick(words.tags))),
  ];
  const text = [draws.pick(words.openings), draws.pick(words.middles), link].filter((part) =>
    part !== null
  );
  return { caption: `${text.join(" ")}\n\n${tags.map((tag) => `#${tag}`).join(" ")}`, tags };
}

export const titleFor = (draws: Draws, handle: string): string =>
  `${draws.pick(wordsOf(handle).titles)} (${draws.whole(1, 99)})`;

export const altTextFor = (draws: Draws, handle: string): string =>
  draws.pick(wordsOf(handle).scenes);
