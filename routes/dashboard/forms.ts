/** Forms as browsers send them: from our own pages only, within bounds, checked by a shape. */
import { z } from "zod";
import { invalid, ServiceError } from "../../domain/errors.ts";
import { readBody } from "../../domain/wire.ts";

/** A form's fields, in either encoding and within the bounds of any body. */
export async function readForm(request: Request): Promise<FormData> {
  const body = await readBody(request);
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  try {
    return await new Response(body, { headers }).formData();
  } catch (cause) {
    throw new ServiceError("validationError", "Send the fields as a form.", { cause });
  }
}

/**
 * The fields that the shape knows; one that takes several values gets them all.
 * @throws ServiceError `validationError` that names the field as its label does
 */
export function checked<Shape extends z.ZodObject>(
  fields: FormData,
  shape: Shape,
): z.output<Shape> {
  const given = Object.fromEntries(
    Object.entries(shape.shape).map(([name, field]) => [
      name,
      field instanceof z.ZodArray ? fields.getAll(name) : fields.get(name),
    ]),
  );
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw invalid(String(path[0]), message);
}

const LABELS: Record<string, string> = {
  name: "Name",
  scopes: "What it may do",
  baseStylePrompt: "Base style",
  discordWebhookUrl: "Discord webhook",
};

/** A refusal's words, with the label that a person sees in place of the field's name. */
export function inLabels(message: string): string {
  return message.replace(/^\w+(?=:)/, (field) => LABELS[field] ?? field);
}

/**
 * A browser's form is taken from our own pages only. Every browser says where a form comes from;
 * who doesn't is a program, which bears no one else's cookies.
 */
export function refuseForeignForm(request: Request, baseUrl: string): void {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const own = [new URL(baseUrl).origin, new URL(request.url).origin];
  if (origin === null ? site === null || site === "same-origin" : own.includes(origin)) return;
  throw new ServiceError("forbidden", "Forms are taken from the dashboard's own pages only.");
}
