/** Proposes a brand's colours from its logo. */
import { hex, type Rgb, toOklch } from "../images/colour.ts";
import type { Layer } from "../images/pixels.ts";
import { loadSharp } from "../images/sharp.ts";
import { withoutTile } from "./logo.ts";

/** As many as a kit takes. */
const MOST = 5;
/** Longest edge that is looked at, pixels. */
const EDGE = 160;
/** A colour with a smaller share of the logo is the soft edge of another one. */
const LEAST_SHARE = 0.02;
/** Colours this near in OKLab look like one. */
const SAME = 0.09;
/** How much a vivid colour counts before a grey of the same size. */
const VIVID = 12;

interface Found {
  colour: Rgb;
  count: number;
}

/**
 * Up to five colours, `#rrggbb`, the one that says most about the brand first: vivid before grey, large
 * before small. The logo's plain ground is no colour of its own.
 * @param logo JPEG, PNG or WebP
 */
export async function logoColours(logo: Uint8Array): Promise<string[]> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(logo)
    .resize(EDGE, EDGE, { fit: "inside", withoutEnlargement: true, kernel: "nearest" })
    .toColourspace("srgb").ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const layer: Layer = { channels: 4, data, width: info.width, height: info.height };
  const all = tallied(withoutTile(layer));
  const total = all.reduce((sum, { count }) => sum + count, 0);
  return merged(all)
    .filter(({ count }) => count >= total * LEAST_SHARE)
    .sort((one, other) => weight(other) - weight(one))
    .slice(0, MOST).map(({ colour }) => hex(colour));
}

const weight = ({ colour, count }: Found): number => count * (1 + VIVID * toOklch(colour).chroma);

/** The visible colours and how often each occurs, most frequent first. */
function tallied({ data }: Layer): Found[] {
  const counts = new Map<number, number>();
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3]! < 250) continue;
    const key = data[at]! << 16 | data[at + 1]! << 8 | data[at + 2]!;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => ({
    colour: [key >> 16, key >> 8 & 255, key & 255] as const,
    count,
  })).sort((one, other) => other.count - one.count);
}

/** Adds each colour to the most frequent one that looks like it. */
function merged(all: readonly Found[]): Found[] {
  const kept: (Found & { place: Place })[] = [];
  for (const { colour, count } of all) {
    // Once a colour, because a noisy logo has thousands, each of which is compared with all that are kept.
    const place = placeOf(colour);
    const same = kept.find((one) => apart(one.place, place) < SAME);
    if (same === undefined) kept.push({ colour, count, place });
    else same.count += count;
  }
  return kept;
}

/** A colour in OKLab. */
type Place = readonly [lightness: number, a: number, b: number];

function placeOf(colour: Rgb): Place {
  const { lightness, chroma, hue } = toOklch(colour);
  const angle = hue * Math.PI / 180;
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
}

const apart = (one: Place, other: Place): number =>
  Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
