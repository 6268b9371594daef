/** Outlines: SVG's path words (M L H V C Q Z, absolute) as polygons that the pen can fill. */

/** Corners of a closed outline: x, y, x, y and so on. */
export type Outline = number[];

const ARGUMENTS: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, Q: 4, Z: 0 };
/** Straight pieces that a curve is drawn in. */
const PIECES = 20;

const read = new Map<string, Outline[]>();

/** The outlines of a path; the painter draws the same few hundred paths, so each is read once. */
export function outlinesOf(path: string): Outline[] {
  const known = read.get(path);
  if (known !== undefined) return known;
  const outlines = parsed(path);
  // Paths with measures of their own in them would otherwise fill the memory for good.
  if (read.size > 2_000) read.clear();
  read.set(path, outlines);
  return outlines;
}

function parsed(path: string): Outline[] {
  const outlines: Outline[] = [];
  let outline: Outline = [];
  let [x, y] = [0, 0];
  for (const [, letter = "", rest = ""] of path.matchAll(/([MLHVCQZ])([^MLHVCQZ]*)/g)) {
    const numbers = (rest.match(/-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/g) ?? []).map(Number);
    const size = ARGUMENTS[letter] ?? 0;
    for (let from = 0; from < Math.max(1, numbers.length); from += size || 1) {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers.slice(from, from + size);
      if (letter === "Z") break;
      if (letter === "M" && from === 0) outlines.push(outline = []);
      if (letter === "C") cubic(outline, x, y, a, b, c, d, e, f);
      else if (letter === "Q") {
        const [oneX, oneY] = [x + (a - x) * 2 / 3, y + (b - y) * 2 / 3];
        cubic(outline, x, y, oneX, oneY, c + (a - c) * 2 / 3, d + (b - d) * 2 / 3, c, d);
      }
      [x, y] = letter === "H"
        ? [a, y]
        : letter === "V"
        ? [x, a]
        : letter === "C"
        ? [e, f]
        : letter === "Q"
        ? [c, d]
        : [a, b];
      if (letter !== "C" && letter !== "Q") outline.push(x, y);
    }
  }
  return outlines;
}

function cubic(
  outline: Outline,
  x: number,
  y: number,
  oneX: number,
  oneY: number,
  twoX: number,
  twoY: number,
  toX: number,
  toY: number,
): void {
  for (let piece = 1; piece <= PIECES; piece++) {
    const [t, u] = [piece / PIECES, 1 - piece / PIECES];
    const [one, two, three, four] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
    outline.push(
      x * one + oneX * two + twoX * three + toX * four,
      y * one + oneY * two + twoY * three + toY * four,
    );
  }
}

/** A box with rounded corners. */
export function roundBox(x: number, y: number, width: number, height: number, radius = 0): string {
  const r = Math.min(radius, width / 2, height / 2);
  const [right, low] = [x + width, y + height];
  if (r <= 0) return `M${x} ${y} H${right} V${low} H${x} Z`;
  return `M${x + r} ${y} H${right - r} Q${right} ${y} ${right} ${y + r} V${low - r} ` +
    `Q${right} ${low} ${right - r} ${low} H${x + r} Q${x} ${low} ${x} ${low - r} V${y + r} ` +
    `Q${x} ${y} ${x + r} ${y} Z`;
}
