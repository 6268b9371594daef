/** Graph's `fields` parameter: an answer holds exactly the fields that were asked for. */
import { badParameter } from "./errors.ts";

/** A name, or a name with the fields below it. */
export type Field = string | { name: string; fields: Field[] };

/** Reads `id,caption,children{id,media_url}`. */
export function parseFields(text: string): Field[] {
  const fields: Field[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (text[at] === "{") depth++;
    if (text[at] === "}") depth--;
    if (at < text.length && (text[at] !== "," || depth > 0)) continue;
    const part = text.slice(start, at).trim();
    if (part !== "") fields.push(parseField(part));
    start = at + 1;
  }
  if (depth !== 0) throw badParameter("Syntax error in parameter fields.");
  return fields;
}

function parseField(part: string): Field {
  const match = /^(\w+)\{(.*)\}$/s.exec(part);
  const [, name, fields] = match ?? [];
  if (name !== undefined && fields !== undefined) return { name, fields: parseFields(fields) };
  if (/^\w+$/.test(part)) return part;
  throw badParameter(`Syntax error "Expected name." at character 0: ${part}`);
}

/** @throws Refusal 100 for a field that this type of node doesn't have */
export function pick(node: object, fields: Field[], type: string): object {
  const values = node as Record<string, unknown>;
  const answer: Record<string, unknown> = {};
  for (const field of fields) {
    const name = typeof field === "string" ? field : field.name;
    if (!(name in values)) {
      throw badParameter(`Tried accessing nonexisting field (${name}) on node type (${type})`);
    }
    const value = values[name];
    if (value === undefined) continue;
    answer[name] = typeof field === "string" ? plain(value) : below(value, field.fields, type);
  }
  return answer;
}

/** An edge that is asked for without fields returns only ids. */
function plain(value: unknown): unknown {
  return isEdge(value) ? below(value, ["id"], "IGMedia") : value;
}

function below(value: unknown, fields: Field[], type: string): unknown {
  if (isEdge(value)) return { data: value.data.map((node) => pick(node, fields, type)) };
  return typeof value === "object" && value !== null ? pick(value, fields, type) : value;
}

function isEdge(value: unknown): value is { data: object[] } {
  return typeof value === "object" && value !== null && "data" in value &&
    Array.isArray(value.data);
}
