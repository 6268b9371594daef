/** The text model's part of a review: words and new directions, kept only where the figures bear them out. */
import { z } from "zod";
import type { WritingTask } from "../models/model.ts";
import type { Draft, Ground } from "./playbook.ts";
import { cutAtSentence } from "../text.ts";
import { citesOnly } from "./words.ts";

const DIRECTION_LENGTH = 120;
const TEXT_LENGTH = 1_000;
const EXPERIMENT_LENGTH = 300;
const MOST_EXPERIMENTS = 6;

const Words = z.strictObject({
  summary: z.string(),
  overlayGuidance: z.string(),
  experiments: z.array(z.string()),
  newDirections: z.array(z.string()),
  rationales: z.array(z.strictObject({ direction: z.string(), rationale: z.string() })),
});
export type Words = z.output<typeof Words>;

const INSTRUCTIONS =
  "You are the content strategist of a brand. The decisions and figures are given and final: don't " +
  "change them and don't calculate. Write `summary`, `overlayGuidance` and `experiments` in clear, " +
  "simple words; for each direction of the playbook a `rationale`. Cite only figures that stand in the " +
  "matching text of `playbook`, exactly as written, percent signs included; no other amounts, not in " +
  "words either. Where there is too little data, say so. Give `wanted` `newDirections` that serve goal " +
  "and guidance, differ from the known ones, and replace those in `proposed`: each a short phrase.";

export function playbookTask(ground: Ground, draft: Draft, proposed: string[]): WritingTask<Words> {
  const { goal, guidance, formats } = ground.situation;
  const { playbook, rationale } = draft;
  return {
    name: "playbook",
    instructions: INSTRUCTIONS,
    facts: { goal, guidance, formats, playbook, rationale, wanted: proposed.length, proposed },
    schema: Words,
    local: () => ({
      summary: playbook.summary,
      overlayGuidance: playbook.overlayGuidance,
      experiments: playbook.experiments,
      newDirections: proposed,
      rationales: playbook.directions.map(({ direction, rationale }) => ({ direction, rationale })),
    }),
  };
}

/** As many directions as are wanted: the model's where they are usable, else the local ones. */
export function directionsFrom(
  offered: readonly string[],
  known: readonly string[],
  local: readonly string[],
): string[] {
  const taken = new Set(known.map(folded));
  const chosen: string[] = [];
  for (const direction of [...offered.map((each) => each.trim().replace(/\s+/g, " ")), ...local]) {
    if (chosen.length === local.length) break;
    if (!/\S/.test(direction) || direction.length > DIRECTION_LENGTH) continue;
    if (taken.has(folded(direction))) continue;
    taken.add(folded(direction));
    chosen.push(direction);
  }
  return chosen;
}

/** The draft in the model's words; where they cite what is not ours, it keeps its own. */
export function worded(draft: Draft, words: Words, { situation }: Ground): Draft {
  const given = `${situation.goal}\n${situation.guidance ?? ""}`;
  const honest = (text: string, ours: string) =>
    /\S/.test(text) && citesOnly(text, `${ours}\n${given}`);
  const keep = (text: string, ours: string) =>
    honest(text, ours) ? cutAtSentence(text.trim(), TEXT_LENGTH) : ours;
  const { playbook } = draft;
  const summary = keep(words.summary, playbook.summary);
  const experiments = words.experiments.slice(0, MOST_EXPERIMENTS)
    .filter((text) => honest(text, playbook.experiments.join("\n")))
    .map((text) => cutAtSentence(text.trim(), EXPERIMENT_LENGTH));
  const directions = playbook.directions.map((own) => {
    const text = words.rationales.find(({ direction }) => direction === own.direction)?.rationale;
    const said = keep(text ?? "", own.rationale);
    // The figures stand in every rationale, whoever wrote the rest.
    return { ...own, rationale: said === own.rationale ? said : `${said} ${own.rationale}` };
  });
  return {
    ...draft,
    rationale: summary === playbook.summary ? draft.rationale : `${summary}\n${draft.rationale}`,
    playbook: {
      ...playbook,
      summary,
      directions,
      overlayGuidance: keep(words.overlayGuidance, playbook.overlayGuidance),
      experiments: experiments.length > 0 ? experiments : playbook.experiments,
    },
  };
}

const folded = (direction: string) => direction.trim().toLowerCase();
