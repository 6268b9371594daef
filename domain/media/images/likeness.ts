/** What an image looks like, in 64 hexadecimal digits: similar images differ in few of their bits. */
import { loadSharp } from "./sharp.ts";

const SIDE = 16;
/** An image whose grey values differ less than this has no features to compare (0 to 255). */
const FLAT = 6;
/** Bits of 256 in which two images of one picture may differ, after scaling and encoding it again. */
const SAME = 24;

/**
 * A difference hash (N. Krawetz, "Kind of Like That", 2013): for each place of a 16 x 16 grid, whether
 * the image gets lighter to its right. Null for a flat image, which looks like every other flat one.
 */
export async function likenessOf(bytes: Uint8Array<ArrayBuffer>): Promise<string | null> {
  const sharp = await loadSharp();
  const grey = await sharp(bytes).greyscale().resize(SIDE + 1, SIDE, { fit: "fill" }).raw()
    .toBuffer();
  const values = new Uint8Array(grey);
  if (Math.max(...values) - Math.min(...values) < FLAT) return null;
  const bits = new Uint8Array(SIDE * SIDE / 8);
  for (let place = 0; place < SIDE * SIDE; place++) {
    const left = Math.floor(place / SIDE) * (SIDE + 1) + place % SIDE;
    const isLighter = (values[left] ?? 0) < (values[left + 1] ?? 0);
    if (isLighter) bits[place >> 3] = (bits[place >> 3] ?? 0) | 1 << (place & 7);
  }
  return bits.toHex();
}

/** Whether two images show the same picture. */
export function looksLike(a: string, b: string): boolean {
  const [one, other] = [Uint8Array.fromHex(a), Uint8Array.fromHex(b)];
  let different = 0;
  for (const [place, byte] of one.entries()) {
    for (let rest = byte ^ (other[place] ?? 0); rest > 0; rest >>= 1) different += rest & 1;
  }
  return different <= SAME;
}
