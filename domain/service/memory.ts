/** How much memory the indexes of posts may take: as set, or a share of what the process may take. */
import type { Settings } from "../foundation/settings.ts";
import type { Service } from "./service.ts";

const MB = 1024 * 1024;
/** Deno Deploy's limit for an instance, unless `deploy.runtime.memory_limit` raises it. */
const DEPLOY_BYTES = 768 * MB;
/** The runtime, answers in progress and images need the rest. */
const SHARE = 1 / 3;
/** The part of it that the tables of insights take. */
const INSIGHT_SHARE = 1 / 4;
const LEAST = 64 * MB;
const MOST = 1024 * MB;
type MemorySettings = Pick<Settings, "INDEX_MEMORY_MB" | "onDeploy">;

/**
 * The memory for indexes in bytes.
 * @param limits the machine's memory and any limits below it, bytes
 */
export function indexMemory(settings: MemorySettings, limits: readonly number[]): number {
  if (settings.INDEX_MEMORY_MB !== undefined) return settings.INDEX_MEMORY_MB * MB;
  const limit = Math.min(...limits, settings.onDeploy ? DEPLOY_BYTES : Infinity);
  return Math.round(Math.min(MOST, Math.max(LEAST, limit * SHARE)));
}

/** What the posts' indexes and the insights' tables may take of it, in bytes. */
export function memoryParts(
  settings: MemorySettings,
  limits: readonly number[],
): { posts: number; insights: number } {
  const bytes = indexMemory(settings, limits);
  return { posts: bytes * (1 - INSIGHT_SHARE), insights: bytes * INSIGHT_SHARE };
}

/** The machine's memory, bytes. */
export function machineMemory(): number {
  return Deno.systemMemoryInfo().total;
}

/**
 * Lowers the memory for indexes where a container has less than the machine. Only Deno can tell, as no
 * permission short of all lets a program read `/sys`. It tells through Node's `process`, which takes
 * long to load, so this comes after the start.
 */
export async function heedContainer(
  { settings, posts, insights }: Pick<Service, "settings" | "posts" | "insights">,
): Promise<void> {
  const { default: process } = await import("node:process");
  const container = process.constrainedMemory?.() ?? 0; // Deno 2.5 can't tell
  if (container <= 0) return;
  const parts = memoryParts(settings, [machineMemory(), container]);
  posts.keepWithin(parts.posts);
  insights.keepWithin(parts.insights);
}
