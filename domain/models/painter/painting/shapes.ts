/** Paints solid shapes lit from the upper left: shadows, discs, balls, cylinders, arches and leaves. */
import { BLACK, mix, type Rgb, WHITE } from "../../../media/images/colour.ts";
import { blend, type Canvas, clamp, fill, setBetween, setRgb, smooth } from "./canvas.ts";

export interface Ellipse {
  x: number;
  y: number;
  radiusX: number;
  radiusY: number;
}

/** A soft shadow without an edge. */
export async function shadow(canvas: Canvas, at: Ellipse, colour: Rgb, alpha: number) {
  await fill(canvas, (x, y, paint) => {
    const dx = (x - at.x) / at.radiusX;
    const dy = (y - at.y) / at.radiusY;
    const away = dx * dx + dy * dy;
    setRgb(paint, colour);
    paint[3] = away >= 1 ? 0 : alpha * (1 - away) * (1 - away);
  }, around(at));
}

/** A flat disc or ellipse; `light` shades it from upper left to lower right, below 0 the other way. */
export async function disc(canvas: Canvas, at: Ellipse, colour: Rgb, light = 0.12) {
  const raised = mix(colour, WHITE, Math.abs(light));
  const sunken = mix(colour, BLACK, Math.abs(light));
  const [bright, dark] = light < 0 ? [sunken, raised] : [raised, sunken];
  const edge = Math.min(at.radiusX, at.radiusY);
  await fill(canvas, (x, y, paint) => {
    const dx = (x - at.x) / at.radiusX;
    const dy = (y - at.y) / at.radiusY;
    const away = Math.sqrt(dx * dx + dy * dy);
    setBetween(paint, bright, dark, clamp((dx + dy) * 0.35 + 0.5));
    paint[3] = clamp((1 - away) * edge + 0.5);
  }, around(at));
}

export async function ring(canvas: Canvas, at: Ellipse, thick: number, colour: Rgb, alpha = 1) {
  const grown = { ...at, radiusX: at.radiusX + thick, radiusY: at.radiusY + thick };
  await fill(canvas, (x, y, paint) => {
    const dx = (x - at.x) / at.radiusX;
    const dy = (y - at.y) / at.radiusY;
    const off = Math.abs(Math.sqrt(dx * dx + dy * dy) - 1) * at.radiusX;
    setRgb(paint, colour);
    paint[3] = clamp(thick / 2 - off + 0.5) * alpha;
  }, around(grown));
}

export async function ball(canvas: Canvas, x0: number, y0: number, radius: number, colour: Rgb) {
  const dark = mix(colour, BLACK, 0.55);
  const bright = mix(colour, WHITE, 0.45);
  await fill(canvas, (x, y, paint) => {
    const dx = (x - x0) / radius;
    const dy = (y - y0) / radius;
    const away = dx * dx + dy * dy;
    if (away > 1.1) {
      paint[3] = 0;
      return;
    }
    const dz = Math.sqrt(Math.max(0, 1 - away));
    const facing = -0.52 * dx - 0.6 * dy + 0.61 * dz;
    setBetween(paint, dark, colour, smooth(-0.35, 0.65, facing));
    blend(paint, bright, smooth(0.55, 1, facing) * 0.8);
    // Light reflected by the table.
    blend(paint, colour, clamp(dy) * clamp(-facing + 0.3) * 0.6);
    paint[3] = clamp((1 - Math.sqrt(away)) * radius + 0.5);
  }, { left: x0 - radius, top: y0 - radius, width: radius * 2, height: radius * 2 });
}

/** Height of a lid seen from above, by its width. */
const TILT = 0.24;

/** A cylinder that stands at `foot`, with an ellipse as its lid. */
export async function cylinder(
  canvas: Canvas,
  at: { x: number; foot: number; radius: number; height: number },
  colour: Rgb,
) {
  const { x: x0, foot, radius, height } = at;
  const lid = radius * TILT;
  const dark = mix(colour, BLACK, 0.42);
  const bright = mix(colour, WHITE, 0.3);
  await fill(canvas, (x, y, paint) => {
    const dx = (x - x0) / radius;
    const curve = Math.sqrt(Math.max(0, 1 - dx * dx)) * lid;
    const inside = Math.min(radius - Math.abs(x - x0), y - (foot - height), foot + curve - y);
    setBetween(paint, bright, colour, smooth(-0.85, -0.1, dx));
    blend(paint, dark, smooth(-0.1, 1, dx) * 0.85);
    blend(paint, dark, clamp((y - foot + height) / height) * 0.12);
    paint[3] = clamp(inside + 0.5);
  }, { left: x0 - radius, top: foot - height, width: radius * 2, height: height + lid + 1 });
  const top = { x: x0, y: foot - height, radiusX: radius, radiusY: lid };
  await disc(canvas, top, mix(colour, WHITE, 0.28), 0.08);
}

