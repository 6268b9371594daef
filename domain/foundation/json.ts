/**
 * Keeps the JSON bytes of values that are sent repeatedly, so that each is serialized once: the
 * fourth link of `repeats.ts`. The bytes are found by the object's identity; an equal copy has none.
 */

import type { Pagination } from "./paging.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const renderings = new WeakMap<object, Bytes>();
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A list that already exists as JSON. `data` is parsed only if somebody reads it. */
export function renderedList<T>(
  json: Bytes,
  pagination: Pagination,
): { data: T[]; pagination: Pagination } {
  let data: T[] | undefined;
  const list = {
    get data(): T[] {
      return data ??= JSON.parse(decoder.decode(json)).data as T[];
    },
    pagination,
  };
  renderings.set(list, json);
  return list;
}

/** The JSON of a value: its kept bytes, or else a new string. */
export function toJson(value: unknown): Bytes | string {
  const bytes = typeof value === "object" && value !== null ? renderings.get(value) : undefined;
  return bytes ?? JSON.stringify(value);
}

/** Like `toJson`, but always bytes. */
export function toJsonBytes(value: unknown): Bytes {
  const json = toJson(value);
  return typeof json === "string" ? encoder.encode(json) : json;
}
