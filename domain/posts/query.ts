/** The parameters of a search for posts, and their rules (spec 4.1). */
import { z } from "zod";
import { Page, perPage } from "../foundation/paging.ts";
import { optionalText } from "../foundation/text.ts";
import { foldHashtag, words } from "./fold.ts";
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

/** The longest `q` (DECISIONS "Bounds"). */
const MOST_CHARACTERS = 500;
const MOST_WORDS = 20;

/** The same for the description. */
const FEW_WORDS = String.raw`^\s*(\S+\s+){0,${MOST_WORDS - 1}}\S*\s*$`;

/** A text that is too long already is not cut into words. */
const hasFewWords = (q: string) => q.length > 2 * MOST_CHARACTERS || words(q).length <= MOST_WORDS;

const filters = {
  q: optionalText(MOST_CHARACTERS).refine(hasFewWords, `must be at most ${MOST_WORDS} words`)
    .meta({ maxLength: MOST_CHARACTERS, pattern: FEW_WORDS }).optional().describe(
      "Free text over title, caption and cover text: every word must occur. Case and diacritics " +
        `do not matter. At most ${MOST_WORDS} words.`,
    ),
  from: day.optional().describe("Only posts published on or after this UTC day."),
  to: day.optional().describe("Only posts published on or before this UTC day."),
  platform: Platform.optional(),
  format: PostFormat.optional(),
  hashtag: z.string().refine((tag) => foldHashtag(tag) !== "", "must not be empty")
    .meta({ pattern: String.raw`[^\s#＃]` }).optional()
    .describe(
      "Only posts that carry this hashtag, given without `#`.",
    ),
  sort: PostSort.default("published").describe("Missing values come last in both directions."),
  dir: Direction.default("desc"),
};

const inOrder = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  from === undefined || to === undefined || from <= to;
const order = { path: ["from"], message: "must not be after `to`" };

export const PostQuery = z.object({ page: Page, perPage: perPage(20), ...filters })
  .refine(inOrder, order);
export type PostQuery = z.output<typeof PostQuery>;

/** The same for all posts that match, without pages. */
export const PostSelection = z.object(filters).refine(inOrder, order);
export type PostSelection = z.output<typeof PostSelection>;
