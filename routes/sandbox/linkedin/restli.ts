/** Rest.li 2.0 queries: `List(a,b)` and `(key:value)` are not encoded, but the URNs in them are. */
import { badQuery } from "./errors.ts";

export type Query = Map<string, string>;

/** The query's parameters, still percent-encoded. */
export function rawQuery(request: Request): Query {
  const start = request.url.indexOf("?");
  const query: Query = new Map();
  if (start < 0) return query;
  for (const part of request.url.slice(start + 1).split("&")) {
    const at = part.indexOf("=");
    if (at > 0) query.set(part.slice(0, at), part.slice(at + 1));
  }
  return query;
}

/** Decodes a plain value. @throws Refusal when it is badly encoded */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badQuery(`${text} is badly encoded`);
  }
}

/** Decodes a URN. @throws Refusal when it is not encoded or no URN */
export function urnOf(raw: string | undefined, name: string): string {
  if (raw === undefined || raw === "") throw badQuery(`${name} is required`);
  if (raw.includes(":")) throw badQuery(`${name} must be percent-encoded, received ${raw}`);
  const urn = decoded(raw);
  if (!/^urn:li:\w+:.+$/.test(urn)) throw badQuery(`${name} is no URN: ${urn}`);
  return urn;
}

/** The URNs of `List(urn1,urn2)`. */
export function urnsOf(raw: string, name: string): string[] {
  const list = /^List\((.*)\)$/.exec(raw)?.[1];
  if (list === undefined) throw badQuery(`${name} must be List(...), received ${raw}`);
  if (list === "") return [];
  return list.split(",").map((urn) => urnOf(urn, name));
}

export function wholeNumber(query: Query, name: string, fallback: number): number {
  const raw = query.get(name);
  if (raw === undefined) return fallback;
  if (!/^\d{1,9}$/.test(raw)) throw badQuery(`${name} must be a whole number`);
  return Number(raw);
}
