/**
 * Identifiers: a ULID (github.com/ulid/spec) after a prefix that names the kind, so that ids sort by
 * creation time. Written out here because the library loads node:crypto, which every cold start
 * would wait for.
 */

export const ID_KINDS = {
  account: "acc",
  asset: "ast",
  brand: "brd",
  castMember: "cst",
  creation: "cre",
  job: "job",
  key: "key",
  post: "post",
  review: "rev",
  series: "ser",
  slot: "slt",
  social: "soc",
} as const;

export type IdKind = keyof typeof ID_KINDS;

/** Crockford's base 32. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** The latest id given out: the next one is greater, even within its millisecond. */
const latest = { at: -1, random: new Uint8Array(RANDOM_LENGTH) };

/** A fresh id of `kind`. `at`: instant in milliseconds, from the service's clock. */
export function newId(kind: IdKind, at: number): string {
  if (at > latest.at) {
    latest.at = at;
    crypto.getRandomValues(latest.random);
  } else increment(latest.random);
  return idOf(kind, latest.at, latest.random);
}

/** The id of `kind` whose random part comes from the first 16 of `bytes`, 5 bits of each. */
export function idOf(kind: IdKind, at: number, bytes: Uint8Array): string {
  let id = idsFrom(kind, at);
  for (let digit = 0; digit < RANDOM_LENGTH; digit++) id += DIGITS[bytes[digit]! % DIGITS.length];
  return id;
}

/** What every id of `kind` given out at the instant `at` begins with, and no earlier one reaches. */
export function idsFrom(kind: IdKind, at: number): string {
  let time = "";
  for (let rest = at; time.length < TIME_LENGTH; rest = Math.floor(rest / DIGITS.length)) {
    time = DIGITS[rest % DIGITS.length] + time;
  }
  return `${ID_KINDS[kind]}_${time}`;
}

/** The instant, in milliseconds, at which an id was given out. */
export function instantOf(id: string): number {
  const start = id.indexOf("_") + 1;
  return [...id.slice(start, start + TIME_LENGTH)]
    .reduce((time, digit) => time * DIGITS.length + DIGITS.indexOf(digit), 0);
}

/** Whether `value` could be an id of `kind`: a cheap test that keeps junk out of KV keys. */
export function isId(kind: IdKind, value: string): boolean {
  const prefix = ID_KINDS[kind];
  return value.startsWith(`${prefix}_`) && ULID.test(value.slice(prefix.length + 1));
}

/** Adds one to the number that the digits make, the last one counting least. */
function increment(digits: Uint8Array): void {
  for (let at = digits.length - 1; at >= 0; at--) {
    digits[at] = (digits[at]! + 1) % DIGITS.length;
    if (digits[at] !== 0) return;
  }
}
