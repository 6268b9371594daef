/** The pen: filled outlines, lines and discs in the measures of the thing that is drawn. */
import { mix, type Rgb } from "../../../media/images/colour.ts";
import { type Canvas, fill, setBetween, setRgb } from "./canvas.ts";
import { coverageOf } from "./coverage.ts";
import { type Outline, outlinesOf, roundBox } from "./path.ts";
import { shadow } from "./shapes.ts";

/** Where a thing is drawn: its (0, 0), pixels for each of its units, mirrored, turned clockwise. */
export interface Place {
  x: number;
  y: number;
  scale: number;
  isFlipped?: boolean;
  /** Radians. */
  turn?: number;
}

/** One colour, or a gradient over the outline's box: from the top down, or from left to right. */
export type Ink = Rgb | { from: Rgb; to: Rgb; isAcross?: boolean };

export interface Pen {
  canvas: Canvas;
  path(path: string, ink: Ink, alpha?: number): Promise<void>;
  box(x: number, y: number, wide: number, high: number, round: number, ink: Ink): Promise<void>;
  disc(x: number, y: number, wide: number, high: number, ink: Ink, alpha?: number): Promise<void>;
  /** A round-ended line through points x, y, x, y and so on. */
  line(points: number[], thick: number, ink: Ink, alpha?: number): Promise<void>;
  /** A line that bends smoothly through its points. */
  curve(points: number[], thick: number, ink: Ink, alpha?: number): Promise<void>;
  /** Without edge, and never turned. */
  shade(
    x: number,
    y: number,
    wide: number,
    high: number,
    colour: Rgb,
    alpha: number,
  ): Promise<void>;
  /** A pen for a part of the thing, placed in the thing's own measures. */
  at(place: Place): Pen;
}

export function penAt(canvas: Canvas, place: Place): Pen {
  const { x: x0, y: y0, scale, isFlipped = false, turn = 0 } = place;
  const [cos, sin] = [Math.cos(turn) * scale, Math.sin(turn) * scale];
  const mirror = isFlipped ? -1 : 1;
  const put = (outline: Outline): Outline => {
    const placed: Outline = new Array(outline.length);
    for (let at = 0; at < outline.length; at += 2) {
      const [x, y] = [outline[at]! * mirror, outline[at + 1]!];
      placed[at] = x0 + x * cos - y * sin;
      placed[at + 1] = y0 + x * sin + y * cos;
    }
    return placed;
  };
  const draw = (outlines: Outline[], ink: Ink, alpha = 1) =>
    fillOutlines(canvas, outlines.map(put), ink, alpha);
  return {
    canvas,
    path: (path, ink, alpha) => draw(outlinesOf(path), ink, alpha),
    box: (x, y, wide, high, round, ink) => draw(outlinesOf(roundBox(x, y, wide, high, round)), ink),
    disc: (x, y, wide, high, ink, alpha) => draw([ellipse(x, y, wide, high, scale)], ink, alpha),
    line: (points, thick, ink, alpha) => draw([...ribbon(points, thick, scale)], ink, alpha),
    curve: (points, thick, ink, alpha) => draw([...ribbon(bent(points), thick, scale)], ink, alpha),
    shade: (x, y, wide, high, colour, alpha) => {
      const [centreX = 0, centreY = 0] = put([x, y]);
      const at = { x: centreX, y: centreY, radiusX: wide * scale, radiusY: high * scale };
      return shadow(canvas, at, colour, alpha);
    },
    at: (part) => {
      const [x = 0, y = 0] = put([part.x, part.y]);
      return penAt(canvas, {
        x,
        y,
        scale: scale * part.scale,
        isFlipped: isFlipped !== (part.isFlipped ?? false),
        turn: turn + (part.turn ?? 0) * mirror,
      });
    },
  };
}

async function fillOutlines(canvas: Canvas, outlines: Outline[], ink: Ink, alpha: number) {
  const coverage = coverageOf(outlines, canvas);
  if (coverage === null) return;
  const { left, top, width, height, cells } = coverage;
  const box = { left, top, width, height };
  if (!("from" in ink)) {
    await fill(canvas, (x, y, paint) => {
      const covered = Math.abs(cells[(y - top | 0) * width + (x - left | 0)]!);
      setRgb(paint, ink);
      paint[3] = covered < 0.004 ? 0 : (covered > 0.996 ? 1 : covered) * alpha;
    }, box);
    return;
  }
  const { from, to, isAcross = false } = ink;
  await fill(canvas, (x, y, paint) => {
    const covered = Math.abs(cells[(y - top | 0) * width + (x - left | 0)]!);
    setBetween(paint, from, to, isAcross ? (x - left) / width : (y - top) / height);
    paint[3] = covered < 0.004 ? 0 : (covered > 0.996 ? 1 : covered) * alpha;
  }, box);
}

/** With as many corners as keep it smooth at its size in pixels. */
function ellipse(x: number, y: number, wide: number, high: number, scale: number): Outline {
  const outline: Outline = [];
  const corners = Math.ceil(10 + 5 * Math.sqrt(Math.max(wide, high) * scale));
  for (let corner = 0; corner < corners; corner++) {
    const angle = corner / corners * Math.PI * 2;
    outline.push(x + Math.cos(angle) * wide, y + Math.sin(angle) * high);
  }
  return outline;
}

/** Points between the points, on a Catmull-Rom spline. */
function bent(points: number[]): number[] {
  const last = points.length / 2 - 1;
  const at = (index: number, axis: number) =>
    points[2 * Math.min(last, Math.max(0, index)) + axis]!;
  const all = [at(0, 0), at(0, 1)];
  for (let index = 0; index < last; index++) {
    for (let piece = 1; piece <= 6; piece++) {
      const t = piece / 6;
      for (const axis of [0, 1]) {
        const [before, from, to, after] = [-1, 0, 1, 2].map((by) => at(index + by, axis)) as [
          number,
          number,
          number,
          number,
        ];
        all.push(
          from + 0.5 * t * (to - before +
                t *
                  (2 * before - 5 * from + 4 * to - after +
                    t * (3 * (from - to) + after - before))),
        );
      }
    }
  }
  return all;
}

/** A line as outlines that all turn the same way, so that overlaps stay filled. */
function* ribbon(points: number[], thick: number, scale: number): Generator<Outline> {
  const half = thick / 2;
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = [points[at]!, points[at + 1]!];
    yield ellipse(x, y, half, half, scale);
    if (at === 0) continue;
    const [fromX, fromY] = [points[at - 2]!, points[at - 1]!];
    const long = Math.hypot(x - fromX, y - fromY) || 1;
    const [acrossX, acrossY] = [(fromY - y) / long * half, (x - fromX) / long * half];
    yield [
      fromX - acrossX,
      fromY - acrossY,
      x - acrossX,
      y - acrossY,
      x + acrossX,
      y + acrossY,
      fromX + acrossX,
      fromY + acrossY,
    ];
  }
}

/** Lit from the left: lighter there, darker on the right. */
export function rounded(colour: Rgb, most = 0.18): Ink {
  return {
    from: mix(colour, [255, 255, 255], most),
    to: mix(colour, [20, 16, 30], most),
    isAcross: true,
  };
}
