/** OpenAI's text models: a strict schema over Responses, or over Chat if the server has only that. */
import type OpenAI from "openai";
import { z } from "zod";
import { ModelError, type TextModel, type WritingTask } from "../model.ts";
import { openAiCalls, type OpenAiOptions, TEXT_MS } from "./client.ts";
import { fallback } from "./fallback.ts";
import { malformed, refusesParameter } from "./faults.ts";

const WHAT = "text model";
/** Generous, because reasoning counts as output. */
const MOST_TOKENS = 16_000;

/** A message to the model: the facts, or the repair of a result that did not fit the schema. */
type Turn = { role: "user" | "assistant"; content: string };

interface Request {
  name: string;
  instructions: string;
  schema: Record<string, unknown>;
  turns: Turn[];
  effort: "low" | undefined;
}

/**
 * Models that take `reasoning.effort` (https://platform.openai.com/docs/guides/reasoning). One that
 * refuses it all the same is called without it from then on.
 */
const REASONING = /^(gpt-([5-9]|\d\d)|o\d)/;

export function openAiTexts(options: OpenAiOptions): TextModel {
  const { textModel: model, textMs = TEXT_MS } = options;
  const call = openAiCalls(options);
  const unlessMissing = fallback(options, "responses");
  let takesEffort = REASONING.test(model);

  function ask(client: OpenAI, request: Request, signal: AbortSignal): Promise<string> {
    return unlessMissing(
      () => respond(client, request, signal),
      () => viaChat(client, model, request, signal),
    );
  }

  async function respond(client: OpenAI, request: Request, signal: AbortSignal): Promise<string> {
    const plain = { ...request, effort: undefined };
    if (!takesEffort) return await viaResponses(client, model, plain, signal);
    try {
      return await viaResponses(client, model, request, signal);
    } catch (error) {
      if (request.effort === undefined || !refusesParameter(error, "reasoning")) throw error;
      takesEffort = false;
      options.log.warn("model.effort", { model, cause: String(error) });
      return await viaResponses(client, model, plain, signal);
    }
  }

  async function write<T>(task: WritingTask<T>, client: OpenAI, signal: AbortSignal): Promise<T> {
    const { name, instructions, facts } = task;
    const asked: Turn = { role: "user", content: JSON.stringify(facts) };
    const schema = strictSchema(task.schema);
    const request = { name, instructions, schema, turns: [asked], effort: task.effort };
    const first = await ask(client, request, signal);
    const read = parsed(task.schema, first);
    if (read.ok) return read.value;
    const repair: Turn[] = [
      asked,
      { role: "assistant", content: first },
      { role: "user", content: `That does not fit the schema: ${read.reason}. Answer again.` },
    ];
    const second = parsed(task.schema, await ask(client, { ...request, turns: repair }, signal));
    if (second.ok) return second.value;
    throw malformed(WHAT);
  }

  return {
    name: model,
    write: (task, signal) =>
      call(WHAT, textMs, signal, (client, bounded) => write(task, client, bounded.signal)),
  };
}

async function viaResponses(
  client: OpenAI,
  model: string,
  { name, instructions, schema, turns, effort }: Request,
  signal: AbortSignal,
): Promise<string> {
  const answer = await client.responses.create({
    model,
    instructions,
    input: turns,
    text: { format: { type: "json_schema", name, strict: true, schema } },
    max_output_tokens: MOST_TOKENS,
    store: false,
    ...(effort === undefined ? {} : { reasoning: { effort } }),
  }, { signal });
  if (answer?.incomplete_details?.reason === "content_filter") throw declined();
  if (answer?.error) throw failed(answer.error.code, answer.error.message);
  let text = "";
  for (const item of answer?.output ?? []) {
    if (item.type !== "message") continue;
    for (const part of item.content) {
      if (part.type === "refusal") throw declined();
      if (part.type === "output_text") text += part.text;
    }
  }
  return text;
}

async function viaChat(
  client: OpenAI,
  model: string,
  { name, instructions, schema, turns }: Request,
  signal: AbortSignal,
): Promise<string> {
  const answer = await client.chat.completions.create({
    model,
    messages: [{ role: "system", content: instructions }, ...turns],
    response_format: { type: "json_schema", json_schema: { name, strict: true, schema } },
  }, { signal });
  const choice = answer?.choices?.[0];
  if (choice?.message?.refusal || choice?.finish_reason === "content_filter") throw declined();
  return choice?.message?.content ?? "";
}

type Parsed<T> = { ok: true; value: T } | { ok: false; reason: string };

/** Checks the result, because not every server keeps to the schema. */
function parsed<T>(schema: z.ZodType<T>, text: string): Parsed<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: "it is not JSON" };
  }
  const result = schema.safeParse(value);
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, reason: z.prettifyError(result.error) };
}

/** Keywords that strict mode does not take. They are checked when the result is parsed. */
const NOT_STRICT = ["default", "minLength", "maxLength", "minimum", "maximum"];

function strictSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      for (const keyword of NOT_STRICT) delete (jsonSchema as Record<string, unknown>)[keyword];
      if (jsonSchema.type !== "object") return;
      jsonSchema.additionalProperties = false;
      jsonSchema.required = Object.keys(jsonSchema.properties ?? {});
    },
  });
  return json;
}

function declined(): ModelError {
  return new ModelError(`The ${WHAT} declined on safety grounds. Use other words.`, {
    transient: false,
  });
}

function failed(code: string, message: string): ModelError {
  const transient = ["server_error", "rate_limit_exceeded"].includes(code);
  return new ModelError(`The ${WHAT} failed: ${message.slice(0, 300)}`, { transient });
}
