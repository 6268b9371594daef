/**
 * Posts that go far off, up or down, are pulled in to what a normal world would show (Huber 1964, by
 * pseudo-values). Otherwise one viral post would decide for its direction.
 */
import { posteriorOf, type Row, type Scales } from "./posterior.ts";

/** Residuals beyond this many standard deviations are cut: 96 % as precise as least squares if all is normal. */
const CUT = 1.6;
const ROUNDS = 2;
/** Fewer posts don't tell which of them is far off. */
const FEWEST = 8;

export function winsorized(
  rows: readonly Row[],
  means: Float64Array,
  grid: readonly Scales[],
): Row[] {
  if (rows.length < FEWEST) return [...rows];
  let pulled = [...rows];
  for (let round = 0; round < ROUNDS; round++) {
    const { parts, noise } = posteriorOf(pulled, means, 0, grid);
    const effectAt = (i: number) =>
      parts.reduce((sum, { weight, centres }) => sum + weight * (centres[i] ?? 0), 0);
    const effects = means.map((_, i) => effectAt(i));
    const residuals = rows.map(({ columns, values, y }) =>
      y - columns.reduce((sum, i, at) => sum + (values[at] ?? 0) * (effects[i] ?? 0), 0)
    );
    const most = CUT * noise;
    const inside = residuals.filter((residual) => Math.abs(residual) <= most).length / rows.length;
    pulled = rows.map((row, i) => {
      const residual = residuals[i] ?? 0;
      const cut = Math.max(-most, Math.min(most, residual));
      return { ...row, y: row.y - residual + cut / Math.max(inside, 0.5) };
    });
  }
  return pulled;
}
