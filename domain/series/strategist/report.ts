/** A playbook's texts without a model: what the figures say, what is tried, and how it was decided. */
import { capitalized, count } from "../../foundation/text.ts";
import type { Evidence } from "./evidence.ts";
import type { Ground, Proposal } from "./ground.ts";
import type { Allocation, Dimension } from "../playbook.ts";
import { experimentWords } from "./experiments.ts";
import { MEANING } from "./objective.ts";
import { outlook, type Pace } from "./outlook.ts";
import { ALIKE, FEWEST_POSTS, SURE, WORTH } from "./verdicts.ts";
import { citation, clock, list, name, percent } from "./words.ts";

/** What the texts are about. */
interface Told extends Pick<Proposal, "figures" | "allocation" | "experiments" | "noise"> {
  ground: Ground;
  pace: Pace;
}

export function summaryOf({ ground, figures, allocation, noise, pace }: Told): string {
  const { evidence: { scored, waiting, history }, situation } = ground;
  const young = waiting > 0 ? ` ${count(waiting, "more post")} can't be compared yet.` : "";
  if (scored.length < FEWEST_POSTS) {
    const begin = scored.length === 0
      ? "No posts have been scored yet"
      : `Only ${count(scored.length, "post")} could be scored`;
    return `${begin}: too little data to prefer anything.${young} The plan explores: ` +
      `${count(allocation.directions.length, "direction")} share the slots` +
      `${scored.length === 0 ? `, at ${clock(situation.hourUtc)}` : ""}.` +
      outlook({ noise, arms: allocation.directions.length }, pace, (history ?? null) !== null);
  }
  const found = figures.filter(({ action }) => action === "push");
  const dropped = figures.filter(({ action }) => action === "drop");
  const begin = `${count(scored.length, "post")} scored.${young}`;
  if (found.length === 0 && dropped.length === 0) {
    return `${begin} Nothing stands out for sure yet, so everything stays in play, with more of what looks better.`;
  }
  const better = found.length > 0
    ? ` Better than the rest: ${
      list(found.map((figure) => `${name(figure)} (${percent(figure.lift)})`))
    }.`
    : "";
  const worse = dropped.length > 0
    ? ` Worse, and no longer planned: ${
      list(dropped.map((figure) => `${name(figure)} (${percent(figure.lift)})`))
    }.`
    : "";
  return `${begin}${better}${worse}`;
}

/** How the review decided, with the figures of every arm that has posts. */
export function rationaleOf(told: Told): string {
  const { ground, figures, pace } = told;
  const lines = figures.filter(({ posts, dimension }) => posts > 0 && dimension !== "direction")
    .map((figure) => `${capitalized(name(figure))}: ${citation(figure, ground.evidence, pace)}`);
  return [
    summaryOf(told),
    ...lines,
    objectiveWords(ground.evidence),
    `Better or worse is said from ${FEWEST_POSTS} posts on, when it is ${
      SURE * 100
    }% certain and ` +
    `the difference is at least ${
      WORTH * 100
    }%. About as good is said when the whole interval is ` +
    `within ${ALIKE * 100}%. All else can't be told yet. Growth and good or bad fortnights are ` +
    `taken out. ` +
    `Shares by Thompson sampling, seed ${ground.seed}.`,
  ].join("\n");
}

/** What the posts were judged by, and why. */
function objectiveWords({ objective = "engagement", missed, formatMeasure }: Evidence): string {
  const judged =
    `Posts are judged by ${objective}: ${MEANING[objective]} at equal age, against the ` +
    `brand's own posts of that platform and format.`;
  const instead = missed == null
    ? ""
    : ` The goal asks for ${missed}, but these posts don't report it.`;
  const formats = formatMeasure === null
    ? " Stories and other formats report nothing in common, so neither is called better."
    : formatMeasure === undefined || formatMeasure === objective
    ? ""
    : ` Stories get no likes, so formats are compared by ${formatMeasure}.`;
  return `${judged}${instead}${formats}`;
}

export function experimentsOf({ figures, allocation, ground, experiments }: Told): string[] {
  const declared = ground.at === undefined ? [] : experimentWords(experiments, ground.at);
  const tried = figures.filter(({ dimension, arm, action, posts }) =>
    dimension === "direction" && action === "test" && posts < FEWEST_POSTS &&
    allocation.directions.some((share) => share.arm === arm && share.share > 0)
  ).map(({ arm, posts }) =>
    `Try "${arm}" until it has ${FEWEST_POSTS} posts to judge by (${posts} so far).`
  );
  const compare = (dimension: Dimension, shares: Allocation["formats"], what: string) => {
    const open = shares.filter(({ share }) => share > 0);
    if (open.length < 2) return [];
    const arms = open.map(({ arm, share }) =>
      `${name({ dimension, arm })} (${Math.round(share * 100)}% of the slots)`
    );
    return [`Compare ${what}: ${list(arms)}.`];
  };
  return [
    ...declared,
    ...tried,
    ...compare("hour", allocation.hours, "posting times"),
    ...compare("format", allocation.formats, "formats"),
    ...(ground.situation.overlay === null
      ? compare("template", allocation.templates, "overlay templates")
      : []),
  ];
}

export function overlayGuidanceOf({ ground, figures, allocation, pace }: Told): string {
  const { overlay } = ground.situation;
  if (overlay !== null) {
    return `Keep the series' own template, ${overlay.template}: few words, large.`;
  }
  const best = figures.filter(({ dimension, posts }) => dimension === "template" && posts > 0)
    .find(({ action }) => action === "push");
  if (best !== undefined) {
    return `Prefer ${name(best)}. ${citation(best, ground.evidence, pace)}`;
  }
  return `No template has proven itself: compare ${
    list(
      allocation.templates.filter(({ share }) => share > 0)
        .map(({ arm }) => name({ dimension: "template", arm })),
    )
  }. At most eight words, so that they can be read on a phone.`;
}
