/** Saved indexes in tests: small ones in several blocks, and what two ways of reading answer. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Log } from "../../domain/foundation/log.ts";
import { silent } from "../../domain/foundation/log.ts";
import { PostIndexes } from "../../domain/posts/index/indexes.ts";
import { savedKey, type SavedRow } from "../../domain/posts/index/saved.ts";
import { PostQuery } from "../../domain/posts/query.ts";
import { SavedIndexes } from "../../domain/service/saved_indexes.ts";
import type { Service } from "../../domain/service/service.ts";
import { countedKv } from "./counted_kv.ts";
import type { Asked } from "./posts_model.ts";

export const SMALL = { leastPosts: 100, blockPosts: 128 };

/** A process of its own on the store: its indexes, and what it has read and logged. */
export interface Reading {
  posts: PostIndexes;
  files: SavedIndexes;
  /** Values read from the store. */
  reads(): number;
  logged: string[];
}

export function reading(service: Service, more: Partial<Service> = {}): Reading {
  const { kv, reads } = countedKv(service.kv);
  const logged: string[] = [];
  const note = (event: string) => void logged.push(event);
  const log: Log = { ...silent, info: note, warn: note, error: note };
  const files = new SavedIndexes({ ...service, log, ...more }, SMALL);
  return { posts: new PostIndexes(kv, service.now, { files }), files, reads, logged };
}

/** Has a new process read the brand and save its index. */
export async function save(service: Service, brandId: string): Promise<Reading> {
  const process = reading(service);
  await process.posts.of(brandId);
  await process.files.idle();
  assertEquals(process.logged, ["index.saved"]);
  return process;
}

export async function rowOf({ kv }: Service, brandId: string): Promise<SavedRow | null> {
  return (await kv.get<SavedRow>(savedKey(brandId))).value;
}

/** Asks both questions and compares pages and totals, some of the texts by searching in slices. */
export async function agree(
  [one, other]: [PostIndexes, PostIndexes],
  brandId: string,
  questions: fc.Arbitrary<Asked>,
  runs: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(questions, async (asked) => {
      const read = PostQuery.safeParse(asked);
      if (!read.success) return;
      const [ours, theirs] = [
        await one.page(brandId, read.data),
        await other.page(brandId, read.data),
      ];
      assertEquals(ours.pagination, theirs.pagination);
      assertEquals(ours.data, theirs.data);
    }),
    { numRuns: runs },
  );
}

/** The paths of all private files, in order. */
export async function privateFiles({ settings }: Service): Promise<string[]> {
  const folder = `${settings.DATA_DIR}/media/.private`;
  if (await Deno.stat(folder).catch(() => null) === null) return [];
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  const number = (name: string) => Number(/-(\d+)\.bin$/.exec(name)?.[1]);
  return names.toSorted((a, b) => number(a) - number(b)).map((name) => `${folder}/${name}`);
}
