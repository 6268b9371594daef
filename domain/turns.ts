/** Work of which only so much goes on at once in this process; the rest waits in order. */

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** @param atOnce how many pieces of work go on side by side */
export function takingTurns(atOnce: number): InTurn {
  let atWork = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (atWork >= atOnce) await new Promise<void>((go) => waiting.push(go));
    else atWork++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) atWork--;
      else next();
    }
  };
}
