/** What a post has earned by an instant: a pure function of post, world and time, never falling. */
import { DAY, HOUR } from "../calendar.ts";
import type { Platform } from "../posts/shape.ts";
import type { SandboxAccount } from "./accounts.ts";
import type { SandboxPost } from "./posts.ts";
import { drawsFrom } from "./draws.ts";
import { rewards, type World } from "./world.ts";

/** Cumulative counts over the post's life. */
export interface Numbers {
  views: number;
  reach: number;
  likes: number;
  comments: number;
  shares: number;
  saves: number;
  clicks: number;
}

interface Habits {
  /** Views of a middling account's middling post: lowest and highest exponent of ten. */
  audience: readonly [number, number];
  /** Most of the audience comes with the first time constant, the rest with the second, ms. */
  first: number;
  tail: number;
  /** Ranges of the shares of the views that become something. */
  reach: readonly [number, number];
  likes: readonly [number, number];
  comments: readonly [number, number];
  shares: readonly [number, number];
  saves: readonly [number, number];
  clicks: readonly [number, number];
}

const HABITS: Record<Platform, Habits> = {
  instagram: {
    audience: [3.2, 4.2],
    first: 14 * HOUR,
    tail: 12 * DAY,
    reach: [0.62, 0.84],
    likes: [0.03, 0.08],
    comments: [0.001, 0.006],
    shares: [0.003, 0.015],
    saves: [0.004, 0.02],
    clicks: [0.003, 0.012],
  },
  linkedin: {
    audience: [2.9, 3.8],
    first: 20 * HOUR,
    tail: 9 * DAY,
    reach: [0.55, 0.75],
    likes: [0.01, 0.03],
    comments: [0.001, 0.004],
    shares: [0.001, 0.004],
    saves: [0, 0],
    clicks: [0.006, 0.03],
  },
  youtube: {
    audience: [3.7, 5],
    first: 60 * HOUR,
    tail: 45 * DAY,
    reach: [0.6, 0.8],
    likes: [0.02, 0.06],
    comments: [0.002, 0.006],
    shares: [0.003, 0.01],
    saves: [0, 0],
    clicks: [0, 0],
  },
};

const KIND_FACTOR: Partial<Record<SandboxPost["kind"], number>> = {
  carousel: 1.25,
  reel: 1.8,
  story: 0.3,
  text: 0.8,
  article: 0.7,
};
const STORY_FIRST = 6 * HOUR;
const TAIL_SHARE = 0.15;

export function numbersAt(
  account: SandboxAccount,
  post: SandboxPost,
  world: World,
  at: number,
): Numbers {
  if (post.readings !== null) return realNumbers(post, at);
  const habits = HABITS[post.kind === "story" ? "instagram" : account.platform];
  const draws = drawsFrom(`${account.platform} ${account.number} ${post.serial} numbers`);
  const luck = Math.exp(world.spread * draws.normal());
  const { earns, engages } = rewards(world, post);
  const views = usualAudience(account, habits) * luck * earns * (KIND_FACTOR[post.kind] ?? 1) *
    grown(habits, post.kind === "story", at - post.publishedAt);
  const part = ([low, high]: readonly [number, number]) => views * draws.between(low, high);
  return {
    views: Math.floor(views),
    reach: Math.floor(part(habits.reach)),
    likes: Math.floor(part(habits.likes) * engages),
    comments: Math.floor(part(habits.comments) * engages),
    shares: Math.floor(part(habits.shares) * engages),
    saves: Math.floor(part(habits.saves) * engages),
    clicks: Math.floor(part(habits.clicks)),
  };
}

function usualAudience(account: SandboxAccount, { audience: [low, high] }: Habits): number {
  const draws = drawsFrom(`${account.platform} ${account.handle.toLowerCase()} audience`);
  return 10 ** draws.between(low, high);
}

/** The share of a post's whole audience that has come by `age`, 0 to 1. */
function grown({ first, tail }: Habits, story: boolean, age: number): number {
  if (age <= 0) return 0;
  if (story) return 1 - Math.exp(-age / STORY_FIRST);
  return (1 - TAIL_SHARE) * (1 - Math.exp(-age / first)) + TAIL_SHARE * (1 - Math.exp(-age / tail));
}

/** Real readings, joined by straight lines from publication on; the last one stands for good. */
function realNumbers(post: SandboxPost, at: number): Numbers {
  let before: [number, number, number, number] = [post.publishedAt, 0, 0, 0];
  let after = before;
  for (const reading of post.readings!) {
    after = reading;
    if (reading[0] > at) break;
    before = reading;
  }
  const span = after[0] - before[0];
  const share = span <= 0 ? 0 : Math.min(1, Math.max(0, (at - before[0]) / span));
  const [, views, likes, comments] = before.map((from, index) =>
    Math.floor(from + (after[index]! - from) * share)
  ) as [number, number, number, number];
  const shares = Math.floor(likes * 0.12);
  return { views, reach: 0, likes, comments, shares, saves: 0, clicks: 0 };
}
