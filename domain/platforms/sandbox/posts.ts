/** The posts of a sandbox account: its made-up history and what was published through the API. */
import { DAY, type Now } from "../../foundation/calendar.ts";
import { type Commit, getEach, listValues, transact } from "../../kv/transact.ts";
import type { Platform } from "../../posts/shape.ts";
import { accountByNumber, findAccount, type SandboxAccount } from "./accounts.ts";
import { seededPosts } from "./history.ts";
import { postId, readPostId } from "./ids.ts";
import { sampleVideo } from "./sample.ts";
import { SANDBOX_TRAITS } from "./traits.ts";
import { type NewPost, type SandboxPost, wholeSecond } from "./shape.ts";

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

/** Leaves out the next `count` numbers, which another store's posts of this account may take. */
export function leaveOutSerials(
  kv: Deno.Kv,
  account: SandboxAccount,
  count: number,
): Promise<void> {
  return transact(kv, async (commit) => {
    const next = await commit.get<number>(serialKey(account)) ?? account.seeded;
    commit.set(serialKey(account), next + count);
  });
}

/** The posts that are public now, newest first. A story is public for 24 hours. */
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

/** The posts that were published through the API, oldest first. */
export function publishedPosts(kv: Deno.Kv, account: SandboxAccount): Promise<SandboxPost[]> {
  return listValues<SandboxPost>(kv, ["sandbox", account.platform, "post", account.number]);
}

/** Whether a story has expired, a day after it was published. */
export function isGone(post: SandboxPost, at: number): boolean {
  return post.kind === "story" && at >= post.publishedAt + STORY_LIFE_MS;
}

/** The posts with these ids, in order; null where there is none. */
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
  const real = SANDBOX_TRAITS[platform].hasSample ? await sampleVideo(id) : null;
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

/**
 * Makes a post public, which is the irreversible step of every publishing call.
 * @param also returns the post in the same commit; throws to refuse
 */
export function publish(
  kv: Deno.Kv,
  now: Now,
  account: SandboxAccount,
  also: (
    commit: Commit,
    id: string,
    serial: number,
  ) => Promise<NewPost>,
): Promise<SandboxPost> {
  const { hasMilliseconds } = SANDBOX_TRAITS[account.platform];
  return transact(kv, async (commit) => {
    const serial = await commit.get<number>(serialKey(account)) ?? account.seeded;
    const id = postId(account.platform, { number: account.number, serial });
    const fresh = await also(commit, id, serial);
    const post: SandboxPost = {
      ...fresh,
      id,
      number: account.number,
      serial,
      publishedAt: hasMilliseconds ? now() : wholeSecond(now()),
    };
    commit.set(serialKey(account), serial + 1);
    commit.set(postKey(account, serial), post);
    return post;
  });
}
