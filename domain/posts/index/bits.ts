/** Sets of rows, one bit a row. */

export type Bits = Uint32Array<ArrayBuffer>;

export function noBits(rows: number): Bits {
  return new Uint32Array((rows + 31) >>> 5);
}

/** The rows from `start` up to, but not including, `end`. */
export function rangeBits(rows: number, start: number, end: number): Bits {
  const bits = noBits(rows);
  if (start >= end) return bits;
  const [first, last] = [start >>> 5, (end - 1) >>> 5];
  bits.fill(0xffffffff, first, last + 1);
  bits[first]! &= 0xffffffff << (start & 31);
  bits[last]! &= 0xffffffff >>> (31 - ((end - 1) & 31));
  return bits;
}

export function setBit(bits: Bits, row: number): void {
  bits[row >>> 5]! |= 1 << (row & 31);
}

export function hasBit(bits: Bits, row: number): boolean {
  return (bits[row >>> 5]! >>> (row & 31) & 1) === 1;
}

/** Removes from `bits` the rows that are not in `other`. */
export function intersect(bits: Bits, other: Bits): void {
  for (let word = 0; word < bits.length; word++) bits[word]! &= other[word]!;
}

export function isEmpty(bits: Bits): boolean {
  return bits.every((word) => word === 0);
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let index = 0; index < bits.length; index++) {
    let word = bits[index]!;
    word -= word >>> 1 & 0x55555555;
    word = (word & 0x33333333) + (word >>> 2 & 0x33333333);
    count += Math.imul(word + (word >>> 4) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** The `count` rows in `bits`, ascending. */
export function listBits(bits: Bits, count: number): Uint32Array {
  const rows = new Uint32Array(count);
  let filled = 0;
  for (let index = 0; filled < count; index++) {
    for (let word = bits[index]!; word !== 0; word &= word - 1) {
      rows[filled++] = index * 32 + 31 - Math.clz32(word & -word);
    }
  }
  return rows;
}
