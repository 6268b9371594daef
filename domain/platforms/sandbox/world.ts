/** What the sandbox's audience rewards, so that a backtest can tell whether Marquee finds it. */
import { transact } from "../../kv/transact.ts";
import type { SandboxPost } from "./shape.ts";

/** A post that fulfils every condition of the rule gets its factors. */
interface WorldRule {
  /** Text that the caption contains. */
  caption?: string;
  /** UTC hour of publication. */
  hourUtc?: number;
  kind?: SandboxPost["kind"];
  /** Factor on the views, and so on every number that follows from them; 1.3 is 30 % more. */
  earns?: number;
  /** A further factor on likes, comments, shares and saves. */
  engages?: number;
}

export interface World {
  rules: WorldRule[];
  /** How much the views of equal posts differ: standard deviation of their logarithm. */
  spread: number;
}

export const ORDINARY_WORLD: World = { rules: [], spread: 0.45 };
const WORLD_KEY: Deno.KvKey = ["sandbox", "world"];

/** Changes the audience of every platform, which also changes the numbers of past posts. */
export function setWorld(kv: Deno.Kv, world: Partial<World>): Promise<void> {
  return transact(kv, (commit) => commit.set(WORLD_KEY, { ...ORDINARY_WORLD, ...world }));
}

export async function readWorld(kv: Deno.Kv): Promise<World> {
  return (await kv.get<World>(WORLD_KEY)).value ?? ORDINARY_WORLD;
}

/** The product of the factors of every rule that the post fulfils. */
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
