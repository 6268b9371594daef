/** Results as JSON in bytes: joined as they are, instead of parsed and written again. */
import { joined as joinedBytes } from "../domain/foundation/bytes.ts";

export type Json = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encoded(text: string): Json {
  return encoder.encode(text);
}

export function decoded(json: Json): string {
  return decoder.decode(json);
}

/** The parts as one; texts are encoded as UTF-8. */
export function joined(...parts: (string | Json)[]): Json {
  return joinedBytes(parts.map((part) => typeof part === "string" ? encoder.encode(part) : part));
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** JSON as a JSON string. Only quotes and backslashes need escapes: JSON has no control characters. */
export function quoted(json: Json): Json {
  const { length } = json;
  const text = new Uint8Array(2 * length + 2);
  let end = 0;
  text[end++] = QUOTE;
  for (let at = 0; at < length; at++) {
    const byte = json[at]!;
    if (byte === QUOTE || byte === BACKSLASH) text[end++] = BACKSLASH;
    text[end++] = byte;
  }
  text[end++] = QUOTE;
  return text.subarray(0, end);
}
