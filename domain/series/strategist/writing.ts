/** The text model's part of a review: words and new directions, without figures of its own. */
import { z } from "zod";
import type { WritingTask } from "../../models/model.ts";
import type { Ground, Proposal } from "./ground.ts";
import { cutAtSentence } from "../../foundation/text.ts";
import { citesOnly } from "./words.ts";

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

export function playbookTask(
  ground: Ground,
  { playbook, rationale }: Proposal,
  proposed: string[],
): WritingTask<Words> {
  const { goal, guidance, formats } = ground.situation;
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

/** The proposal in the model's words. A text that cites other figures is replaced by our own. */
export function worded(proposal: Proposal, words: Words, { situation }: Ground): Proposal {
  const given = `${situation.goal}\n${situation.guidance ?? ""}`;
  const honest = (text: string, ours: string) =>
    /\S/.test(text) && citesOnly(text, `${ours}\n${given}`);
  const keep = (text: string, ours: string) =>
    honest(text, ours) ? cutAtSentence(text.trim(), TEXT_LENGTH) : ours;
  const { playbook } = proposal;
  const summary = keep(words.summary, playbook.summary);
  const experiments = words.experiments.slice(0, MOST_EXPERIMENTS)
    .filter((text) => honest(text, playbook.experiments.join("\n")))
    .map((text) => cutAtSentence(text.trim(), EXPERIMENT_LENGTH));
  const directions = playbook.directions.map((own) => {
    const text = words.rationales.find(({ direction }) => direction === own.direction)?.rationale;
    const said = keep(text ?? "", own.rationale);
    // Our own rationale is kept as well, because it holds the figures.
    return { ...own, rationale: said === own.rationale ? said : `${said} ${own.rationale}` };
  });
  return {
    ...proposal,
    rationale: summary === playbook.summary
      ? proposal.rationale
      : `${summary}\n${proposal.rationale}`,
    playbook: {
      ...playbook,
      summary,
      directions,
      overlayGuidance: keep(words.overlayGuidance, playbook.overlayGuidance),
      experiments: experiments.length > 0 ? experiments : playbook.experiments,
    },
  };
}
