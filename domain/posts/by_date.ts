/** Reads a brand's newest posts from the store, without the index; brings their keys by date up to date. */
import { retryWhileLocked } from "../kv/transact.ts";
import { batchesOf, eachPost } from "./batches.ts";
import {
  countKey,
  dateKey,
  datePrefix,
  type PostCount,
  readPosts,
  type StoredPost,
  versionKey,
  versionPrefix,
} from "./records.ts";

/** Keys that one commit of `orderByDate` sets or deletes, of the 1,000 that it may. */
const BATCH = 500;
/** How often `orderByDate` begins anew when posts are written meanwhile. */
const ATTEMPTS = 3;

export interface Newest {
  posts: StoredPost[];
  /** How many posts the brand has. */
  total: number;
}

/**
 * The brand's `most` newest posts at one version; null if the keys by date are not exact, or posts
 * were written meanwhile.
 */
export async function newestPosts(
  kv: Deno.Kv,
  brandId: string,
  most: number,
): Promise<Newest | null> {
  return await atOneVersion(kv, brandId, async (total) => {
    const ids = await idsByDate(kv, brandId, { limit: most });
    const posts = (await readPosts(kv, brandId, ids)).filter((post) => post !== null);
    return { posts, total };
  });
}

/** Ids of at most `most` posts published at or after `from` (instant, ms), newest first, or null as above. */
export async function newestIds(
  kv: Deno.Kv,
  brandId: string,
  from: number,
  most: number,
): Promise<string[] | null> {
  const end = [...datePrefix(brandId), -from + 1];
  return await atOneVersion(kv, brandId, () => idsByDate(kv, brandId, { limit: most, end }));
}

/** What `read` returns; null if the keys by date are not exact from its beginning to its end. */
async function atOneVersion<T>(
  kv: Deno.Kv,
  brandId: string,
  read: (total: number) => Promise<T>,
): Promise<T | null> {
  const { version, count } = await readCount(kv, brandId);
  if (count.version !== (version.value ?? 0)) return null;
  const found = await read(count.posts);
  const after = await kv.get(versionKey(brandId));
  return after.versionstamp === version.versionstamp ? found : null;
}

async function readCount(kv: Deno.Kv, brandId: string) {
  const [version, count] = await kv.getMany<[number, PostCount]>([
    versionKey(brandId),
    countKey(brandId),
  ]);
  return { version, count: count.value ?? { posts: 0, version: 0 } };
}

async function idsByDate(
  kv: Deno.Kv,
  brandId: string,
  { limit, end }: { limit: number; end?: Deno.KvKey },
): Promise<string[]> {
  const prefix = datePrefix(brandId);
  const selector = end === undefined ? { prefix } : { prefix, end };
  const ids: string[] = [];
  for await (const { key } of kv.list(selector, { limit, batchSize: Math.min(limit, BATCH) })) {
    ids.push(String(key.at(-1)));
  }
  return ids;
}

/** Brings the keys by date and the count of every brand up to date, in `kv` of an earlier version. */
export async function orderAllByDate(kv: Deno.Kv): Promise<void> {
  for await (const { key } of kv.list({ prefix: versionPrefix })) {
    await orderByDate(kv, String(key[1]));
  }
}

/**
 * Writes the keys by date and the count where a program that knows neither has written posts. Does
 * nothing if they are exact, and leaves them for the next write if posts keep changing meanwhile.
 */
export async function orderByDate(kv: Deno.Kv, brandId: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { version, count } = await readCount(kv, brandId);
    if (count.version === (version.value ?? 0)) return;
    const commit = async (write: (atomic: Deno.AtomicOperation) => void) => {
      const atomic = kv.atomic().check(version);
      write(atomic);
      return (await retryWhileLocked(() => atomic.commit())).ok;
    };
    if (await order(kv, brandId, version.value ?? 0, commit)) return;
  }
}

/** Writes what is missing or wrong. Returns false if a commit failed because posts have changed. */
async function order(
  kv: Deno.Kv,
  brandId: string,
  version: number,
  commit: (write: (atomic: Deno.AtomicOperation) => void) => Promise<boolean>,
): Promise<boolean> {
  const missing = new Map<string, Deno.KvKey>();
  const wrong: Deno.KvKey[] = [];
  await eachPost(kv, brandId, (post) => missing.set(post.id, dateKey(brandId, post)));
  const posts = missing.size;
  for await (const entries of batchesOf(kv, datePrefix(brandId))) {
    for (const { key } of entries) {
      const id = String(key.at(-1));
      if (missing.get(id)?.at(-2) === key.at(-2)) missing.delete(id);
      else wrong.push(key);
    }
  }
  const keys = [...missing.values()];
  for (let at = 0; at < Math.max(keys.length, wrong.length); at += BATCH / 2) {
    const isWritten = await commit((atomic) => {
      for (const key of wrong.slice(at, at + BATCH / 2)) atomic.delete(key);
      for (const key of keys.slice(at, at + BATCH / 2)) atomic.set(key, true);
    });
    if (!isWritten) return false;
  }
  return await commit((atomic) => atomic.set(countKey(brandId), { posts, version }));
}
