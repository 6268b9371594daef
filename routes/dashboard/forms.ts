/** Reads forms from browsers: within limits, checked by a shape. */
import { z } from "zod";
import { invalid, ServiceError } from "../../domain/foundation/errors.ts";
import { type BodyLimits, readBody } from "../../domain/operations/http.ts";

/** A form's fields, in either encoding; without limits of its own, with those of any body. */
export async function readForm(request: Request, limits?: BodyLimits): Promise<FormData> {
  const body = await readBody(request, limits);
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  try {
    return await new Response(body, { headers }).formData();
  } catch (cause) {
    throw new ServiceError("validationError", "Send the fields as a form.", { cause });
  }
}

/**
 * The fields of the shape. A field that takes several values gets all of them.
 * @throws ServiceError `validationError` that names the field
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
  const [issue] = parsed.error.issues;
  throw invalid(String(issue?.path[0]), issue?.message ?? "is not valid");
}

const LABELS: Record<string, string> = {
  currentPassword: "Current password",
  newPassword: "New password",
};

/** A refusal's words, with the label that the page shows instead of the field's name. */
export function inLabels(message: string): string {
  return message.replace(/^\w+(?=:)/, (field) => LABELS[field] ?? field);
}
