/** Answers that are served again from their JSON bytes: the bytes ride along with the value. */

const renderings = new WeakMap<object, Uint8Array<ArrayBuffer>>();
const encoder = new TextEncoder();

/** Remembers the JSON of a value that will be answered again and never changed. */
export function rendered<T extends object>(value: T): T {
  renderings.set(value, encoder.encode(JSON.stringify(value)));
  return value;
}

/** The JSON of an answer, in bytes where they are already there. */
export function toJson(value: unknown): Uint8Array<ArrayBuffer> | string {
  const bytes = typeof value === "object" && value !== null ? renderings.get(value) : undefined;
  return bytes ?? JSON.stringify(value);
}
