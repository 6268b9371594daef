/** Names the content of an answer, so that a client can ask whether it has changed. */

const [M1, M2, M3, M4] = [0xcc9e2d51, 0x1b873593, 0x85ebca6b, 0xc2b2ae35];

/**
 * A weak tag, because all encodings of an answer share it: 64 bits of a hash, and the length. It only
 * has to tell versions of one address apart for one client. Four sums side by side, because a processor
 * works on them at the same time.
 */
export function etagOf(bytes: Uint8Array<ArrayBuffer>): string {
  const { buffer, byteOffset, length } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Uint32Array(buffer, byteOffset, length >>> 2);
  let [a, b, c, d] = [M1, M2, M3, M4];
  let at = 0;
  for (; at + 4 <= words.length; at += 4) {
    a = Math.imul((a << 13 | a >>> 19) ^ (words[at] ?? 0), M1);
    b = Math.imul((b << 13 | b >>> 19) ^ (words[at + 1] ?? 0), M2);
    c = Math.imul((c << 13 | c >>> 19) ^ (words[at + 2] ?? 0), M3);
    d = Math.imul((d << 13 | d >>> 19) ^ (words[at + 3] ?? 0), M4);
  }
  for (let rest = at * 4; rest < length; rest++) {
    a = Math.imul((a << 13 | a >>> 19) ^ (bytes[rest] ?? 0), M1);
    b = Math.imul((b << 13 | b >>> 19) ^ a, M2);
  }
  const one = mixed(a ^ mixed(c ^ length));
  const two = mixed(b ^ mixed(d ^ one));
  return `W/"${one.toString(36)}-${two.toString(36)}-${length.toString(36)}"`;
}

/** MurmurHash3's last step: every bit depends on all. */
function mixed(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), M3);
  hash = Math.imul(hash ^ (hash >>> 13), M4);
  return (hash ^ (hash >>> 16)) >>> 0;
}
