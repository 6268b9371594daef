/** Names the state of a brand's scheduled posts: it differs after each change of any of them. */
import { slotsVersionKey } from "./records.ts";

/** Every commit that writes a post writes a row of its series here; the latest names the state. */
export async function postsVersion(kv: Deno.Kv, brandId: string): Promise<string> {
  let latest = "";
  for await (
    const { versionstamp } of kv.list({ prefix: slotsVersionKey(brandId, null).slice(0, 2) })
  ) {
    if (versionstamp > latest) latest = versionstamp;
  }
  return latest;
}
