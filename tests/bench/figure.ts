/** What a benchmark reports: a figure that an issue names, measured side by side in one run. */

export interface Figure {
  /** What was compared, in one line. */
  name: string;
  /** The ratio (or value, with its unit in the name) that was measured. */
  measured: number;
  /** What must hold: `atLeast`/`atMost` that figure; absent for a figure that is only stated. */
  atLeast?: number;
  atMost?: number;
  /** What else to say: sizes, memory. */
  note?: string;
}

export interface BenchOptions {
  /** Small sizes, only to see that it runs. */
  quick: boolean;
  /** Only the pages with this name, where a bench has pages; "": all of them. */
  page: string;
}

/** One file of `tests/bench/`. */
export type Bench = (options: BenchOptions) => Promise<Figure[]>;

export function holds({ measured, atLeast, atMost }: Figure): boolean {
  return measured >= (atLeast ?? -Infinity) && measured <= (atMost ?? Infinity);
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
