/** Answers that are served again from their JSON bytes: the bytes ride along with the value. */

import type { Pagination } from "./paging.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const renderings = new WeakMap<object, Bytes>();
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Remembers the JSON of a value that will be answered again and never changed. */
export function rendered<T extends object>(value: T): T {
  renderings.set(value, encoder.encode(JSON.stringify(value)));
  return value;
}

/** A list answer that exists as JSON; `data` is parsed only for those who look at it. */
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

/** The JSON of an answer, in bytes where they are already there. */
export function toJson(value: unknown): Bytes | string {
  const bytes = typeof value === "object" && value !== null ? renderings.get(value) : undefined;
  return bytes ?? JSON.stringify(value);
}

/** The same in bytes, for where it becomes part of something larger. */
export function toJsonBytes(value: unknown): Bytes {
  const json = toJson(value);
  return typeof json === "string" ? encoder.encode(json) : json;
}
