/**
 * `posts import`: streams a JSONL file, gzipped or not. Memory holds one batch of lines, a mark for
 * each imported post and the report on rejected lines.
 */
import { z } from "zod";
import { lengthOf } from "../foundation/text.ts";
import { ServiceError } from "../foundation/errors.ts";
import { firstProblem } from "../foundation/problems.ts";
import { linesOf, MAX_LINE } from "./lines.ts";
import { type IncomingPost, Platform, PostFormat } from "./shape.ts";
import { Tally } from "./tally.ts";
import { type PostWriter, upsertPosts } from "./upsert.ts";

export interface ImportReport {
  /** Posts not known before. */
  imported: number;
  /** Known posts that the import has changed. */
  updated: number;
  /** Lines that were not imported, counted from 1. */
  rejected: { line: number; error: string }[];
}

/** A batch is written when it has this many posts, or this many bytes of the file. */
const BATCH = 200;
const BATCH_BYTES = 1024 * 1024;
const decoder = new TextDecoder("utf-8", { fatal: true });
const CAPTION = 20_000;
const TEXT = 5_000;

const count = z.int("must be an integer").min(0, "must be at least 0");
const characters = (max: number) =>
  z.string().refine(
    (value) => value.length <= max || lengthOf(value) <= max,
    `must be at most ${max.toLocaleString("en-US")} characters`,
  ).refine((value) => value.isWellFormed(), "must not hold an unpaired surrogate");
const address = z.url({ protocol: /^https?$/, error: "must be an http or https address" }).max(
  2_048,
  "must be at most 2,048 characters",
);

// RFC 3339. Its section 5.6 allows a blank in place of the T.
const INSTANT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:\d\d)$/i;

const instant = z.string("must be a timestamp").transform((value, context) => {
  const [, day, time, offset = ""] = INSTANT.exec(value) ?? [];
  const at = z.iso.date().safeParse(day).success
    ? Date.parse(`${day}T${time}${offset.toUpperCase()}`)
    : NaN;
  const utc = Number.isFinite(at) ? new Date(at).toISOString() : "";
  // The conversion to UTC may lead out of the years with four digits.
  if (utc.length === "2026-01-31T12:00:00.000Z".length) return utc;
  context.addIssue("must be a timestamp with an offset, like 2026-01-31T12:00:00Z");
  return z.NEVER;
});

const IncomingReading = z.object({
  capturedAt: instant,
  views: count,
  impressions: count,
  reach: count.nullable(),
  likes: count,
  comments: count,
  shares: count,
  saves: count.nullable(),
  clicks: count.nullable(),
});

const IncomingLine = z.object({
  externalId: characters(512).refine((id) => id.trim() !== "", "must not be empty"),
  platform: Platform,
  format: PostFormat,
  title: characters(TEXT).nullable(),
  url: address,
  caption: characters(CAPTION),
  coverText: characters(TEXT).nullish(),
  hashtags: z.array(characters(300)).max(200, "must have at most 200 entries"),
  thumbnailUrl: address.nullable(),
  mediaUrls: z.array(address).max(100, "must have at most 100 entries"),
  publishedAt: instant,
  readings: z.array(IncomingReading).min(1),
  earlyReadings: z.array(IncomingReading).optional(),
});

/**
 * Reads a file of posts into a brand. Importing the same file again changes nothing.
 * @throws ServiceError `validationError` if the file can't be read to its end. Its message, like that
 *   of every refusal here, says what was imported until then.
 */
export async function importPosts(
  service: PostWriter,
  brandId: string,
  path: string,
): Promise<ImportReport> {
  const tally = new Tally();
  const rejected: ImportReport["rejected"] = [];
  let batch: IncomingPost[] = [];
  let taken = 0;
  const flush = async () => {
    await upsertPosts(service, brandId, batch, { tally });
    [batch, taken] = [[], 0];
  };
  try {
    for await (const { line, bytes } of linesOf(path)) {
      const post = parse(bytes);
      if (typeof post === "string") rejected.push({ line, error: post });
      else if (post !== null) batch.push(post);
      taken += bytes?.length ?? 0;
      if (batch.length === BATCH || taken > BATCH_BYTES) await flush();
    }
    await flush();
  } catch (error) {
    throw error instanceof ServiceError ? endedEarly(error, tally, rejected.length) : error;
  }
  return { imported: tally.imported, updated: tally.updated, rejected };
}

function endedEarly(error: ServiceError, tally: Tally, rejected: number): ServiceError {
  const { imported, updated } = tally;
  const soFar = imported + updated + rejected === 0
    ? "nothing was imported"
    : `imported ${imported}, updated ${updated} and rejected ${rejected} until then; these posts ` +
      "stay, and importing the file again adds the rest";
  return new ServiceError(error.code, `${error.message} (${soFar})`, { cause: error });
}

/** The post of a line, the reason why it is rejected, or null for a blank line. */
function parse(bytes: Uint8Array | null): IncomingPost | string | null {
  if (bytes === null) return `longer than ${MAX_LINE.toLocaleString("en-US")} bytes`;
  let value: unknown;
  try {
    const text = decoder.decode(bytes);
    if (text.trim() === "") return null;
    value = JSON.parse(text);
  } catch (error) {
    return error instanceof SyntaxError ? "not valid JSON" : "not valid UTF-8";
  }
  const parsed = IncomingLine.safeParse(value, { reportInput: true });
  return parsed.success ? parsed.data : firstProblem(parsed.error);
}
