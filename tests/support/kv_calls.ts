/** Counts what is asked of a store, in tests of how little that is. */
import { serialize } from "node:v8";

export interface KvCalls {
  reads: number;
  commits: number;
  /** Calls that were under way together make one round: the time that a slow store takes. */
  rounds: number;
  /** Values that were found, and their bytes as the store keeps them, keys included. */
  valuesRead: number;
  bytesRead: number;
  /** Values that were set or deleted. */
  valuesWritten: number;
  bytesWritten: number;
}

/** Counts the calls to `kv` from now on; the object that it returns stays current. */
export function countCalls(kv: Deno.Kv): KvCalls {
  const calls: KvCalls = {
    ...{ reads: 0, commits: 0, rounds: 0 },
    ...{ valuesRead: 0, bytesRead: 0, valuesWritten: 0, bytesWritten: 0 },
  };
  let underWay = 0;
  const counted = async <T>(what: "reads" | "commits", call: () => Promise<T>): Promise<T> => {
    calls[what]++;
    if (underWay++ === 0) calls.rounds++;
    try {
      return await call();
    } finally {
      underWay--;
    }
  };
  // The stand-ins of the platforms keep their books in the same store; a real platform would not.
  const isOurs = ([collection]: Deno.KvKey = []) => collection !== "sandbox";
  const found = <T extends Deno.KvEntryMaybe<unknown>>(entry: T): T => {
    if (entry.versionstamp !== null) {
      calls.valuesRead++;
      calls.bytesRead += sizeOf(entry.key, entry.value);
    }
    return entry;
  };
  const written = (key: Deno.KvKey, value: unknown) => {
    calls.valuesWritten++;
    calls.bytesWritten += sizeOf(key, value);
  };
  const { get, getMany, list, atomic } = kv;
  Object.assign(kv, {
    get: async (...input: Parameters<typeof get>) =>
      isOurs(input[0])
        ? found(await counted("reads", () => get.apply(kv, input)))
        : await get.apply(kv, input),
    getMany: async (...input: Parameters<typeof getMany>) => {
      const entries = await counted("reads", () => getMany.apply(kv, input));
      for (const entry of entries) found(entry);
      return entries;
    },
    list: async function* (...input: Parameters<typeof list>) {
      const [selector] = input;
      if (!isOurs("prefix" in selector ? selector.prefix : selector.start)) {
        return yield* list.apply(kv, input);
      }
      // A portion is read when its first entry is asked for; short lists have one portion.
      const entries = list.apply(kv, input);
      let next = await counted("reads", () => entries.next());
      for (; next.done !== true; next = await entries.next()) yield found(next.value);
    },
    atomic: () => {
      const operation = atomic.apply(kv);
      const { commit, set, delete: remove } = operation;
      let isOurWrite = true;
      return Object.assign(operation, {
        set: (...input: Parameters<typeof set>) => {
          isOurWrite = isOurs(input[0]);
          if (isOurWrite) written(input[0], input[1]);
          return set.apply(operation, input);
        },
        delete: (key: Deno.KvKey) => {
          if (isOurs(key)) written(key, undefined);
          return remove.call(operation, key);
        },
        commit: () =>
          isOurWrite ? counted("commits", () => commit.apply(operation)) : commit.apply(operation),
      });
    },
  });
  return calls;
}

function sizeOf(key: Deno.KvKey, value: unknown): number {
  const bytes = value === undefined ? 0 : serialize(value).byteLength;
  return key.reduce((sum: number, part) => sum + String(part).length + 2, bytes);
}
