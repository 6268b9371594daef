/** Directions proposed without a model: the angles on what goal and guidance are about. */
import { ANGLES } from "../angles.ts";
import { subjectOf } from "../phrases.ts";
import { hashOf } from "../random.ts";

/** `count` new directions that are not `known`, the same ones for the same goal. */
export function proposeDirections(
  goal: string,
  guidance: string | null,
  known: readonly string[],
  count: number,
): string[] {
  const subject = subjectOf(goal) ?? subjectOf(guidance ?? "") ?? "what we do";
  const start = hashOf(goal) % ANGLES.length;
  const taken = new Set(known.map((direction) => direction.toLowerCase()));
  const proposed: string[] = [];
  for (let at = 0; proposed.length < count; at++) {
    const { opening } = ANGLES[(start + at) % ANGLES.length]!;
    const round = Math.floor(at / ANGLES.length);
    const direction = `${opening}: ${subject}${round === 0 ? "" : `, take ${round + 1}`}`;
    if (!taken.has(direction.toLowerCase())) proposed.push(direction);
  }
  return proposed;
}
