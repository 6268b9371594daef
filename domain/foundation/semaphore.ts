/** A semaphore: bounds how much of some work this process does at the same time. */

type WithPermit = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs at most `permits` pieces of work at once. Further ones wait and start in the order in which
 * they arrived.
 */
export function semaphore(permits: number): WithPermit {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= permits) await new Promise<void>((start) => waiting.push(start));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
