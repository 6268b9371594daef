/** The local strategist's texts: what the figures say, what is being tried, and how it was decided. */
import { capitalized, count } from "../text.ts";
import type { Ground } from "./playbook.ts";
import type { Allocation, Dimension, Figure } from "./shape.ts";
import { ENOUGH_POSTS, FEWEST_POSTS, SURE, WORTH } from "./verdicts.ts";
import { citation, list, percent } from "./words.ts";

export interface Told {
  ground: Ground;
  figures: Figure[];
  allocation: Allocation;
}

export function summaryOf({ ground, figures, allocation }: Told): string {
  const { evidence: { scored, waiting }, situation } = ground;
  const young = waiting > 0 ? ` ${count(waiting, "more post")} can't be compared yet.` : "";
  if (scored.length < FEWEST_POSTS) {
    const begin = scored.length === 0
      ? "No posts have been scored yet"
      : `Only ${count(scored.length, "post")} could be scored`;
    return `${begin}: too little data to prefer anything.${young} The plan explores: ` +
      `${count(allocation.directions.length, "direction")} share the slots` +
      `${scored.length === 0 ? `, at ${clock(situation.hourUtc)}` : ""}.`;
  }
  const found = figures.filter(({ action }) => action === "push");
  const dropped = figures.filter(({ action }) => action === "drop");
  const begin = `${count(scored.length, "post")} scored.${young}`;
  if (found.length === 0 && dropped.length === 0) {
    return `${begin} Nothing stands out for sure yet, so everything stays in play, more of what looks better.`;
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

/** How the review came to its playbook, with the figures of every arm that has posts. */
export function rationaleOf(told: Told): string {
  const { ground, figures } = told;
  const { scored } = ground.evidence;
  const lines = figures.filter(({ posts, dimension }) => posts > 0 && dimension !== "direction")
    .map((figure) => `${capitalized(name(figure))}: ${citation(figure, scored)}`);
  return [
    summaryOf(told),
    ...lines,
    `Engagement is likes, comments, shares and saves at equal age, against the brand's own posts of ` +
    `that platform and format. A verdict needs ${FEWEST_POSTS} posts, ${
      SURE * 100
    }% certainty and a ` +
    `difference of at least ${
      WORTH * 100
    }%; from ${ENOUGH_POSTS} posts on, no difference means hold. ` +
    `Shares by Thompson sampling, seed ${ground.seed}.`,
  ].join("\n");
}

export function experimentsOf({ figures, allocation, ground }: Told): string[] {
  const tried = figures.filter(({ dimension, arm, action }) =>
    dimension === "direction" && action === "test" &&
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
    ...tried,
    ...compare("hour", allocation.hours, "posting times"),
    ...compare("format", allocation.formats, "formats"),
    ...(ground.situation.overlay === null
      ? compare("template", allocation.templates, "overlay templates")
      : []),
  ];
}

export function overlayGuidanceOf({ ground, figures, allocation }: Told): string {
  const { overlay } = ground.situation;
  if (overlay !== null) {
    return `Keep the series' own template, ${overlay.template}: few words, large.`;
  }
  const best = figures.filter(({ dimension, posts }) => dimension === "template" && posts > 0)
    .find(({ action }) => action === "push");
  if (best !== undefined) {
    return `Prefer ${name(best)}. ${citation(best, ground.evidence.scored)}`;
  }
  return `No template has proven itself: compare ${
    list(
      allocation.templates.filter(({ share }) => share > 0)
        .map(({ arm }) => name({ dimension: "template", arm })),
    )
  }. At most eight words, so that they can be read on a phone.`;
}

function name({ dimension, arm }: Pick<Figure, "dimension" | "arm">): string {
  switch (dimension) {
    case "direction":
      return `"${arm}"`;
    case "hour":
      return clock(Number(arm));
    case "template":
      return arm === "none" ? "no overlay" : `template ${arm}`;
    case "format":
      return `format ${arm}`;
  }
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00 UTC`;
}
