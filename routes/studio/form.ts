/** Reads Studio's forms: texts and files, within limits. */
import { readUpTo } from "../../domain/foundation/bytes.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { chunksOf } from "../../domain/operations/http.ts";

/** Ten pictures of 10 MB would be too much for one request's memory; four are not. */
const MOST_BYTES = 40 * 1024 * 1024;
/** A form without files. */
const MOST_TEXT = 256 * 1024;

const isMultipart = ({ headers }: Request): boolean =>
  (headers.get("content-type") ?? "").startsWith("multipart/");

export const hasTextOnly = (request: Request): boolean => !isMultipart(request);

/** @throws ServiceError `validationError` for a body that is too large or no form */
export async function readFields(request: Request): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  const most = isMultipart(request) ? MOST_BYTES : MOST_TEXT;
  const tooLarge = () =>
    new ServiceError("validationError", "That was too much at once. Send fewer files at a time.");
  if (Number(request.headers.get("content-length") ?? 0) > most) throw tooLarge();
  const bytes = await readUpTo(most, chunksOf(request));
  if (bytes === null) throw tooLarge();
  try {
    return await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch (cause) {
    throw new ServiceError("validationError", "Send the fields as a form.", { cause });
  }
}

/** The text of a field, "" when it is absent. */
export function textOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  // Browsers send line ends as CRLF, which nobody typed.
  return typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
}

/** All values of a field that can be chosen several times. */
export const textsOf = (fields: FormData, name: string): string[] =>
  fields.getAll(name).filter((value) => typeof value === "string");

/** An empty field as null. */
export const orNull = (text: string): string | null => text.trim() === "" ? null : text;

/** The files of a field; browsers send one without a name when none is chosen. */
export const filesOf = (fields: FormData, name: string): File[] =>
  fields.getAll(name).filter((value) => value instanceof File && value.size > 0) as File[];

/** A whole number, or NaN, which every schema refuses. */
export const numberOf = (text: string): number =>
  /^\d{1,6}$/.test(text.trim()) ? Number(text) : NaN;

/** The words of a list that people separate by spaces, commas and `#`. */
export const tagsOf = (text: string): string[] => text.split(/[\s,#]+/).filter((tag) => tag !== "");
