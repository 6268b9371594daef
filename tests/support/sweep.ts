/** Sweeps over combinations: the gate takes a part that meets each pair of values, `SWEEP=all` the whole. */

/** Whether the whole of each sweep is asked for. It takes some minutes. */
export const SWEEPS_ALL = Deno.env.get("SWEEP") === "all";

/**
 * Every combination of three values; in the gate one for each pair of the first two, with the third
 * ones in turn. With at least as many first or second values as third ones, each of them meets each
 * third one, too.
 */
export function* combinations<A, B, C>(
  first: readonly A[],
  second: readonly B[],
  third: readonly C[],
): Generator<[A, B, C]> {
  for (const [row, a] of first.entries()) {
    for (const [column, b] of second.entries()) {
      const taken = SWEEPS_ALL ? third : [third[(row + column) % third.length]!];
      for (const c of taken) yield [a, b, c];
    }
  }
}
