/** How much of each pixel an outline covers: signed areas summed along rows, as font rasterizers do. */
import type { Outline } from "./path.ts";

export interface Coverage {
  left: number;
  top: number;
  width: number;
  height: number;
  /** -1 to 1 and beyond where outlines overlap; its size is what counts. */
  cells: Float32Array;
}

/** Outlines in pixels → the covered share of each pixel of their box; null when none is on the canvas. */
export function coverageOf(
  outlines: Outline[],
  size: { width: number; height: number },
): Coverage | null {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const outline of outlines) {
    for (let at = 0; at < outline.length; at += 2) {
      minX = Math.min(minX, outline[at]!);
      maxX = Math.max(maxX, outline[at]!);
      minY = Math.min(minY, outline[at + 1]!);
      maxY = Math.max(maxY, outline[at + 1]!);
    }
  }
  const [left, top] = [Math.max(0, Math.floor(minX)), Math.max(0, Math.floor(minY))];
  const width = Math.min(size.width, Math.ceil(maxX)) - left;
  const height = Math.min(size.height, Math.ceil(maxY)) - top;
  if (!(width > 0 && height > 0)) return null;
  // One cell more a row: what is right of the box ends there and touches no pixel.
  const stride = width + 2;
  const cells = new Float32Array(stride * height);
  for (const outline of outlines) {
    let [x, y] = [outline[outline.length - 2]! - left, outline[outline.length - 1]! - top];
    for (let at = 0; at < outline.length; at += 2) {
      const [nextX, nextY] = [outline[at]! - left, outline[at + 1]! - top];
      addEdge(cells, stride, width, height, x, y, nextX, nextY);
      [x, y] = [nextX, nextY];
    }
  }
  for (let row = 0; row < height; row++) {
    let sum = 0;
    for (let at = row * stride, end = at + stride; at < end; at++) {
      sum += cells[at]!;
      cells[at] = sum;
    }
  }
  return { left, top, width: stride, height, cells };
}

function addEdge(
  cells: Float32Array,
  stride: number,
  width: number,
  height: number,
  fromX: number,
  fromY: number,
  toX: number,
  toY: number,
): void {
  if (fromY === toY) return;
  const direction = fromY < toY ? 1 : -1;
  const [x0, y0, x1, y1] = fromY < toY ? [fromX, fromY, toX, toY] : [toX, toY, fromX, fromY];
  const slope = (x1 - x0) / (y1 - y0);
  const first = Math.max(0, y0);
  let x = x0 + (first - y0) * slope;
  for (let row = Math.floor(first); row < Math.min(height, Math.ceil(y1)); row++) {
    const rise = Math.min(row + 1, y1) - Math.max(row, first);
    const nextX = x + slope * rise;
    const weight = rise * direction;
    const low = Math.min(width, Math.max(0, Math.min(x, nextX)));
    const high = Math.min(width, Math.max(0, Math.max(x, nextX)));
    addRow(cells, row * stride, low, high, weight);
    x = nextX;
  }
}

/** Spreads the height of an edge within one row over the pixels that it crosses. */
function addRow(cells: Float32Array, at: number, low: number, high: number, weight: number): void {
  const start = Math.floor(low);
  const end = Math.ceil(high);
  if (end <= start + 1) {
    const middle = (low + high) / 2 - start;
    cells[at + start]! += weight * (1 - middle);
    cells[at + start + 1]! += weight * middle;
    return;
  }
  const share = 1 / (high - low);
  const gone = 1 - (low - start);
  const first = 0.5 * share * gone * gone;
  const rest = high - end + 1;
  const last = 0.5 * share * rest * rest;
  cells[at + start]! += weight * first;
  if (end === start + 2) {
    cells[at + start + 1]! += weight * (1 - first - last);
  } else {
    const second = share * (1.5 - (low - start));
    cells[at + start + 1]! += weight * (second - first);
    for (let x = start + 2; x < end - 1; x++) cells[at + x]! += weight * share;
    const so = second + (end - start - 3) * share;
    cells[at + end - 1]! += weight * (1 - so - last);
  }
  cells[at + end]! += weight * last;
}
