/** A post's numbers at an instant: a pure function of post, world and time that never falls. */
import { DAY, HOUR } from "../../foundation/calendar.ts";
import type { Platform } from "../../posts/shape.ts";
import type { SandboxAccount } from "./accounts.ts";
import type { SandboxPost } from "./shape.ts";
import { drawsFrom } from "./draws.ts";
import { rewards, type World } from "./world.ts";

/** Counts since publication. */
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
  /** Views of an average post: 10 to the power of a number in this range, drawn for each account. */
  audience: readonly [number, number];
  /** Views that a post has as soon as it is public: the owner's own. */
  ownViews: number;
  /** Time constants, ms: most views come by the first, the rest by the second. */
  first: number;
  tail: number;
  /** Ranges of the shares of views that lead to each of the other numbers. */
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
    ownViews: 1,
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
    ownViews: 0,
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
    ownViews: 0,
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
  if (post.readings !== null) return realNumbers(post.publishedAt, post.readings, at);
  const habits = HABITS[account.platform];
  const draws = drawsFrom(`${account.platform} ${account.number} ${post.serial} numbers`);
  const luck = Math.exp(world.spread * draws.normal());
  const { earns, engages } = rewards(world, post);
  const views = usualAudience(account, habits) * luck * earns * (KIND_FACTOR[post.kind] ?? 1) *
    grown(habits, post.kind === "story", at - post.publishedAt);
  const part = ([low, high]: readonly [number, number]) => views * draws.between(low, high);
  return {
    views: Math.max(at < post.publishedAt ? 0 : habits.ownViews, Math.floor(views)),
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

/** The share of a post's final audience that it has reached at `age`, 0 to 1. */
function grown({ first, tail }: Habits, story: boolean, age: number): number {
  if (age <= 0) return 0;
  if (story) return 1 - Math.exp(-age / STORY_FIRST);
  return (1 - TAIL_SHARE) * (1 - Math.exp(-age / first)) + TAIL_SHARE * (1 - Math.exp(-age / tail));
}

/** Interpolates between real readings, from 0 at publication; stays constant after the last one. */
function realNumbers(
  publishedAt: number,
  readings: NonNullable<SandboxPost["readings"]>,
  at: number,
): Numbers {
  let before: (typeof readings)[number] = [publishedAt, 0, 0, 0];
  let after = before;
  for (const reading of readings) {
    after = reading;
    if (reading[0] > at) break;
    before = reading;
  }
  const span = after[0] - before[0];
  const share = span <= 0 ? 0 : Math.min(1, Math.max(0, (at - before[0]) / span));
  const between = (from: number, to: number) => Math.floor(from + (to - from) * share);
  const views = between(before[1], after[1]);
  const likes = between(before[2], after[2]);
  const comments = between(before[3], after[3]);
  const shares = Math.floor(likes * 0.12);
  return { views, reach: 0, likes, comments, shares, saves: 0, clicks: 0 };
}
