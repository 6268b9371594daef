/** Finds an image's type by its bytes, never by a name or a header. */
import { invalid } from "../../foundation/errors.ts";
import type { FileType } from "./types.ts";

/** As many bytes as the longest signature has. */
export const SIGNATURE_BYTES = 12;

/** The type whose signature the bytes start with, or null. */
export function sniffType(bytes: Uint8Array): FileType | null {
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return "image/jpeg";
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return "image/png";
  if (latin(bytes, 0, 4) === "RIFF" && latin(bytes, 8, 12) === "WEBP") return "image/webp";
  return null;
}

/** @throws ServiceError `validationError` if uploaded bytes don't start as those of the type do */
export function requireType(bytes: Uint8Array, wanted: string): void {
  const type = sniffType(bytes);
  if (type === wanted) return;
  const found = type ?? "not a JPEG, PNG or WebP";
  throw invalid("contentType", `the uploaded bytes are ${found}, but should be ${wanted}`);
}

function startsWith(bytes: Uint8Array, signature: number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

/** The bytes from `start` to `end` as Latin-1. */
export function latin(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}
