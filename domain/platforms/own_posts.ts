/** Posts that we published ourselves: all that LinkedIn lets us measure of a member (PLATFORMS B.2). */
import type { Commit } from "../kv.ts";
import { listValues } from "../kv.ts";
import type { SeriesFormat } from "../series/format.ts";
import type { Service } from "../service.ts";
import type { SocialAccount } from "../social.ts";

export interface OwnPost {
  externalId: string;
  format: SeriesFormat;
  text: string;
  url: string;
  /** Where its images lie in storage, in order. */
  keys: string[];
  publishedAt: string;
}

type Owner = Pick<SocialAccount, "brandId" | "id">;

const ownPostKey = ({ brandId, id }: Owner, ...externalId: string[]): Deno.KvKey => [
  "ownPost",
  brandId,
  id,
  ...externalId,
];

export function keepOwnPost(commit: Commit, owner: Owner, post: OwnPost): void {
  commit.set(ownPostKey(owner, post.externalId), post);
}

/** Newest first. */
export async function listOwnPosts({ kv }: Pick<Service, "kv">, owner: Owner): Promise<OwnPost[]> {
  const posts = await listValues<OwnPost>(kv, ownPostKey(owner));
  return posts.sort((a, b) => b.publishedAt.localeCompare(a.publishedAt));
}
