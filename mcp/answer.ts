/** An operation's outcome as the result of a tool call. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types";
import type { ServiceError } from "../domain/errors.ts";
import type { Caller } from "../domain/meter/meter.ts";
import type { Service } from "../domain/service.ts";
import type { Tool } from "./tool.ts";

/** What an operation without output answers. */
const DONE: CallToolResult = { content: [{ type: "text", text: "Done." }] };

/** The short text for people, the answer as data (and as JSON text for clients that read only text). */
export async function answered(
  service: Service,
  caller: Caller,
  tool: Tool,
  value: unknown,
  input: Record<string, unknown>,
): Promise<CallToolResult> {
  if (tool.operation.output === null) return DONE;
  const pictures = tool.pictures?.(value as never) ?? [];
  const preview = input["preview"] === true
    ? await tool.preview?.(service, caller, value as never) ?? null
    : null;
  return {
    content: [
      { type: "text", text: tool.say(value as never, input) },
      ...preview === null ? [] : [image(preview)],
      ...pictures.map((picture) => ({ type: "resource_link" as const, ...picture })),
      { type: "text", text: JSON.stringify(value), annotations: { audience: ["assistant"] } },
    ],
    structuredContent: value as Record<string, unknown>,
  };
}

function image(bytes: Uint8Array) {
  return { type: "image" as const, data: bytes.toBase64(), mimeType: "image/jpeg" };
}

/** A refusal that the agent can act on: the envelope, and how long to wait where waiting helps. */
export function refusedResult(error: ServiceError): CallToolResult {
  const { retryAfter } = error;
  const envelope = {
    error: { ...error.envelope.error, ...retryAfter === undefined ? {} : { retryAfter } },
  };
  return {
    content: [{ type: "text", text: JSON.stringify(envelope) }],
    structuredContent: envelope,
    isError: true,
  };
}
