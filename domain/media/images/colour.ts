/** Colours: WCAG contrast, and OKLCH to make colours that look equally light. */

/** sRGB, 0 to 255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

export const WHITE: Rgb = [255, 255, 255];
export const BLACK: Rgb = [0, 0, 0];

/** sRGB 0 to 255 → linear light (IEC 61966-2-1). */
const LINEAR = Float64Array.from({ length: 256 }, (_, value) => {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

/** Relative luminance (WCAG 2.2). Channels must be whole numbers. */
export function luminance(red: number, green: number, blue: number): number {
  return 0.2126 * LINEAR[red]! + 0.7152 * LINEAR[green]! + 0.0722 * LINEAR[blue]!;
}

export function luminanceOf([red, green, blue]: Rgb): number {
  return luminance(red, green, blue);
}

/** Contrast ratio of two luminances, 1 to 21 (WCAG 2.2). */
export function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** `over` with an opacity on top of `under`. A negative opacity moves away from `over`. */
export function mix(under: Rgb, over: Rgb, alpha: number): Rgb {
  return [0, 1, 2].map((channel) =>
    Math.min(
      255,
      Math.max(0, Math.round(under[channel]! + (over[channel]! - under[channel]!) * alpha)),
    )
  ) as unknown as Rgb;
}

/** OKLCH (Björn Ottosson, 2020) → sRGB; chroma is lowered until the colour exists on a screen. */
export function oklch(lightness: number, chroma: number, hue: number): Rgb {
  for (let shown = chroma; shown > 0.002; shown -= 0.01) {
    const rgb = linearOf(lightness, shown, hue);
    if (rgb.every((value) => value >= -0.0005 && value <= 1.0005)) return encoded(rgb);
  }
  return encoded(linearOf(lightness, 0, hue));
}

/** Lightness 0 to 1, chroma about 0 to 0.37, hue in degrees. */
export function toOklch([red, green, blue]: Rgb): {
  lightness: number;
  chroma: number;
  hue: number;
} {
  const [r, g, b] = [LINEAR[red]!, LINEAR[green]!, LINEAR[blue]!];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
  return {
    lightness: 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, bb),
    hue: (Math.atan2(bb, a) * 180 / Math.PI + 360) % 360,
  };
}

export function hex(rgb: Rgb): string {
  return `#${rgb.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** The colour of `#rrggbb`. */
export function fromHex(colour: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as unknown as Rgb;
}

function linearOf(lightness: number, chroma: number, hue: number): number[] {
  const a = chroma * Math.cos(hue * Math.PI / 180);
  const b = chroma * Math.sin(hue * Math.PI / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
  ];
}

function encoded(linear: number[]): Rgb {
  return linear.map((value) => {
    const share = Math.min(1, Math.max(0, value));
    const curve = share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055;
    return Math.round(curve * 255);
  }) as unknown as Rgb;
}
