/** Words for made-up posts. */
import type { Draws } from "./draws.ts";

const OPENINGS = [
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
];
const MIDDLES = [
  "It started as a sketch and ended as a plan.",
  "Tell us in the comments what you would do.",
  "More of this next week.",
  "Every piece is made by hand, 100% by the same two people.",
  "The light does most of the work.",
  "Swipe to see how it went.",
  "Thank you for five years.",
  "Half price until Sunday [while it lasts].",
];
const TAGS = [
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
];
const TITLES = [
  "How we built it in a week",
  "The honest review",
  "One day at the studio",
  "Five mistakes we made",
  "Everything about the new collection",
  "Ask us anything",
  "The long way home",
];
const SCENES = [
  "A wooden table with tools in morning light",
  "Two people laughing at a desk",
  "A cup of coffee beside a notebook",
  "A shelf with clay pots",
  "An open door to a garden",
];

/** A caption with one to four hashtags, and the address in it when there is one. */
export function captionFor(
  draws: Draws,
  link: string | null,
): { caption: string; tags: string[] } {
  const tags = [...new Set(Array.from({ length: draws.whole(1, 4) }, () => draws.pick(TAGS)))];
  const text = [draws.pick(OPENINGS), draws.pick(MIDDLES), link].filter((part) => part !== null);
  return { caption: `${text.join(" ")}\n\n${tags.map((tag) => `#${tag}`).join(" ")}`, tags };
}

export const titleFor = (draws: Draws): string => `${draws.pick(TITLES)} (${draws.whole(1, 99)})`;

export const altTextFor = (draws: Draws): string => draws.pick(SCENES);
