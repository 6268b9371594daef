/** Results of tool calls, written as JSON bytes once. */
import type { ContentBlock } from "@modelcontextprotocol/sdk/types";
import type { ServiceError } from "../domain/foundation/errors.ts";
import { toJsonBytes } from "../domain/foundation/json.ts";
import { encoded, joined, type Json, quoted } from "./json.ts";
import type { Picture, Shown } from "./shown.ts";

/** The result of an operation without output. */
export function done(text: string): Json {
  return encoded(JSON.stringify({ content: [{ type: "text", text }] }));
}

/** An answer may name more pictures than this; the data has the links to all of them. */
const MOST_LINKS = 20;

/** What is shown, then the value as data, and as text for clients that read only text. */
export function answered(value: unknown, { text, pictures, preview }: Shown): Json {
  const content: ContentBlock[] = [
    { type: "text", text },
    ...preview === null ? [] : [image(preview)],
    ...pictures.slice(0, MOST_LINKS).map(link),
  ];
  const json = toJsonBytes(value);
  return joined(
    `{"content":${JSON.stringify(content).slice(0, -1)},`,
    '{"type":"text","annotations":{"audience":["assistant"]},"text":',
    quoted(json),
    '}],"structuredContent":',
    json,
    "}",
  );
}

function image(bytes: Uint8Array): ContentBlock {
  return { type: "image", data: bytes.toBase64(), mimeType: "image/jpeg" };
}

function link(picture: Picture): ContentBlock {
  return { type: "resource_link", ...picture };
}

/**
 * A refusal that the agent can act on: the envelope, and how long to wait where waiting helps.
 * @param more sentences that follow the message
 */
export function refusedResult({ code, message, retryAfter }: ServiceError, more: string[]): Json {
  const words = [ended(message), ...more].join(" ");
  const wait = retryAfter === undefined ? {} : { retryAfter };
  const envelope = { error: { code, message: words, ...wait } };
  const content = [{ type: "text", text: JSON.stringify(envelope) }];
  return encoded(JSON.stringify({ content, structuredContent: envelope, isError: true }));
}

/** A message as a sentence that others can follow. */
export function ended(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
