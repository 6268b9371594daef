/**
 * Which format, direction, hour and template a slot gets. Every slot of a series has a place in its
 * order; the place's point of a low-discrepancy sequence is looked up in the shares. So over many
 * slots the shares meet the weights, none is favoured by chance, the dimensions don't move together
 * (which would make it impossible to tell later which of them mattered), and the same place always
 * gives the same choice.
 */
import { createHash } from "node:crypto";
import type { Share } from "../strategist/shape.ts";
import { imagesOf, SeriesFormat } from "./format.ts";
import type { StoredSeries, Strategy } from "./records.ts";

export interface SlotChoice {
  format: SeriesFormat;
  direction: string;
  hour: number;
  template: string;
  rationale: string;
}

/** @param place how many slots of the series come before it */
export function choose(series: StoredSeries, strategy: Strategy, place: number): SlotChoice {
  const { playbook, allocation, reviewId } = strategy;
  const point = pointAt(series.id, place);
  const format = pick(formatShares(series, strategy), point[0]!);
  const direction = pick(allocation.directions, point[1]!);
  const hour = pick(allocation.hours, point[2]!);
  const template = pick(allocation.templates, point[3]!);
  const known = playbook.directions.find((entry) => entry.direction === direction?.arm);
  const share = format === null ? "" : `; ${format.arm} has ${percent(format.share)} of the slots`;
  return {
    format: format === null ? series.formats[0]! : SeriesFormat.parse(format.arm),
    direction: direction?.arm ?? series.goal!,
    hour: hour === null ? series.hourUtc : Number(hour.arm),
    template: series.overlay?.template ?? template?.arm ?? "none",
    rationale: known === undefined
      ? `Planned by review ${reviewId}${share}.`
      : `Planned by review ${reviewId}: ${known.action} this direction${share}. ${known.rationale}`,
  };
}

/** Images, which are credits, of a slot of this format in an autopilot series. */
export function costOf({ guidance, goal }: StoredSeries, format: SeriesFormat): number {
  return imagesOf(format, [guidance, goal]);
}

/** Credits of the costliest slot that the strategy plans; Infinity where it can plan none. */
export function costliest(series: StoredSeries, strategy: Strategy): number {
  const costs = formatShares(series, strategy).map(({ arm }) =>
    costOf(series, SeriesFormat.parse(arm))
  );
  return costs.length === 0 ? Infinity : Math.max(...costs);
}

/** The formats that the series allows and that a month's budget can pay for at all. */
function affordableFormats(series: StoredSeries): SeriesFormat[] {
  const budget = series.creditBudgetMonthly ?? Infinity;
  return series.formats.filter((format) => costOf(series, format) <= budget);
}

/** The strategist's shares of those formats; equal where it names none of them. */
function formatShares(series: StoredSeries, { allocation }: Strategy): Share[] {
  const formats = affordableFormats(series);
  const named = allocation.formats.filter(({ arm, share }) =>
    share > 0 && formats.some((format) => format === arm)
  );
  const sum = named.reduce((total, { share }) => total + share, 0);
  if (sum > 0) return named.map(({ arm, share }) => ({ arm, share: share / sum }));
  return formats.map((arm) => ({ arm, share: 1 / formats.length }));
}

function pick(shares: readonly Share[], at: number): Share | null {
  let end = 0;
  for (const entry of shares) if (at < (end += entry.share)) return entry;
  return shares.findLast(({ share }) => share > 0) ?? null;
}

// The plastic number's sister in four dimensions: x^5 = x + 1 (M. Roberts' R sequence). The powers
// of its inverse are independent, so the four coordinates spread evenly together, too.
const ROOT = 1.167303978261419;
const STEPS = [1, 2, 3, 4].map((power) => ROOT ** -power);

/** The series' point number `place`, four coordinates in [0, 1); each series starts elsewhere. */
function pointAt(seriesId: string, place: number): number[] {
  const seed = createHash("sha256").update(seriesId).digest();
  return STEPS.map((step, at) => (seed.readUInt32BE(4 * at) / 2 ** 32 + place * step) % 1);
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
