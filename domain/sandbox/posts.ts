/** The posts of a sandbox account: its seeded history, and what was published through the API. */
import { DAY, SECOND } from "../calendar.ts";
import type { Now } from "../clock.ts";
import { getEach, listValues, transact } from "../kv.ts";
import type { Platform } from "../posts/shape.ts";
import { accountByNumber, findAccount, type SandboxAccount } from "./accounts.ts";
import { seededPosts } from "./history.ts";
import { postId, readPostId } from "./ids.ts";
import { sampleVideo } from "./sample.ts";

/** What the platform made of it; `text`, `article` and `document` are LinkedIn's. */
export type PostKind =
  | "image"
  | "carousel"
  | "reel"
  | "video"
  | "story"
  | "text"
  | "article"
  | "document";

export interface SandboxImage {
  /** LinkedIn's image URN, or the id of an Instagram carousel child. */
  id: string;
  /** An address; one of our own begins with `/`. */
  url: string;
  altText: string;
}

export interface SandboxPost {
  /** The platform's public id: our externalPostId. */
  id: string;
  number: number;
  serial: number;
  /** Instant, ms. */
  publishedAt: number;
  kind: PostKind;
  /** As the public reads it. */
  caption: string;
  /** As it came over the wire, where that differs: LinkedIn's little text. */
  wireText: string | null;
  title: string | null;
  /** An address the post points to. */
  link: string | null;
  images: SandboxImage[];
  durationSec: number | null;
  tags: string[];
  /** The owner hides the likes, or has switched comments off. */
  likesHidden: boolean;
  commentsOff: boolean;
  /** Of a real channel's video: `[instant ms, views, likes, comments]`, oldest first. */
  readings: [number, number, number, number][] | null;
}

const STORY_LIFE_MS = DAY;

const postKey = ({ platform, number }: SandboxAccount, serial: number): Deno.KvKey => [
  "sandbox",
  platform,
  "post",
  number,
  serial,
];
const serialKey = ({ platform, number }: SandboxAccount): Deno.KvKey => [
  "sandbox",
  platform,
  "serial",
  number,
];

/** Everything public at this instant, newest first; a story is public for 24 hours. */
export async function publicPosts(
  kv: Deno.Kv,
  now: Now,
  account: SandboxAccount,
): Promise<SandboxPost[]> {
  const at = now();
  const published = await publishedPosts(kv, account);
  return [...await seededPosts(account), ...published]
    .filter((post) => post.publishedAt <= at && !isGone(post, at))
    .sort((a, b) => b.publishedAt - a.publishedAt || b.serial - a.serial);
}

/** What came through the API, oldest first. */
export function publishedPosts(kv: Deno.Kv, account: SandboxAccount): Promise<SandboxPost[]> {
  return listValues<SandboxPost>(kv, ["sandbox", account.platform, "post", account.number]);
}

/** A story disappears a day after it was published. */
export function isGone(post: SandboxPost, at: number): boolean {
  return post.kind === "story" && at >= post.publishedAt + STORY_LIFE_MS;
}

/** The posts that `ids` name, in order; null where there is none. */
export function findPosts(
  kv: Deno.Kv,
  platform: Platform,
  ids: string[],
): Promise<(SandboxPost | null)[]> {
  return Promise.all(ids.map((id) => findPost(kv, platform, id)));
}

export async function findPost(
  kv: Deno.Kv,
  platform: Platform,
  id: string,
): Promise<SandboxPost | null> {
  const real = platform === "youtube" ? await sampleVideo(id) : null;
  if (real !== null) {
    const account = await findAccount(kv, platform, real.handle);
    return account === null ? null : (await seededPosts(account))[real.serial] ?? null;
  }
  const ref = readPostId(platform, id);
  const account = ref === null ? null : await accountByNumber(kv, platform, ref.number);
  if (ref === null || account === null || account.sampleChannelId !== null) return null;
  if (ref.serial < account.seeded) return (await seededPosts(account))[ref.serial] ?? null;
  return (await getEach<SandboxPost>(kv, [postKey(account, ref.serial)]))[0] ?? null;
}

export type NewPost = Omit<SandboxPost, "id" | "number" | "serial" | "publishedAt">;

/**
 * Makes a post public: the irreversible step of every publishing call.
 * @param also runs in the same commit and may refuse by throwing
 */
export function publish(
  kv: Deno.Kv,
  now: Now,
  account: SandboxAccount,
  also: (
    commit: Parameters<Parameters<typeof transact>[1]>[0],
    id: string,
  ) => Promise<NewPost>,
): Promise<SandboxPost> {
  return transact(kv, async (commit) => {
    const serial = await commit.get<number>(serialKey(account)) ?? account.seeded;
    const id = postId(account.platform, { number: account.number, serial });
    const fresh = await also(commit, id);
    const post: SandboxPost = {
      ...fresh,
      id,
      number: account.number,
      serial,
      publishedAt: account.platform === "linkedin" ? now() : wholeSecond(now()),
    };
    commit.set(serialKey(account), serial + 1);
    commit.set(postKey(account, serial), post);
    return post;
  });
}

/** Instagram and YouTube tell time by the second. */
export const wholeSecond = (at: number): number => Math.floor(at / SECOND) * SECOND;
