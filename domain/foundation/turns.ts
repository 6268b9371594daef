/** Turns: bounds some work of this process, so that no tenant waits behind the pile of another. */
import { ServiceError } from "./errors.ts";

export interface TurnLimits {
  /** Pieces of work that run at once: of all tenants, and of each. */
  running: number;
  runningEach: number;
  /** Pieces of work that wait: of all tenants, and of each. Further ones are refused. */
  waiting: number;
  waitingEach: number;
  /** Tells a refused caller what there is too much of. */
  refusal: string;
}

/** A tenant's work: how much of it runs, and what starts each piece that waits, oldest first. */
interface Line {
  running: number;
  waiting: PromiseWithResolvers<void>[];
}

/**
 * Tenants start one piece of work each, round and round. While too many pieces wait in all, the newest
 * one of the tenant with the most gives way to one of a tenant with fewer.
 */
export class Turns<Tenant> {
  readonly #limits: TurnLimits;
  /** Tenants with work. The one whose turn is next comes first. */
  readonly #lines = new Map<Tenant, Line>();
  #running = 0;
  #waiting = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** @throws ServiceError `serviceUnavailable` when too much waits already */
  async run<T>(tenant: Tenant, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(tenant) ?? { running: 0, waiting: [] };
    if (this.#hasRoomFor(line)) this.#begin(tenant, line);
    else await this.#wait(tenant, line);
    try {
      return await work();
    } finally {
      this.#running--;
      line.running--;
      this.#moveToEnd(tenant, line);
      this.#startWaiting();
    }
  }

  #hasRoomFor({ running }: Line): boolean {
    return this.#running < this.#limits.running && running < this.#limits.runningEach;
  }

  #begin(tenant: Tenant, line: Line): void {
    this.#running++;
    line.running++;
    this.#moveToEnd(tenant, line);
  }

  /** Makes a tenant the last to have another turn. One that has no work left is forgotten. */
  #moveToEnd(tenant: Tenant, line: Line): void {
    this.#lines.delete(tenant);
    if (line.running + line.waiting.length > 0) this.#lines.set(tenant, line);
  }

  #wait(tenant: Tenant, line: Line): Promise<void> {
    if (line.waiting.length >= this.#limits.waitingEach) throw this.#refusal();
    if (this.#waiting >= this.#limits.waiting) this.#makeWay(line);
    const turn = Promise.withResolvers<void>();
    line.waiting.push(turn);
    this.#waiting++;
    if (!this.#lines.has(tenant)) this.#lines.set(tenant, line);
    return turn.promise;
  }

  /** Refuses the newest piece of the longest line, unless the newcomer's would be as long. */
  #makeWay({ waiting }: Line): void {
    const [first, ...others] = this.#lines.values();
    const longest = others.reduce(
      (one, other) => other.waiting.length > (one?.waiting.length ?? 0) ? other : one,
      first,
    );
    if (longest === undefined || longest.waiting.length <= waiting.length + 1) {
      throw this.#refusal();
    }
    this.#waiting--;
    longest.waiting.pop()?.reject(this.#refusal());
  }

  #startWaiting(): void {
    for (const [tenant, line] of [...this.#lines]) {
      if (this.#running >= this.#limits.running) return;
      if (line.waiting.length === 0 || !this.#hasRoomFor(line)) continue;
      this.#waiting--;
      this.#begin(tenant, line);
      line.waiting.shift()?.resolve();
    }
  }

  #refusal(): ServiceError {
    return new ServiceError("serviceUnavailable", this.#limits.refusal);
  }
}
