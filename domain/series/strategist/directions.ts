/** New directions: proposed without a model, and chosen from what a model offers. */
import { ANGLES } from "../../models/writer/angles.ts";
import { subjectOf } from "../../models/writer/phrases.ts";
import { hashOf } from "../../foundation/chance.ts";

const LONGEST = 120;

/** `count` new directions beside the `known` ones; the same goal gives the same ones. */
export function proposeDirections(
  goal: string,
  guidance: string | null,
  known: readonly string[],
  count: number,
): string[] {
  const subject = subjectOf(goal) ?? subjectOf(guidance ?? "") ?? "what we do";
  const start = hashOf(goal) % ANGLES.length;
  const angles = [...ANGLES.slice(start), ...ANGLES.slice(0, start)];
  const taken = new Set(known.map(folded));
  const proposed: string[] = [];
  for (let round = 1; proposed.length < count; round++) {
    const suffix = round === 1 ? "" : `, take ${round}`;
    proposed.push(
      ...angles.map(({ opening }) => `${opening}: ${subject}${suffix}`)
        .filter((direction) => !taken.has(folded(direction))),
    );
  }
  return proposed.slice(0, count);
}

/** As many directions as `local` has: the model's where they are usable, else the local ones. */
export function directionsFrom(
  offered: readonly string[],
  known: readonly string[],
  local: readonly string[],
): string[] {
  const taken = new Set(known.map(folded));
  const chosen: string[] = [];
  for (const direction of [...offered.map((each) => each.trim().replace(/\s+/g, " ")), ...local]) {
    if (chosen.length === local.length) break;
    if (!/\S/.test(direction) || direction.length > LONGEST) continue;
    if (taken.has(folded(direction))) continue;
    taken.add(folded(direction));
    chosen.push(direction);
  }
  return chosen;
}

const folded = (direction: string) => direction.trim().toLowerCase();
