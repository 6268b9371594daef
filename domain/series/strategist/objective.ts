/** What a series is judged by: the objective follows its goal, as far as its posts report it. */

/** What a post earned, by what it is compared. */
export const MEASURES = ["engagement", "reach", "views", "clicks"] as const;
export type Measure = typeof MEASURES[number];

/** What a goal can ask for. */
export type Objective = Exclude<Measure, "views">;

const ASKED: [Objective, RegExp][] = [
  [
    "clicks",
    /\b(?:clicks?|traffic|web ?sites?|web ?shop|landing pages?|links?|sign[- ]?ups?|downloads?)\b/iu,
  ],
  [
    "reach",
    /\b(?:reach|awareness|visibility|impressions|be seen|be known|become known|well[- ]known|get known)\b/iu,
  ],
];

/** Clicks or reach where the goal names them, else engagement. */
export function objectiveOf(goal: string): Objective {
  return ASKED.find(([, words]) => words.test(goal))?.[0] ?? "engagement";
}

/** The measures in words, for reviews. */
export const MEANING: Record<Measure, string> = {
  engagement: "likes, comments, shares and saves",
  reach: "the people reached",
  views: "views",
  clicks: "link clicks",
};

/** A post's numbers at equal age. Null (or absent): not reported. */
export type Earned =
  & { engagement: number }
  & {
    [Each in Exclude<Measure, "engagement">]?: number | null;
  };

/** Fewer posts that report it, and a measure would judge by an accident of what was reported. */
const REPORTED_BY = 0.8;

/** Whether nearly all of the posts report the measure, and any of them more than 0. */
export function reports(posts: readonly Earned[], measure: Measure): boolean {
  const reported = posts.filter((post) => typeof post[measure] === "number");
  return reported.length > 0 && reported.length >= REPORTED_BY * posts.length &&
    reported.some((post) => (post[measure] ?? 0) > 0);
}

/**
 * The measure by which formats are compared. Stories get no likes, so beside other formats they are
 * compared by what both report. Null: nothing is reported by both, so neither is called better.
 */
export function measureOfFormats(
  posts: readonly (Earned & { format: string })[],
  objective: Measure,
): Measure | null {
  const stories = posts.filter(({ format }) => format === "story");
  const others = posts.filter(({ format }) => format !== "story");
  if (stories.length === 0 || others.length === 0 || objective === "reach") return objective;
  const both = (measure: Measure) => reports(stories, measure) && reports(others, measure);
  return (["reach", "views"] as const).find(both) ?? null;
}
