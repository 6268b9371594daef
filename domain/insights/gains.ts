/**
 * What a brand's posts gained on each UTC day, by platform and metric.
 *
 * The gain between two readings of a post is spread evenly over the time between them, so the days of a
 * period add up to exactly what the readings at its two ends differ by. A post begins with 0 of
 * everything when it is published; but if its first reading was taken more than 72 hours later, what it
 * had by then counts for no day, because nobody knows when it was gained. A platform's correction
 * downward is a negative gain. Between two readings of which one does not report a metric, that metric
 * has no gain, which is not 0.
 */
import { DAY, HOUR } from "../foundation/calendar.ts";
import { type History, type Metric, METRICS, valueOf, WIDTH } from "./history.ts";

/** A first reading later than this after publication says nothing about the days before it. */
const LATEST_FIRST = 72 * HOUR;
const PLATFORMS = 3;
const ROW = PLATFORMS * WIDTH;
/** Approximate bytes of a day beside its numbers. */
const DAY_BYTES = 150;

/** The sums of one day, then for each how many gains it has. */
type DayRow = Float64Array;

export class DayGains {
  readonly #days = new Map<number, DayRow>();

  get bytes(): number {
    return this.#days.size * (DAY_BYTES + 16 * ROW);
  }

  /**
   * Adds a post's gains, or takes them away again.
   * @param published instant, ms
   */
  count(platform: number, published: number, history: History, sign: 1 | -1): void {
    const { at } = history;
    for (const [reading, end] of at.entries()) {
      const start = reading === 0 ? published : at[reading - 1] ?? published;
      if (end <= start || reading === 0 && end - start > LATEST_FIRST) continue;
      for (let metric = 0; metric < WIDTH; metric++) {
        const before = reading === 0 ? 0 : valueOf(history, reading - 1, metric);
        const gain = valueOf(history, reading, metric) - before;
        if (!Number.isNaN(gain)) {
          this.#spread(platform * WIDTH + metric, start, end, sign * gain, sign);
        }
      }
    }
  }

  /** Spreads a gain evenly from `start` to `end` (instants, ms). */
  #spread(column: number, start: number, end: number, gain: number, count: number): void {
    for (let day = Math.floor(start / DAY); day * DAY < end; day++) {
      const from = Math.max(start, day * DAY);
      const row = this.#row(day);
      row[column]! += gain * (Math.min(end, (day + 1) * DAY) - from) / (end - start);
      row[ROW + column]! += count;
    }
  }

  #row(day: number): DayRow {
    let row = this.#days.get(day);
    if (row === undefined) this.#days.set(day, row = new Float64Array(2 * ROW));
    return row;
  }

  /**
   * What was gained on a day (days since the epoch); null if nothing was reported.
   * @param platform its number; null: all platforms
   */
  on(day: number, metric: Metric, platform: number | null): number | null {
    const row = this.#days.get(day);
    if (row === undefined) return null;
    let [sum, count] = [0, 0];
    for (let one = 0; one < PLATFORMS; one++) {
      if (platform !== null && one !== platform) continue;
      const column = one * WIDTH + METRICS.indexOf(metric);
      sum += row[column]!;
      count += row[ROW + column]!;
    }
    return count === 0 ? null : sum;
  }

  /** The first day with a gain, or Infinity. */
  firstDay(platform: number | null): number {
    let first = Infinity;
    for (const [day, row] of this.#days) {
      if (day >= first) continue;
      const start = ROW + (platform ?? 0) * WIDTH;
      const counts = row.subarray(start, platform === null ? 2 * ROW : start + WIDTH);
      if (counts.some((count) => count > 0)) first = day;
    }
    return first;
  }
}
