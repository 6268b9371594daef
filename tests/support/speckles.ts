/** Finds the traces of a colour that wrapped around: full and empty side by side where no edge is. */
import type { Size } from "../../domain/media/images/pixels.ts";

const FULL = 235;
const EMPTY = 60;
/** How far from a pixel its surroundings are looked at. */
const REACH = 2;
/** A step between two surroundings that an edge of something drawn makes. */
const EDGE = 90;

/** The most that a channel changes between neighbours on one surface. */
const KEPT = 40;

export interface Picture extends Size {
  /** RGB, three bytes a pixel. */
  data: ArrayLike<number>;
}

/**
 * Neighbours of which one channel is nearly full beside nearly empty although their surroundings
 * are alike. Where something drawn ends, the surroundings (their medians) differ as well.
 */
export function specklesIn({ data, width, height }: Picture): number {
  let speckles = 0;
  const at = (x: number, y: number, channel: number) => data[(y * width + x) * 3 + channel]!;
  const around = (x0: number, y0: number, channel: number) => {
    const values: number[] = [];
    for (let y = Math.max(0, y0 - REACH); y <= Math.min(height - 1, y0 + REACH); y++) {
      for (let x = Math.max(0, x0 - REACH); x <= Math.min(width - 1, x0 + REACH); x++) {
        values.push(at(x, y, channel));
      }
    }
    return values.sort((a, b) => a - b)[values.length >> 1]!;
  };
  const step = (x: number, y: number, nextX: number, nextY: number, channel: number) =>
    Math.abs(at(x, y, channel) - at(nextX, nextY, channel));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (const [nextX, nextY] of [[x + 1, y], [x, y + 1]] as const) {
        if (nextX === width || nextY === height) continue;
        const jumps = [0, 1, 2].filter((channel) =>
          jumped(at(x, y, channel), at(nextX, nextY, channel))
        );
        // Dark beside white jumps in all three; a colour that wrapped keeps one channel at least.
        if (jumps.length === 0 || jumps.length === 3) continue;
        const kept = [0, 1, 2].filter((channel) => !jumps.includes(channel));
        if (kept.some((channel) => step(x, y, nextX, nextY, channel) > KEPT)) continue;
        const isEdge = jumps.some((channel) =>
          Math.abs(around(x, y, channel) - around(nextX, nextY, channel)) > EDGE
        );
        if (!isEdge) speckles++;
      }
    }
  }
  return speckles;
}

function jumped(one: number, other: number): boolean {
  return Math.max(one, other) > FULL && Math.min(one, other) < EMPTY;
}
