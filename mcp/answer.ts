/** An operation's outcome as the result of a tool call, in JSON: the answer is written out once. */
import type { ContentBlock } from "@modelcontextprotocol/sdk/types";
import type { ServiceError } from "../domain/errors.ts";
import type { Caller } from "../domain/meter/meter.ts";
import { toJsonBytes } from "../domain/rendered.ts";
import type { Service } from "../domain/service.ts";
import { encoded, joined, type Json, quoted } from "./json.ts";
import type { Picture, Tool } from "./tool.ts";

/** What an operation without output answers. */
const DONE = encoded(JSON.stringify({ content: [{ type: "text", text: "Done." }] }));

/** The short text for people, the answer as data (and as JSON text for clients that read only text). */
export async function answered(
  service: Service,
  caller: Caller,
  tool: Tool,
  value: unknown,
  input: Record<string, unknown>,
): Promise<Json> {
  if (tool.operation.output === null) return DONE;
  const pictures = tool.pictures?.(value as never) ?? [];
  const preview = input["preview"] === true
    ? await tool.preview?.(service, caller, value as never) ?? null
    : null;
  const shown: ContentBlock[] = [
    { type: "text", text: tool.say(value as never, input) },
    ...preview === null ? [] : [image(preview)],
    ...pictures.slice(0, MOST_LINKS).map(link),
  ];
  const json = toJsonBytes(value);
  return joined(
    `{"content":${JSON.stringify(shown).slice(0, -1)},`,
    '{"type":"text","annotations":{"audience":["assistant"]},"text":',
    quoted(json),
    '}],"structuredContent":',
    json,
    "}",
  );
}

/** Links beyond these are in the data anyway. */
const MOST_LINKS = 20;

function image(bytes: Uint8Array): ContentBlock {
  return { type: "image", data: bytes.toBase64(), mimeType: "image/jpeg" };
}

function link(picture: Picture): ContentBlock {
  return { type: "resource_link", ...picture };
}

/** A refusal that the agent can act on: the envelope, and how long to wait where waiting helps. */
export function refusedResult(error: ServiceError): Json {
  const { retryAfter } = error;
  const envelope = {
    error: { ...error.envelope.error, ...retryAfter === undefined ? {} : { retryAfter } },
  };
  const content = [{ type: "text", text: JSON.stringify(envelope) }];
  return encoded(JSON.stringify({ content, structuredContent: envelope, isError: true }));
}
