/**
 * Histories in few bytes. A reading is what has changed since the one before: a byte with a bit for
 * each metric that differs, the time between the two, and the differences, as numbers of variable length.
 */
import { type History, valueOf, WIDTH } from "./history.ts";

/** Longest form of a number below 2^53, in groups of 7 bits. */
const NUMBER_BYTES = 8;
const READING_BYTES = 1 + (1 + WIDTH) * NUMBER_BYTES;
/** Stored in place of a difference where a reading lacks a metric that the one before had. */
const MISSING = 0;

let room = new Uint8Array(64 * READING_BYTES);

/** The packed history. It is only valid until the next call. */
export function pack(history: History): Uint8Array {
  const { at } = history;
  if (room.length < at.length * READING_BYTES) room = new Uint8Array(at.length * READING_BYTES);
  let end = 0;
  const write = (value: number) => {
    for (; value >= 0x80; value = Math.floor(value / 0x80)) room[end++] = 0x80 | value % 0x80;
    room[end++] = value;
  };
  const before: number[] = new Array(WIDTH).fill(NaN);
  let time = 0;
  for (const [reading, instant] of at.entries()) {
    const start = end++;
    let changed = 0;
    write(folded(instant - time));
    time = instant;
    for (const [metric, last] of before.entries()) {
      const value = valueOf(history, reading, metric);
      if (Object.is(value, last)) continue;
      changed |= 1 << metric;
      write(Number.isNaN(value) ? MISSING : 1 + folded(value - (last || 0)));
      before[metric] = value;
    }
    room[start] = changed;
  }
  return room.subarray(0, end);
}

export function unpack(bytes: Uint8Array): History {
  const at: number[] = [];
  const values: number[] = [];
  let start = 0;
  const read = () => {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = bytes[start++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  };
  const before: number[] = new Array(WIDTH).fill(NaN);
  let time = 0;
  while (start < bytes.length) {
    const changed = bytes[start++] ?? 0;
    at.push(time += unfolded(read()));
    for (const [metric, last] of before.entries()) {
      if ((changed >>> metric & 1) === 1) {
        const value = read();
        before[metric] = value === MISSING ? NaN : (last || 0) + unfolded(value - 1);
      }
      values.push(before[metric] ?? NaN);
    }
  }
  return { at, values };
}

/** Small numbers of either sign as small numbers from 0. */
function folded(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function unfolded(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}
