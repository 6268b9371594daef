/** Finds the due jobs of one kind, claims as many as there is room for, and starts them. */
import { dueEntries, jobIdOf, turnsInOrder } from "../domain/kv/jobs/indexes.ts";
import { brandOfTurn, type JobKind, takesTurns } from "../domain/kv/jobs/kinds.ts";
import type { Service } from "../domain/service/service.ts";
import { claim } from "./claim.ts";
import { execute } from "./execute.ts";
import type { Handler } from "./handler.ts";
import type { InFlight } from "./in_flight.ts";

/** What a producer asks of the worker that it belongs to. */
export interface Host {
  readonly service: Service;
  readonly inFlight: InFlight;
  isStopped(): boolean;
  /** A job has ended, so there is room for another. */
  jobEnded(): void;
}

export class Producer<Kind extends JobKind> {
  readonly #host: Host;
  readonly #kind: Kind;
  readonly #handler: Handler<Kind>;
  /** The turn that was taken last. */
  #taken = "";

  constructor(host: Host, kind: Kind, handler: Handler<Kind>) {
    this.#host = host;
    this.#kind = kind;
    this.#handler = handler;
  }

  /** Starts what is due while there is room. */
  async scan(): Promise<void> {
    if (!this.#hasRoom()) return;
    await (takesTurns(this.#kind) ? this.#scanInTurns() : this.#scanInOrder());
  }

  /** First come, first served. */
  async #scanInOrder(): Promise<void> {
    for await (const entry of this.#due()) {
      if (!this.#hasRoom()) return;
      await this.#start(entry);
    }
  }

  /** A job for each turn that has room, beginning after the one taken last, round and round. */
  async #scanInTurns(): Promise<void> {
    const { kv, now } = this.#host.service;
    const tried = new Set<string>();
    const next = async (turn?: string) => {
      for await (const entry of this.#due(turn)) if (!tried.has(jobIdOf(entry))) return entry;
      return null;
    };
    // One read shows that nothing is due, however many turns wait for a later time.
    if (await next() === null) return;
    for (let found = true; found;) {
      found = false;
      for await (const turn of turnsInOrder(kv, this.#kind, now(), this.#taken)) {
        if (!this.#hasRoom()) return;
        if (!this.#hasRoomIn(turn)) continue;
        const entry = await next(turn);
        if (entry === null) continue;
        found = true;
        tried.add(jobIdOf(entry));
        this.#taken = turn;
        await this.#start(entry, turn);
      }
    }
  }

  /** Entries of due jobs that don't run here yet, earliest first. */
  async *#due(turn?: string): AsyncGenerator<Deno.KvKey> {
    const { service: { kv, now }, inFlight } = this.#host;
    const { perBrand = Infinity, perTurn = perBrand } = this.#handler;
    const options = { turn, batchSize: Math.min(this.#most(), perTurn) + 1 };
    for await (const entry of dueEntries(kv, this.#kind, now(), options)) {
      if (!inFlight.has(jobIdOf(entry))) yield entry;
    }
  }

  async #start(entry: Deno.KvKey, turn?: string): Promise<void> {
    const { service, inFlight, jobEnded } = this.#host;
    const handler = this.#handler;
    const job = await claim(service, this.#kind, entry, handler);
    if (job === null) return;
    inFlight.start(job, turn, (abort) => execute(service, job, handler, abort), jobEnded);
  }

  #most(): number {
    const { concurrency } = this.#handler;
    return typeof concurrency === "number" ? concurrency : concurrency(this.#host.service);
  }

  /** A stopped worker has no room. */
  #hasRoom(): boolean {
    const { isStopped, inFlight } = this.#host;
    return !isStopped() && inFlight.count(this.#kind) < this.#most();
  }

  /** A turn has room for one job whatever runs in the brand's other turns, as all of that may hang. */
  #hasRoomIn(turn: string): boolean {
    const { perBrand = Infinity, perTurn = Infinity } = this.#handler;
    const { inFlight } = this.#host;
    const running = inFlight.count(this.#kind, { turn });
    if (running === 0) return true;
    const ofBrand = inFlight.count(this.#kind, { brandId: brandOfTurn(turn) });
    return running < perTurn && ofBrand < perBrand;
  }
}
