/** A store that counts the values that are read from it. */

export interface CountedKv {
  kv: Deno.Kv;
  /** Values read so far. */
  reads(): number;
}

export function countedKv(kv: Deno.Kv): CountedKv {
  let reads = 0;
  const counted = {
    get: (...args: Parameters<Deno.Kv["get"]>) => {
      reads++;
      return kv.get(...args);
    },
    getMany: (keys: Deno.KvKey[]) => {
      reads += keys.length;
      return kv.getMany(keys);
    },
    list: (...args: Parameters<Deno.Kv["list"]>) => {
      const entries = kv.list(...args);
      return {
        get cursor() {
          return entries.cursor;
        },
        async next() {
          const entry = await entries.next();
          if (!entry.done) reads++;
          return entry;
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
    atomic: () => kv.atomic(),
  };
  return { kv: counted as unknown as Deno.Kv, reads: () => reads };
}
