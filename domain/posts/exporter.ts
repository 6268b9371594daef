/** Posts with all their readings, in the form that `posts import` takes. */
import { listValues } from "../kv/transact.ts";
import { earlyReadings } from "./early.ts";
import { isSplit, postPrefix, type PostValue, readingPrefix, readWhole } from "./records.ts";
import type { IncomingPost, Reading } from "./shape.ts";

/** A line of an export. `posts import` gives the post a new id in another brand. */
export interface ExportedPost extends IncomingPost {
  id: string;
}

/** Every post of the brand, oldest import first. */
export async function* exportPosts(kv: Deno.Kv, brandId: string): AsyncGenerator<ExportedPost> {
  const prefix = postPrefix(brandId);
  for await (const { key, value } of kv.list<PostValue>({ prefix })) {
    const id = String(key[prefix.length]);
    if (key.length > prefix.length + 1) continue; // a part of a large post
    const post = isSplit(value) ? await readWhole(kv, brandId, id) : value;
    if (post === null) continue;
    const { newest, ...rest } = post;
    const readings = await listValues<Reading>(kv, readingPrefix(brandId, id));
    const early = await earlyReadings(kv, brandId, id);
    yield {
      ...rest,
      readings: readings.length === 0 ? [newest] : readings,
      ...(early.length === 0 ? {} : { earlyReadings: early }),
    };
  }
}
