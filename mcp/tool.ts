/** What a tool is, and how it is described to agents: a projection of its operation. */
import { z } from "zod";
import type { Scope } from "../domain/access.ts";
import { ErrorEnvelope } from "../domain/errors.ts";
import { jsonSchemaOf } from "../domain/json_schema.ts";
import type { Caller } from "../domain/meter/meter.ts";
import type { Operation } from "../domain/operation.ts";
import type { Service } from "../domain/service.ts";

type Arguments = Record<string, unknown>;

/** A picture that an answer names: a link that agents can follow. */
export interface Picture {
  uri: string;
  name: string;
  mimeType: string;
}

/** Facts for clients that ask before they act; all four are told for every tool. */
export interface Hints {
  /** Changes nothing. */
  readOnly: boolean;
  /** May take away or overwrite something, or make it public. */
  destructive: boolean;
  /** Doing it twice is doing it once. */
  idempotent: boolean;
  /** Reaches beyond the service: a platform, a foreign address, a model. */
  openWorld: boolean;
}

export const HINTS = {
  read: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  add: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  save: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  remove: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  ask: { readOnly: true, destructive: false, idempotent: false, openWorld: true },
  make: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  publish: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
} as const satisfies Record<string, Hints>;

export interface Tool {
  title: string;
  /** Said in place of the operation's description, where that speaks of HTTP. */
  description?: string;
  /** Said after the operation's summary: what the tool does not do, and which to call instead. */
  beyond?: string;
  hints: Hints;
  operation: Operation;
  /** One short sentence for people about an answer. */
  say(value: never, input: Arguments): string;
  /** The pictures that an answer names. */
  pictures?(value: never): Picture[];
  /** An answer's picture, small enough to look at, when the arguments ask for it. */
  preview?(service: Service, caller: Caller, value: never): Promise<Uint8Array | null>;
}

/** Declares a tool; `say` and `pictures` get the operation's answer. */
export function tool<Value>(
  declaration: Omit<Tool, "say" | "pictures" | "preview"> & {
    say(value: Value, input: Arguments): string;
    pictures?(value: Value): Picture[];
    preview?(service: Service, caller: Caller, value: Value): Promise<Uint8Array | null>;
  },
): Tool {
  return declaration as Tool;
}

/** Read tools take either (spec 4.8). */
export const READ: readonly Scope[] = ["postsRead", "createRead"];

/** The same operation for other scopes, any of which is enough. */
export function withScopes(operation: Operation, scopes: readonly Scope[]): Operation {
  return { ...operation, scopes };
}

/** A tool as `tools/list` shows it. */
export interface ToolDescription {
  name: string;
  title: string;
  description: string;
  inputSchema: object;
  outputSchema?: object;
  annotations: object;
}

export function describeTool(
  name: string,
  { title, operation, hints, beyond, ...tool }: Tool,
): ToolDescription {
  const { summary } = operation;
  const description = tool.description ?? operation.description;
  return {
    name,
    title,
    description: [summary, description, beyond].filter(Boolean).join(" "),
    inputSchema: jsonSchemaOf(operation.input),
    ...operation.output === null ? {} : { outputSchema: outputSchema(operation.output) },
    annotations: {
      title,
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: hints.openWorld,
    },
  };
}

/**
 * The answer or the envelope: clients check the structured content of a refusal against the
 * output schema too.
 */
function outputSchema(output: z.ZodType): object {
  const { $defs, ...answer } = jsonSchemaOf(output);
  return {
    type: "object",
    anyOf: [answer, jsonSchemaOf(ErrorEnvelope)],
    ...$defs === undefined ? {} : { $defs },
  };
}
