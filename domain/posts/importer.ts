/**
 * `posts import`: JSONL, gzip'd or not, streamed: in memory are a batch of its lines, a mark for each
 * post that went in, and the report on those that did not.
 */
import { z } from "zod";
import { lengthOf } from "../text.ts";
import { ServiceError } from "../errors.ts";
import { firstProblem } from "../operation.ts";
import { linesOf, MAX_LINE } from "./lines.ts";
import { type IncomingPost, Platform, PostFormat } from "./shape.ts";
import { Tally } from "./tally.ts";
import { type PostWriter, upsertPosts } from "./upsert.ts";

export interface ImportReport {
  /** Posts not known before. */
  imported: number;
  /** Known posts that are not what they were before the import. */
  updated: number;
  /** Lines that did not go in, counted from 1. */
  rejected: { line: number; error: string }[];
}

/** A batch is written when it holds so many posts, or has taken so many bytes of the file. */
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

// RFC 3339; its section 5.6 lets a blank stand for the T.
const INSTANT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:\d\d)$/i;

const instant = z.string("must be a timestamp").transform((value, context) => {
  const parts = INSTANT.exec(value);
  const at = parts === null || !z.iso.date().safeParse(parts[1]).success
    ? NaN
    : Date.parse(`${parts[1]}T${parts[2]}${parts[3]!.toUpperCase()}`);
  const utc = Number.isFinite(at) ? new Date(at).toISOString() : "";
  // In UTC an instant may leave the years of four digits.
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
});

/**
 * Reads a file of posts into a brand. Importing the same file again changes nothing.
 * @throws ServiceError `validationError` when the file can't be read to its end; like any other, it
 *   says how far the import came
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
    await upsertPosts(service, brandId, batch, tally);
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
    : `until then imported ${imported}, updated ${updated}, rejected ${rejected}; ` +
      "what went in stays, and importing the file again goes on from there";
  return new ServiceError(error.code, `${error.message} (${soFar})`, { cause: error });
}

/** The post of a line, why it is none, or null for a blank line. */
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
