/** The clock's type, and UTC calendar arithmetic on instants in milliseconds. */

/** Returns the present instant in milliseconds since the Unix epoch. */
export type Now = () => number;

/** The machine's own clock. */
export const systemNow: Now = () => Date.now();

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

/** ISO 8601 in UTC. */
export const iso = (at: number): string => new Date(at).toISOString();

/** yyyy-mm-dd of the UTC day. */
export const dayOf = (at: number): string => iso(at).slice(0, 10);

/** yyyy-mm of the UTC month. */
export const monthOf = (at: number): string => iso(at).slice(0, 7);

/** Midnight that begins the UTC day. */
export const startOfDay = (at: number): number => Math.floor(at / DAY) * DAY;

/** First instant of the following UTC month. */
export function startOfNextMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** Monday 00:00 UTC of the ISO week. The epoch was a Thursday. */
export function startOfWeek(at: number): number {
  return Math.floor((at + 3 * DAY) / WEEK) * WEEK - 3 * DAY;
}