/** A doorway shape: a box with a round head. */
export async function arch(
  canvas: Canvas,
  at: { x: number; foot: number; radius: number; height: number },
  top: Rgb,
  bottom: Rgb,
) {
  const { x: x0, foot, radius, height } = at;
  const shoulder = foot - height + radius;
  await fill(canvas, (x, y, paint) => {
    const dy = Math.min(0, y - shoulder);
    const dx = x - x0;
    const inside = y < shoulder ? radius - Math.sqrt(dx * dx + dy * dy) : radius - Math.abs(dx);
    setBetween(paint, top, bottom, (y - foot + height) / height);
    // The left inner side of the niche is in shade.
    blend(paint, BLACK, smooth(radius * 0.34, 0, radius + dx) * 0.22);
    paint[3] = clamp(Math.min(inside, foot - y) + 0.5);
  }, { left: x0 - radius, top: foot - height, width: radius * 2, height });
}

/** A leaf that grows from its stalk at (x, y) towards `angle`. */
export interface Leaf {
  x: number;
  y: number;
  length: number;
  width: number;
  angle: number;
}

export async function leaf(canvas: Canvas, at: Leaf, colour: Rgb) {
  const [cos, sin] = [Math.cos(at.angle), Math.sin(at.angle)];
  const tip = { x: at.x + cos * at.length, y: at.y + sin * at.length };
  const dark = mix(colour, BLACK, 0.22);
  const bright = mix(colour, WHITE, 0.16);
  const room = at.width + 1;
  await fill(canvas, (x, y, paint) => {
    const along = ((x - at.x) * cos + (y - at.y) * sin) / at.length;
    if (along <= 0 || along >= 1) {
      paint[3] = 0;
      return;
    }
    const across = (y - at.y) * cos - (x - at.x) * sin;
    if (Math.abs(across) > room) {
      paint[3] = 0;
      return;
    }
    const half = at.width * Math.sin(Math.PI * along ** 0.8) * (1 - 0.25 * along);
    const inside = half - Math.abs(across);
    if (inside < -1) {
      paint[3] = 0;
      return;
    }
    setRgb(paint, across < 0 ? bright : dark);
    const vein = Math.abs(((along * 9 - Math.abs(across) / at.width * 1.6) % 1) - 0.5);
    blend(paint, colour, 0.25 + 0.5 * smooth(0.44, 0.5, vein) + 0.3 * along);
    blend(paint, bright, clamp(at.width * 0.035 + 0.6 - Math.abs(across)) * 0.7);
    paint[3] = clamp(inside + 0.5);
  }, {
    left: Math.min(at.x, tip.x) - room,
    top: Math.min(at.y, tip.y) - room,
    width: Math.abs(tip.x - at.x) + 2 * room,
    height: Math.abs(tip.y - at.y) + 2 * room,
  }, (y) => {
    const reach = room / Math.max(1e-6, Math.abs(sin));
    const middle = at.x + (y - at.y) * cos / (Math.abs(sin) < 1e-6 ? 1e-6 : sin);
    return [middle - reach, middle + reach];
  });
}

/** A straight rounded stroke. */
export async function stroke(
  canvas: Canvas,
  from: { x: number; y: number },
  to: { x: number; y: number },
  thick: number,
  colour: Rgb,
  alpha = 1,
) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const long = dx * dx + dy * dy || 1;
  const room = thick / 2 + 1;
  await fill(canvas, (x, y, paint) => {
    const share = clamp(((x - from.x) * dx + (y - from.y) * dy) / long);
    const offX = x - from.x - dx * share;
    const offY = y - from.y - dy * share;
    setRgb(paint, colour);
    paint[3] = clamp(thick / 2 - Math.sqrt(offX * offX + offY * offY) + 0.5) * alpha;
  }, {
    left: Math.min(from.x, to.x) - room,
    top: Math.min(from.y, to.y) - room,
    width: Math.abs(dx) + 2 * room,
    height: Math.abs(dy) + 2 * room,
  });
}

function around({ x, y, radiusX, radiusY }: Ellipse) {
  return {
    left: x - radiusX - 1,
    top: y - radiusY - 1,
    width: 2 * radiusX + 2,
    height: 2 * radiusY + 2,
  };
}
