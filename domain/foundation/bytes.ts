/** Joins and reads bytes that arrive in pieces. */

/** All pieces in one array. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const piece of pieces) {
    whole.set(piece, filled);
    filled += piece.length;
  }
  return whole;
}

/** All bytes of `chunks`, or null if they exceed `most`. Reading stops as soon as they do. */
export async function readUpTo(
  most: number,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > most) return null;
    pieces.push(chunk);
  }
  return joined(pieces);
}
