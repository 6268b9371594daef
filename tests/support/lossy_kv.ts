/**
 * A store whose answers get lost after the write, as Deno's client over KV Connect meets it: the client
 * sends the commit again, and gives the second answer to its caller.
 */

export interface Lossy {
  kv: Deno.Kv;
  /** How many answers to lose from now on. */
  lose: number;
  /** How many were lost so far. */
  lost: number;
  /** Awaited between a write whose answer is lost and its repeat. */
  between?: () => Promise<void>;
  /** How many commits were sent so far, without repeats. */
  sent: number;
  /** Commits hang until this is false again, as they do while the store is away. */
  away: boolean;
}

export function lossyKv(kv: Deno.Kv): Lossy {
  const lossy: Lossy = { kv, lose: 0, lost: 0, sent: 0, away: false };
  lossy.kv = new Proxy(kv, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name === "atomic") return () => lossyAtomic(target, lossy);
      if (typeof member !== "function") return member;
      if (!["get", "getMany"].includes(String(name))) return member.bind(target);
      return async (...input: unknown[]) => {
        await backFrom(lossy);
        return await member.apply(target, input);
      };
    },
  });
  return lossy;
}

/** Records each step, so that the commit can be sent twice. */
function lossyAtomic(kv: Deno.Kv, lossy: Lossy): Deno.AtomicOperation {
  const steps: ((atomic: Deno.AtomicOperation) => unknown)[] = [];
  const send = () => {
    const atomic = kv.atomic();
    for (const step of steps) step(atomic);
    return atomic.commit();
  };
  const recorder: Deno.AtomicOperation = new Proxy(kv.atomic(), {
    get(target, name) {
      if (name === "commit") {
        return async () => {
          await backFrom(lossy);
          lossy.sent++;
          if (lossy.lose === 0) return await send();
          lossy.lose--;
          const first = await send();
          if (!first.ok) return first;
          lossy.lost++;
          await lossy.between?.();
          return await send();
        };
      }
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...input: unknown[]) => {
        steps.push((atomic) => Reflect.apply(member, atomic, input));
        return recorder;
      };
    },
  });
  return recorder;
}

async function backFrom(lossy: Lossy): Promise<void> {
  while (lossy.away) await new Promise((done) => setTimeout(done, 5));
}
