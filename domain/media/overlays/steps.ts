/** Reads and writes the line that counts a carousel's images: "2/5". */
import { lengthOf } from "../../foundation/text.ts";
import { LONGEST, type Overlay } from "./shape.ts";

export interface Step {
  step: number;
  of: number;
  /** The step's figure as it is written, which may not be one of ours. */
  shown: string;
}

/** A carousel has at most ten images; more parts of a bar could not be told apart. */
const MOST = 20;

/** The step that a line names, or null if it is any other line. */
export function stepOf(line: string): Step | null {
  const [, shown = "", last = ""] = /^(\p{Nd}{1,2})\s*\/\s*(\p{Nd}{1,2})$/u.exec(line) ?? [];
  const [step, of] = [valueOf(shown), valueOf(last)];
  return step >= 1 && step <= of && of <= MOST ? { step, of, shown } : null;
}

/** The overlay of one image of a carousel: its layout may count the images. */
export function atStep<T extends Overlay | null>(overlay: T, step: number, of: number): T {
  if (overlay?.template !== "stepCard") return overlay;
  return { ...overlay, text: withStep(overlay.text, step, of) };
}

/** The text with the line that counts it, unless it has one, or has no room for one. */
export function withStep(text: string, step: number, of: number): string {
  const [first = ""] = text.split("\n");
  const counted = `${step}/${of}\n${text}`;
  return of < 2 || stepOf(first.trim()) !== null || lengthOf(counted) > LONGEST ? text : counted;
}

/** The number of decimal figures of any script; each has ten in a row that begin at a multiple of ten. */
function valueOf(figures: string): number {
  return [...figures].reduce((sum, figure) => sum * 10 + figureOf(figure), 0);
}

function figureOf(figure: string): number {
  let zero = figure.codePointAt(0)!;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return (figure.codePointAt(0)! - zero) % 10;
}
