/** Takes the lived past over into the service's own store. */
import { type Commit, getEach, listValues } from "../../domain/kv/transact.ts";
import { earlyReadings } from "../../domain/posts/early.ts";
import { datePrefix, pointerKey, readingPrefix, readPosts } from "../../domain/posts/records.ts";
import type { Reading } from "../../domain/posts/shape.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import type { Service } from "../../domain/service/service.ts";

/** Posts that are written at the same time. */
const TOGETHER = 25;

/**
 * Writes the posts with all their readings, and returns the ids they have here by those of the past.
 * Writing them again changes nothing.
 */
export async function keepPosts(
  service: Service,
  brandId: string,
  past: Deno.Kv,
): Promise<Map<string, string>> {
  const ids: string[] = [];
  for await (const { key } of past.list({ prefix: datePrefix(brandId) })) ids.push(String(key[3]));
  const posts = (await readPosts(past, brandId, ids)).filter((post) => post !== null);
  for (let from = 0; from < posts.length; from += TOGETHER) {
    const some = posts.slice(from, from + TOGETHER).map(async ({ id, newest: _, ...post }) => ({
      ...post,
      readings: await listValues<Reading>(past, readingPrefix(brandId, id)),
      earlyReadings: await earlyReadings(past, brandId, id),
    }));
    await upsertPosts(service, brandId, await Promise.all(some));
  }
  const pointers = posts.map(({ platform, externalId }) =>
    pointerKey(brandId, platform, externalId)
  );
  const here = await getEach<string>(service.kv, pointers);
  return new Map(posts.map(({ id }, nth) => [id, here[nth] ?? id]));
}

/**
 * Rows of the brand that stay where they are: the posts are written above; the rest is of the moment,
 * expires, or has been the store's own from the start.
 */
const LEFT = new Set([
  ...[
    "post",
    "postByDate",
    "postByExternal",
    "postCount",
    "postChange",
    "postEarly",
    "postReading",
  ],
  ...["postVersion", "metricsRefused", "credits", "meter", "audit", "delivery", "fileReservation"],
  ...["event", "eventHead", "eventOrder", "webhook", "webhookDelivery", "webhookWants"],
  ...["brand", "brandKit", "asset", "assetShelf", "castMember", "castCount"],
  ...["social", "socialByExternalId", "socialTokens"],
]);
const POST_ID = /post_[0-9A-Z]{26}/g;
/** What the sandbox keeps of published posts. */
const PUBLISHED = new Set<unknown>(["post", "serial"]);

/** A row of the past that the service's store is to have. */
export interface Row {
  key: Deno.KvKey;
  value: unknown;
}

/**
 * What became of the brand in the past: its series, scheduled posts, images, and the sandbox's posts.
 * @param posts what `keepPosts` returned: reviews name the posts on which they rest
 */
export async function rowsOfPast(
  past: Deno.Kv,
  brandId: string,
  posts: Map<string, string>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { key, value } of past.list({ prefix: [] }, { batchSize: 500 })) {
    const [kind, of, what] = key;
    const isOwn = of === brandId && !LEFT.has(String(kind));
    if (isOwn || (kind === "sandbox" && PUBLISHED.has(what))) {
      rows.push({ key, value: kind === "review" ? renamed(value, posts) : value });
    }
  }
  return rows;
}

/** A record without binary values, in which other ids of posts stand. */
function renamed(value: unknown, posts: Map<string, string>): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(POST_ID, (id) => posts.get(id) ?? id));
}

/** Writes the rows in `commit`, beside what was made meanwhile. */
export async function writeRows(commit: Commit, rows: Row[]): Promise<void> {
  for (const { key, value } of rows) {
    if (key[0] === "seriesCount") {
      commit.set(key, (await commit.get<number>(key) ?? 0) + Number(value));
    } else if (!isNextNumber(key) || await commit.get(key) === null) {
      commit.set(key, value);
    }
  }
}

/** The number of the account's next post, which stays as it is once something was published there. */
const isNextNumber = ([kind, , what]: Deno.KvKey) => kind === "sandbox" && what === "serial";
