/** Quartiles of numbers. */
import type { Band } from "./shape.ts";

/** The quartiles, interpolated between the numbers next to them. Sorts the array in place. */
export function quartiles(values: Float64Array | Float32Array): Band {
  values.sort();
  const at = (share: number) => {
    const place = share * (values.length - 1);
    const below = values[Math.floor(place)]!;
    return tenths(below + (values[Math.ceil(place)]! - below) * (place % 1));
  };
  return { low: at(0.25), mid: at(0.5), high: at(0.75) };
}

export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
