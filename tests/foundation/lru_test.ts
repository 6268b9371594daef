/** The LRU cache and the semaphore: bounded memory, bounded work. */
import { assert, assertEquals } from "@std/assert";
import { LruCache } from "../../domain/foundation/lru.ts";
import { semaphore } from "../../domain/foundation/semaphore.ts";

Deno.test("an LRU cache keeps the most recently used values and at most twice its limit", () => {
  const cache = new LruCache<number, number>(10);
  for (let key = 0; key < 1_000; key++) {
    cache.set(key, key);
    assertEquals(cache.get(0), 0);
    assert(cache.size <= 20, `${cache.size} values are kept`);
  }
  for (let key = 991; key < 1_000; key++) assertEquals(cache.get(key), key);
  assertEquals(cache.get(500), undefined);
});

Deno.test("a cached value is made once, and again after it was deleted", () => {
  const cache = new LruCache<string, object>(10);
  const first = cache.getOrMake("key", () => ({}));
  assert(cache.getOrMake("key", () => ({})) === first);
  cache.delete("key");
  assert(cache.getOrMake("key", () => ({})) !== first);
  cache.clear();
  assertEquals(cache.size, 0);
});

Deno.test("a semaphore runs so many at once, in order, and goes on after a failure", async () => {
  const withPermit = semaphore(2);
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const started: number[] = [];
  const all = ends.map(({ promise }, index) =>
    withPermit(() => {
      started.push(index);
      return promise;
    }).catch(() => {})
  );
  assertEquals(started, [0, 1]);
  ends[1]?.reject(new Error("fails"));
  await all[1];
  assertEquals(started, [0, 1, 2]);
  for (const { resolve } of ends) resolve();
  await Promise.all(all);
  assertEquals(started, [0, 1, 2, 3, 4]);
});
