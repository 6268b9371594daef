/**
 * The operations that stream all posts that match, instead of a page of them, and one post's readings.
 *
 * An export counts as one request for every 1,000 rows begun. The gate has counted the first. Posts are
 * counted before they are sent, so their export is refused as a whole when the quota does not suffice,
 * and is charged nothing more. How many readings there are is not known before they are read: each
 * further 1,000 are charged before they are sent, and when the quota ends, the answer breaks off. So no
 * client takes the part for the whole.
 */
import { chargeMonth } from "../brands/meter/charge.ts";
import { Turns } from "../foundation/turns.ts";
import { explainedReadings } from "../insights/readings.ts";
import { POSTS_CSV, READINGS_CSV } from "../posts/csv.ts";
import { withEarlyReadings } from "../posts/early.ts";
import type { PostIndex } from "../posts/index/post_index.ts";
import { PostSelection } from "../posts/query.ts";
import type { Post } from "../posts/shape.ts";
import { withReadings } from "../posts/store.ts";
import { type Context, operation, Streamed, streamOf } from "./operation.ts";
import { readingsOf, ReadingsQuery } from "./insights.ts";
import { readableBy } from "./readable.ts";

const ROWS_A_REQUEST = 1_000;
/** Posts in a piece of the answer. */
const TOGETHER = 100;
const WHAT = "This export";
const encoder = new TextEncoder();

/** An export keeps the index that it began with in memory, so only so many run at once. */
const running = new Turns<string>({
  ...{ running: 8, runningEach: 2 },
  ...{ waiting: 0, waitingEach: 0 },
  refusal: "Too many exports are running. Try again when one has ended.",
});

const CHARGED = "Counts as one request for every 1,000 rows begun; at most 2 run at once.";

const exports = {
  group: "Posts",
  scopes: ["postsRead"],
  costs: "request",
  errors: [],
  input: PostSelection,
} as const;

export const exportPostsCsv = operation({
  ...exports,
  id: "exportPostsCsv",
  summary: "Export all posts that match as CSV.",
  description: "RFC 4180 in UTF-8 with a header row. Texts that a spreadsheet would run as a " +
    `formula begin with \`'\`; lists are separated by blanks. ${CHARGED} Refused as a whole if the ` +
    "month's quota does not suffice.",
  output: streamOf("text/csv"),
  run: (context, selection) =>
    exportPosts(context, selection, {
      head: POSTS_CSV.head,
      line: (json) => POSTS_CSV.line(JSON.parse(json) as Post),
    }),
});

export const exportPostsNdjson = operation({
  ...exports,
  id: "exportPostsNdjson",
  summary: "Export all posts that match as JSON, a post a line.",
  description: `${CHARGED} Refused as a whole if the month's quota does not suffice.`,
  output: streamOf("application/x-ndjson"),
  run: (context, selection) =>
    exportPosts(context, selection, { head: "", line: (json) => `${json}\n` }),
});

export const exportReadings = operation({
  ...exports,
  id: "exportReadings",
  summary: "Export all readings of the posts that match as JSON, a reading a line.",
  description: "Each line has the post's id and platform beside the reading, oldest first within " +
    `a post. ${CHARGED} Breaks off when the month's quota ends.`,
  output: streamOf("application/x-ndjson"),
  run: async (context, selection) =>
    await streamed(context, selection, (index, slots) => readingPieces(context, index, slots)),
});

export const exportPostReadings = operation({
  ...exports,
  id: "exportPostReadings",
  summary: "Export all readings of one post as CSV.",
  description:
    "The readings of `GET /v1/posts/{id}/readings`, oldest first: a column each number, " +
    "empty where it is missing, and times in UTC. Counts as one request for every 1,000 rows begun.",
  errors: ["notFound"],
  input: ReadingsQuery,
  output: streamOf("text/csv"),
  run: async (context, query) => {
    const { post, readings } = await readingsOf(context, query);
    const lines = readings.map((metrics) => READINGS_CSV.line({ post, metrics }));
    const left = await chargeFurther(context, lines.length);
    return new Streamed(onePiece(READINGS_CSV.head + lines.join("")), { ...left, onEnd: () => {} });
  },
});

async function* onePiece(text: string): Pieces {
  yield encoder.encode(text);
}

interface Form {
  head: string;
  line: (json: string) => string;
}

function exportPosts(context: Context, selection: PostSelection, form: Form): Promise<Streamed> {
  const charge = (rows: number) => chargeFurther(context, rows);
  return streamed(context, selection, (index, slots) => postPieces(index, slots, form), charge);
}

/** What is left of the month's quota, where that has changed. */
type Left = { leftThisMonth?: number };

/** Charges what the gate has not: the rows after the first 1,000. */
async function chargeFurther(context: Context, rows: number): Promise<Left> {
  const more = Math.ceil(rows / ROWS_A_REQUEST) - 1;
  return more > 0 ? { leftThisMonth: await chargeRows(context, more) } : {};
}

async function chargeRows({ kv, brand, now }: Context, requests: number): Promise<number> {
  return await chargeMonth(kv, brand, requests, { what: WHAT, at: now() });
}

type Pieces = AsyncGenerator<Uint8Array<ArrayBuffer>, void>;

/** @param charge charges the rows before they are sent */
async function streamed(
  { posts, brand }: Context,
  selection: PostSelection,
  piecesOf: (index: PostIndex, slots: Uint32Array) => Pieces,
  charge: (rows: number) => Promise<Left> = () => Promise.resolve({}),
): Promise<Streamed> {
  const ended = Promise.withResolvers<void>();
  const onEnd = () => ended.resolve();
  const begun = Promise.withResolvers<Streamed>();
  running.run(brand.id, async () => {
    try {
      const index = await posts.of(brand.id);
      const slots = await index.select(selection);
      const left = await charge(slots.length);
      begun.resolve(new Streamed(piecesOf(index, slots), { ...left, onEnd }));
    } catch (error) {
      onEnd();
      throw error;
    }
    await ended.promise;
  }).catch(begun.reject);
  return await begun.promise;
}

async function* postPieces(index: PostIndex, slots: Uint32Array, { head, line }: Form): Pieces {
  if (head !== "") yield encoder.encode(head);
  for (let start = 0; start < slots.length; start += TOGETHER) {
    const texts = index.texts(slots.subarray(start, start + TOGETHER));
    yield encoder.encode(texts.map(line).join(""));
  }
}

async function* readingPieces(context: Context, index: PostIndex, slots: Uint32Array): Pieces {
  const { kv, brand, now } = context;
  const isReadable = await readableBy(context);
  let rows = 0;
  for (let start = 0; start < slots.length; start += TOGETHER) {
    const texts = index.texts(slots.subarray(start, start + TOGETHER));
    const posts = texts.map((json) => JSON.parse(json) as Post);
    let lines: string[] = [];
    const daily = await Promise.all(posts.map((post) => withReadings(kv, brand.id, post)));
    for (const post of await withEarlyReadings(kv, brand.id, daily)) {
      const circumstances = { at: now(), isConnected: isReadable(post.platform) };
      for (const reading of explainedReadings(post, circumstances)) {
        if (rows > 0 && rows % ROWS_A_REQUEST === 0) {
          // What was paid for goes out before more is asked for.
          if (lines.length > 0) yield encoder.encode(lines.join(""));
          lines = [];
          await chargeRows(context, 1);
        }
        rows++;
        lines.push(`${JSON.stringify({ postId: post.id, platform: post.platform, ...reading })}\n`);
      }
    }
    if (lines.length > 0) yield encoder.encode(lines.join(""));
  }
}
