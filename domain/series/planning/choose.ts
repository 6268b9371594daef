/**
 * Which format, direction, hour and template a slot gets. Every slot has a place in its series' order,
 * and every place has a point in a low-discrepancy sequence, which is looked up in the shares. The same
 * place always gives the same choice, and over many slots each arm gets its share. The dimensions vary
 * independently of each other, so that a review can tell which of them mattered.
 */
import { createHash } from "node:crypto";
import type { Dimension, Share } from "../playbook.ts";
import { SeriesFormat } from "../../platforms/contract/format.ts";
import { imagesOf } from "../format.ts";
import { aboutOf } from "../facts.ts";
import type { StoredSeries, Strategy } from "../records.ts";

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
  const format = pick(formatShares(series, strategy), point.format);
  const direction = pick(allocation.directions, point.direction);
  const hour = pick(allocation.hours, point.hour);
  const template = pick(allocation.templates, point.template);
  const known = playbook.directions.find((entry) => entry.direction === direction?.arm);
  const share = format === null ? "" : `; ${format.arm} has ${percent(format.share)} of the slots`;
  return {
    format: SeriesFormat.parse(format?.arm ?? series.formats[0]),
    direction: direction?.arm ?? aboutOf(series),
    hour: hour === null ? series.hourUtc : Number(hour.arm),
    template: series.overlay?.template ?? template?.arm ?? "none",
    rationale: known === undefined
      ? `Planned by review ${reviewId}${share}.`
      : `Planned by review ${reviewId}: ${known.action} this direction${share}. ${known.rationale}`,
  };
}

/** Credits of a slot of this format in an autopilot series, one for each image. */
export function costOf({ guidance, goal }: StoredSeries, format: SeriesFormat): number {
  return imagesOf(format, [guidance, goal]);
}

/** Credits of the costliest slot that the strategy plans; Infinity when it can't plan any. */
export function costliest(series: StoredSeries, strategy: Strategy): number {
  const costs = formatShares(series, strategy).map(({ arm }) =>
    costOf(series, SeriesFormat.parse(arm))
  );
  return costs.length === 0 ? Infinity : Math.max(...costs);
}

/** The series' formats that a whole month's budget can pay for. */
function affordableFormats(series: StoredSeries): SeriesFormat[] {
  const budget = series.creditBudgetMonthly ?? Infinity;
  return series.formats.filter((format) => costOf(series, format) <= budget);
}

/** The strategist's shares of those formats; equal shares when it names none of them. */
function formatShares(series: StoredSeries, { allocation }: Strategy): Share[] {
  const formats = affordableFormats(series);
  const named = allocation.formats.filter(({ arm, share }) =>
    share > 0 && formats.some((format) => format === arm)
  );
  const sum = named.reduce((total, { share }) => total + share, 0);
  if (sum > 0) return named.map(({ arm, share }) => ({ arm, share: share / sum }));
  return formats.map((arm) => ({ arm, share: 1 / formats.length }));
}

/** The arm in whose share `point`, from 0 to 1, falls. */
function pick(shares: readonly Share[], point: number): Share | null {
  let end = 0;
  for (const entry of shares) if (point < (end += entry.share)) return entry;
  return shares.findLast(({ share }) => share > 0) ?? null;
}

/**
 * M. Roberts' R sequence in four dimensions: the solution of x^5 = x + 1, as the plastic number is that of
 * x^3 = x + 1. The powers of its inverse are independent, so the four coordinates also spread evenly
 * together.
 */
const ROOT = 1.167303978261419;

/** The series' point number `place`: four coordinates in [0, 1). Each series starts at another point. */
function pointAt(seriesId: string, place: number): Record<Dimension, number> {
  const seed = createHash("sha256").update(seriesId).digest();
  const coordinate = (power: number) =>
    (seed.readUInt32BE(4 * (power - 1)) / 2 ** 32 + place * ROOT ** -power) % 1;
  return {
    format: coordinate(1),
    direction: coordinate(2),
    hour: coordinate(3),
    template: coordinate(4),
  };
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
