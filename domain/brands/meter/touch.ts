/** How a change of a brand or its keys reaches every meter. */
import type { Commit } from "../../kv/transact.ts";
import { countKey, pack, type PackedCount, unpack } from "./count.ts";
import { appendMarks, marksOf } from "./marks.ts";

/** Makes every meter read the brand again, because `commit` changes a key or the plan. */
export async function touchCount(commit: Commit, brandId: string): Promise<void> {
  const key = countKey(brandId);
  const packed = await commit.get<PackedCount>(key);
  const count = unpack(packed);
  const touched = pack({ ...count, changes: (count.changes ?? 0) + 1 });
  commit.set(key, appendMarks(touched, marksOf(packed)));
}
