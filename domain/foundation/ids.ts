/**
 * Ids: a prefix for the kind and a ULID (github.com/ulid/spec), so ids of a kind sort by creation
 * time. Implemented here because the ULID library loads node:crypto, which would delay every cold
 * start.
 */

export const ID_KINDS = {
  account: "acc",
  app: "app",
  asset: "ast",
  audit: "aud",
  brand: "brd",
  castMember: "cst",
  creation: "cre",
  delivery: "dlv",
  event: "evt",
  job: "job",
  key: "key",
  post: "post",
  review: "rev",
  series: "ser",
  slot: "slt",
  social: "soc",
  webhook: "whk",
} as const;

export type IdKind = keyof typeof ID_KINDS;

/** Crockford's base 32. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** The latest id. The next one is greater, even within the same millisecond. */
const latest = { at: -1, random: new Uint8Array(RANDOM_LENGTH) };

/** A new id of `kind`. `at`: instant in milliseconds, from the service's clock. */
export function newId(kind: IdKind, at: number): string {
  if (at > latest.at) {
    latest.at = at;
    crypto.getRandomValues(latest.random);
  } else increment(latest.random);
  return idOf(kind, latest.at, latest.random);
}

/** The id of `kind` whose random part is made from the first 16 of `bytes`, 5 bits of each. */
export function idOf(kind: IdKind, at: number, bytes: Uint8Array): string {
  let id = idsFrom(kind, at);
  for (let digit = 0; digit < RANDOM_LENGTH; digit++) id += DIGITS[bytes[digit]! % DIGITS.length];
  return id;
}

/** The common start of all ids of `kind` made at the instant `at`. Earlier ids sort before it. */
export function idsFrom(kind: IdKind, at: number): string {
  let time = "";
  for (let rest = at; time.length < TIME_LENGTH; rest = Math.floor(rest / DIGITS.length)) {
    time = DIGITS[rest % DIGITS.length] + time;
  }
  return `${ID_KINDS[kind]}_${time}`;
}

/** The instant, in milliseconds, at which an id was made. */
export function instantOf(id: string): number {
  const start = id.indexOf("_") + 1;
  return [...id.slice(start, start + TIME_LENGTH)]
    .reduce((time, digit) => time * DIGITS.length + DIGITS.indexOf(digit), 0);
}

/** Whether `value` has the form of an id of `kind`. Checked first, so that junk never becomes a KV key. */
export function isId(kind: IdKind, value: string): boolean {
  const prefix = ID_KINDS[kind];
  return value.startsWith(`${prefix}_`) && ULID.test(value.slice(prefix.length + 1));
}

/** Adds one to the number that the digits make. The last digit is the lowest. */
function increment(digits: Uint8Array): void {
  for (let place = digits.length - 1; place >= 0; place--) {
    digits[place] = (digits[place]! + 1) % DIGITS.length;
    if (digits[place] !== 0) return;
  }
}
