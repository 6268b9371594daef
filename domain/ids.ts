/** Identifiers: a ULID after a prefix that names the kind, so that ids sort by creation time. */
import { monotonicFactory } from "ulid";

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

const ulid = monotonicFactory();
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** A fresh id of `kind`. `at`: instant in milliseconds, from the service's clock. */
export function newId(kind: IdKind, at: number): string {
  return `${ID_KINDS[kind]}_${ulid(at)}`;
}

/** Whether `value` could be an id of `kind`: a cheap test that keeps junk out of KV keys. */
export function isId(kind: IdKind, value: string): boolean {
  const prefix = ID_KINDS[kind];
  return value.startsWith(`${prefix}_`) && ULID.test(value.slice(prefix.length + 1));
}
