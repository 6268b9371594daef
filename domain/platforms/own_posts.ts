/**
 * Posts that Marquee published. For a member, LinkedIn reports on no others (PLATFORMS B.2), and
 * only of these is it known what text is printed on their images.
 */
import { type Commit, getEach, listValues } from "../kv/transact.ts";
import type { SeriesFormat } from "./contract/format.ts";
import type { Service } from "../service/service.ts";
import type { SocialAccount } from "./accounts.ts";

export interface OwnPost {
  externalId: string;
  format: SeriesFormat;
  text: string;
  /** The text printed on its first image. */
  coverText: string | null;
  url: string;
  /** Storage keys of its images, in order. */
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

/** Platform id → text on the cover; posts that Marquee did not publish are left out. */
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
