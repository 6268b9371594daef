/** The sizes and qualities of each family of image models (PLATFORMS.md D.1). */
import type { Size } from "../../media/images/pixels.ts";

/** Models with free sizes take edges that are multiples of this. */
const STEP = 16;
const FIXED: Size[] = [
  { width: 1024, height: 1024 },
  { width: 1024, height: 1536 },
  { width: 1536, height: 1024 },
];
const DALL_E_3: Size[] = [
  { width: 1024, height: 1024 },
  { width: 1024, height: 1792 },
  { width: 1792, height: 1024 },
];

/** The size to ask for: the wanted one, rounded up, if the model is free; else its nearest shape. */
export function sizeFor(model: string, wanted: Size): Size {
  if (takesAnySize(model)) {
    return { width: roundUp(wanted.width), height: roundUp(wanted.height) };
  }
  const known = model === "dall-e-3" ? DALL_E_3 : model === "dall-e-2" ? FIXED.slice(0, 1) : FIXED;
  const distance = (size: Size) => Math.abs(Math.log(shape(size) / shape(wanted)));
  return known.reduce((best, size) => distance(size) < distance(best) ? size : best);
}

/** The quality to ask for, or undefined to leave it to the model. */
export function qualityFor(model: string, wanted: string): string | undefined {
  if (wanted === "auto" || !isGptImage(model)) return undefined;
  const beyondHigh = wanted === "xhigh" || wanted === "max";
  return beyondHigh && !/^gpt-image-(2\.[5-9]|[3-9])/.test(model) ? "high" : wanted;
}

function isGptImage(model: string): boolean {
  return model.startsWith("gpt-image-");
}

/** Models from gpt-image-2 on take any edges that are multiples of 16. */
function takesAnySize(model: string): boolean {
  return /^gpt-image-[2-9]/.test(model);
}

const roundUp = (edge: number) => Math.ceil(edge / STEP) * STEP;
const shape = ({ width, height }: Size) => width / height;
