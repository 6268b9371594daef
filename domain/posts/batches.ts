/** Lists long ranges of the store in batches, reading ahead. */
import { isSplit, postPrefix, type PostValue, readWhole, type StoredPost } from "./records.ts";

const LIST_BATCH = 500;

/** Calls `found` with each of the brand's posts, by id. */
export async function eachPost(
  kv: Deno.Kv,
  brandId: string,
  found: (post: StoredPost) => void,
): Promise<void> {
  const prefix = postPrefix(brandId);
  for await (const entries of batchesOf<PostValue>(kv, prefix)) {
    for (const { key, value } of entries) {
      // Parts of a split post are below its key.
      if (key.length > prefix.length + 1) continue;
      const post = isSplit(value) ? await readWhole(kv, brandId, String(key.at(-1))) : value;
      if (post !== null) found(post);
    }
  }
}

/** The entries under `prefix` in batches. The next batch is read while one is being processed. */
export async function* batchesOf<T>(
  kv: Deno.Kv,
  prefix: Deno.KvKey,
): AsyncGenerator<Deno.KvEntry<T>[]> {
  const read = async (cursor: string) => {
    const limits = { limit: LIST_BATCH, batchSize: LIST_BATCH };
    const list = kv.list<T>({ prefix }, cursor === "" ? limits : { ...limits, cursor });
    return { entries: await Array.fromAsync(list), cursor: list.cursor };
  };
  let next = read("");
  for (;;) {
    const { entries, cursor } = await next;
    if (entries.length < LIST_BATCH) return yield entries;
    next = read(cursor);
    // Prevents an unhandled rejection; the error surfaces when `next` is awaited.
    next.catch(() => {});
    yield entries;
  }
}
