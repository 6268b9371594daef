/**
 * Which commits a count contains. Over a network the answer to a commit may be lost; the store's
 * client then sends it again, and the second one fails on what the first one wrote. The count itself
 * tells the two apart: its numbers are followed by the latest writers, each with the number of its
 * last commit. A writer has one commit of a brand in flight at most, so its last number is enough.
 */
import { COUNT_NUMBERS, isEarlier, type PackedCount } from "./count.ts";

/** Writers that are remembered. More processes than these rarely write one brand at a time. */
const MOST_WRITERS = 12;

/** A writer, and the number of its commit. */
export interface Mark {
  readonly writer: number;
  readonly commit: number;
}

/** A number for this instance that no other is likely to have. */
export function newWriter(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}

/** The marks behind a stored count: a writer and its commit by turns, the latest first. */
export function marksOf(packed: PackedCount | null): Uint32Array {
  if (packed === null) return new Uint32Array();
  const numbers = new Uint32Array(packed.slice().buffer);
  return numbers.subarray(isEarlier(numbers) ? COUNT_NUMBERS - 1 : COUNT_NUMBERS);
}

/** The marks after one more commit. */
export function withMark(marks: Uint32Array, { writer, commit }: Mark): Uint32Array {
  const next = [writer, commit];
  for (let index = 0; index < marks.length && next.length < 2 * MOST_WRITERS; index += 2) {
    if (marks[index] !== writer) next.push(...marks.subarray(index, index + 2));
  }
  return Uint32Array.from(next);
}

/** Whether the commit is the writer's latest. */
export function hasMark(marks: Uint32Array, { writer, commit }: Mark): boolean {
  for (let index = 0; index < marks.length; index += 2) {
    if (marks[index] === writer) return marks[index + 1] === commit;
  }
  return false;
}

/** A packed count with marks behind it. */
export function appendMarks(packed: PackedCount, marks: Uint32Array): PackedCount {
  const bytes = new Uint8Array(packed.length + marks.byteLength);
  bytes.set(packed);
  bytes.set(new Uint8Array(marks.buffer, marks.byteOffset, marks.byteLength), packed.length);
  return bytes;
}
