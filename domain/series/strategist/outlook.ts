/** When posts will tell: how many it takes to see a difference, and until when. */
import { dayOf, WEEK } from "../../foundation/calendar.ts";
import { count } from "../../foundation/text.ts";
import { EFFECT_WIDTH } from "./model.ts";
import { SURE_ERRORS, TELLING } from "./verdicts.ts";

/** How fast a series posts, from when on. */
export interface Pace {
  /** Instant, ms; null when it is not known. */
  at: number | null;
  perWeek: number;
}

interface Contest {
  /** Standard deviation of the log between like posts. */
  noise: number;
  /** Arms that share the posts evenly. */
  arms: number;
}

/** Precision of the prior of an arm's difference from the average of its rivals. */
const priorOf = (arms: number) => 1 / (EFFECT_WIDTH ** 2 * (1 + 1 / (arms - 1)));
/** Precision that one post of the series adds to it. */
const perPost = ({ noise, arms }: Contest) => (1 / arms) * (1 - 1 / arms) / noise ** 2;

/**
 * How many more posts of the series it takes until an arm that earns 30 % more is sure to be seen, in
 * half of all cases.
 * @param error standard error of the arm's difference today, log
 */
export function postsNeeded(contest: Contest, error: number): number {
  const difference = Math.log1p(TELLING);
  const prior = priorOf(contest.arms);
  // It is sure when the estimate, which the prior draws towards zero, is SURE_ERRORS errors large.
  const sure = SURE_ERRORS ** 2;
  const wanted = (sure + Math.sqrt(sure ** 2 + 4 * difference ** 2 * sure * prior)) /
    (2 * difference ** 2);
  const known = Math.max(0, error ** -2 - prior);
  return Math.max(1, Math.ceil((wanted - known) / perPost(contest)));
}

/** The smallest difference that so many posts show, in half of all cases: 0.3 is 30 %. */
export function seenBy(posts: number, contest: Contest): number {
  const known = posts * perPost(contest);
  return Math.expm1(SURE_ERRORS * Math.sqrt(priorOf(contest.arms) + known) / known);
}

/** "about 40 more posts, until about 2026-05-01". */
export function duration(posts: number, { at, perWeek }: Pace): string {
  const weeks = posts / perWeek;
  const until = weeks > 52
    ? ", more than a year"
    : at === null
    ? ""
    : `, until about ${dayOf(at + weeks * WEEK)}`;
  return `about ${count(posts, "more post")}${until}`;
}

/** What a series may ever learn, said before its first posts. */
export function outlook(contest: Contest, pace: Pace, isOwn: boolean): string {
  if (contest.arms < 2) return "";
  const error = EFFECT_WIDTH * Math.sqrt(1 + 1 / (contest.arms - 1));
  const swing = Math.round(Math.expm1(contest.noise) * 100);
  const halfYear = Math.round(seenBy(26 * pace.perWeek, contest) * 100);
  const whose = isOwn ? "This brand's like posts" : "Like posts of most brands";
  return ` ${whose} differ by about ${swing}% for no reason. So at ${
    count(pace.perWeek, "post")
  } a week, to see that a direction earns ${Math.round(TELLING * 100)}% more takes ${
    duration(postsNeeded(contest, error), pace)
  }. Differences below about ${halfYear}% will not show for sure within half a year.`;
}
