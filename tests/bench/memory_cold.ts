/** Reads of a store's only brand by indexes that have read nothing, as in a process that has just started. */
import { PostIndexes } from "../../domain/posts/index/indexes.ts";
import { savedKey } from "../../domain/posts/index/saved.ts";
import { PostQuery } from "../../domain/posts/query.ts";
import { postPrefix } from "../../domain/posts/records.ts";
import { SavedIndexes } from "../../domain/service/saved_indexes.ts";
import type { Service } from "../../domain/service/service.ts";
import { countedKv } from "../support/counted_kv.ts";
import { median } from "./figure.ts";

/** Medians of real time in ms. */
export interface Cold {
  list: number;
  first: number;
  /** Values read from the store for the first page. */
  firstReads: number;
  /** From a list of all posts. */
  listed: { sorted: number; searched: number };
  /** From a saved index; the values read from the store. */
  saved: { sorted: number; searched: number; reads: number };
  /** The longest time for which nothing else was served, in the best round: what else runs only adds. */
  held: { saving: number; loading: number };
}

const ROUNDS = 5;
/** Also of few posts, so that a quick run saves one. */
const ANY = { leastPosts: 1 };
const QUERIES = {
  first: PostQuery.parse({}),
  sorted: PostQuery.parse({ sort: "views", platform: "instagram" }),
  searched: PostQuery.parse({ q: "coffee" }),
};

export async function measureCold(service: Service): Promise<Cold> {
  const { kv, now } = service;
  const [entry] = await Array.fromAsync(kv.list({ prefix: ["postVersion"] }, { limit: 1 }));
  const brandId = String(entry!.key[1]);
  const times: Record<string, number[]> = {};
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    const done = await work();
    (times[name] ??= []).push(performance.now() - started);
    return done;
  };
  const held = { saving: Infinity, loading: Infinity };
  let [firstReads, savedReads] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    await timed("list", async () => {
      for await (const _ of kv.list({ prefix: postPrefix(brandId) }, { batchSize: 500 }));
    });
    for (const [name, query] of Object.entries(QUERIES)) {
      const counted = countedKv(kv);
      const indexes = new PostIndexes(counted.kv, now);
      await timed(name, () => indexes.page(brandId, query));
      if (name === "first") firstReads = counted.reads();
    }
    await kv.delete(savedKey(brandId));
    const files = new SavedIndexes(service, ANY);
    await new PostIndexes(kv, now, { files }).of(brandId);
    held.saving = Math.min(held.saving, await longestTurn(() => files.idle()));
    for (const name of ["sorted", "searched"] as const) {
      const counted = countedKv(kv);
      const indexes = new PostIndexes(counted.kv, now, { files: new SavedIndexes(service, ANY) });
      await timed(`saved ${name}`, async () => {
        const turn = await longestTurn(() => indexes.of(brandId));
        held.loading = Math.min(held.loading, turn);
        await indexes.page(brandId, QUERIES[name]);
      });
      savedReads = counted.reads();
    }
  }
  const of = (name: string) => median(times[name]!);
  return {
    list: of("list"),
    first: of("first"),
    firstReads,
    listed: { sorted: of("sorted"), searched: of("searched") },
    saved: { sorted: of("saved sorted"), searched: of("saved searched"), reads: savedReads },
    held,
  };
}

/** The longest time in ms between two turns of the event loop while `work` is under way. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let [longest, last] = [0, performance.now()];
  const look = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(look);
  await work();
  look();
  clearInterval(timer);
  return longest;
}
