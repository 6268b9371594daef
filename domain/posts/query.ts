/** What may be asked of a brand's posts (spec 4.1): the parameters and their rules. */
import { z } from "zod";
import { Page, perPage } from "../paging.ts";
import { foldHashtag } from "./hashtags.ts";
import { Platform, PostFormat } from "./shape.ts";

export const PostSort = z.enum([
  "published",
  "views",
  "impressions",
  "clicks",
  "comments",
  "engagementRate",
]);
export type PostSort = z.output<typeof PostSort>;

export const Direction = z.enum(["asc", "desc"]);
export type Direction = z.output<typeof Direction>;

const day = z.iso.date("must be a date that exists, as yyyy-mm-dd");

export const PostQuery = z.object({
  page: Page,
  perPage: perPage(20),
  q: z.string().optional().describe(
    "Free text over title, caption and cover text: every word must occur. Case and diacritics " +
      "do not matter.",
  ),
  from: day.optional().describe("Only posts published on or after this UTC day."),
  to: day.optional().describe("Only posts published on or before this UTC day."),
  platform: Platform.optional(),
  format: PostFormat.optional(),
  hashtag: z.string().refine((tag) => foldHashtag(tag) !== "", "must not be empty").optional()
    .describe(
      "Only posts that carry this hashtag, given without `#`.",
    ),
  sort: PostSort.default("published").describe("Missing values come last in both directions."),
  dir: Direction.default("desc"),
}).refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
  path: ["from"],
  message: "must not be after `to`",
});
export type PostQuery = z.output<typeof PostQuery>;
