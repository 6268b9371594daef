/**
 * Posts that we published ourselves: all that LinkedIn lets us measure of a member (PLATFORMS B.2),
 * and the only ones of which we know what is printed on them.
 */
import { type Commit, getEach, listValues } from "../kv.ts";
import type { SeriesFormat } from "../series/format.ts";
import type { Service } from "../service.ts";
import type { SocialAccount } from "../social.ts";

export interface OwnPost {
  externalId: string;
  format: SeriesFormat;
  text: string;
  /** The text printed on its first image. */
  coverText: string | null;
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

/** What is printed on those of the posts that we published, by their ids at the platform. */
export async function ownCoverTexts(
  kv: Deno.Kv,
  owner: Owner,
  externalIds: string[],
): Promise<Map<string, string>> {
  const posts = await getEach<OwnPost>(kv, externalIds.map((id) => ownPostKey(owner, id)));
  return new Map(
    posts.flatMap((post) => post?.coverText ? [[post.externalId, post.coverText]] : []),
  );
}

/** Newest first. */
export async function listOwnPosts({ kv }: Pick<Service, "kv">, owner: Owner): Promise<OwnPost[]> {
  const posts = await listValues<OwnPost>(kv, ownPostKey(owner));
  return posts.sort((a, b) => b.publishedAt.localeCompare(a.publishedAt));
}
