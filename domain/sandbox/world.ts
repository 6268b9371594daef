/** The sandbox's hidden truth: what its public rewards, so that a backtest can see it being found. */
import { transact } from "../kv.ts";
import type { SandboxPost } from "./posts.ts";

/** A post that fits every condition named earns the factors. */
export interface WorldRule {
  /** Text that the caption holds. */
  caption?: string;
  /** UTC hour of publication. */
  hourUtc?: number;
  kind?: SandboxPost["kind"];
  /** Factor on the audience and all that follows from it: 1.3 is 30 % more. */
  earns?: number;
  /** Factor on likes, comments, shares and saves beyond that. */
  engages?: number;
}

export interface World {
  rules: WorldRule[];
  /** How far equal posts differ by luck: standard deviation of the audience's logarithm. */
  spread: number;
}

export const ORDINARY_WORLD: World = { rules: [], spread: 0.45 };
export const WORLD_KEY: Deno.KvKey = ["sandbox", "world"];

/** Sets what every platform's public rewards from now on, past numbers included. */
export function setWorld(kv: Deno.Kv, world: Partial<World>): Promise<void> {
  return transact(kv, (commit) => commit.set(WORLD_KEY, { ...ORDINARY_WORLD, ...world }));
}

export async function readWorld(kv: Deno.Kv): Promise<World> {
  return (await kv.get<World>(WORLD_KEY)).value ?? ORDINARY_WORLD;
}

/** The factors that the world's rules give a post, multiplied. */
export function rewards(world: World, post: SandboxPost): { earns: number; engages: number } {
  let earns = 1;
  let engages = 1;
  for (const rule of world.rules) {
    if (!fits(rule, post)) continue;
    earns *= rule.earns ?? 1;
    engages *= rule.engages ?? 1;
  }
  return { earns, engages };
}

function fits(rule: WorldRule, post: SandboxPost): boolean {
  return (rule.caption === undefined || post.caption.includes(rule.caption)) &&
    (rule.hourUtc === undefined || new Date(post.publishedAt).getUTCHours() === rule.hourUtc) &&
    (rule.kind === undefined || post.kind === rule.kind);
}
