/** Finds the due jobs of one kind, claims as many as there is room for, and starts them. */
import { brandsInTurn, dueIds } from "../domain/kv/jobs/indexes.ts";
import { type JobKind, takesTurns } from "../domain/kv/jobs/kinds.ts";
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
  /** The brand that had its turn last. */
  #served = "";

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
    for await (const id of this.#due()) {
      if (!this.#hasRoom()) return;
      await this.#start(id);
    }
  }

  /** A job for each brand that has room, beginning after the one served last, round and round. */
  async #scanInTurns(): Promise<void> {
    const { kv, now } = this.#host.service;
    const tried = new Set<string>();
    const next = async (brandId?: string) => {
      for await (const id of this.#due(brandId)) if (!tried.has(id)) return id;
      return null;
    };
    // One read shows that nothing is due, however many brands wait for a later time.
    if (await next() === null) return;
    for (let found = true; found;) {
      found = false;
      for await (const brandId of brandsInTurn(kv, this.#kind, now(), this.#served)) {
        if (!this.#hasRoom()) return;
        if (!this.#hasRoomFor(brandId)) continue;
        const id = await next(brandId);
        if (id === null) continue;
        found = true;
        tried.add(id);
        this.#served = brandId;
        await this.#start(id);
      }
    }
  }

  /** Due jobs that don't run here yet, earliest first. */
  async *#due(brandId?: string): AsyncGenerator<string> {
    const { service: { kv, now }, inFlight } = this.#host;
    const options = { batchSize: this.#most() + 1, ...(brandId !== undefined && { brandId }) };
    for await (const id of dueIds(kv, this.#kind, now(), options)) {
      if (!inFlight.has(id)) yield id;
    }
  }

  async #start(id: string): Promise<void> {
    const { service, inFlight, jobEnded } = this.#host;
    const handler = this.#handler;
    const job = await claim(service, this.#kind, id, handler);
    if (job === null) return;
    inFlight.start(job, (abort) => execute(service, job, handler, abort), jobEnded);
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

  #hasRoomFor(brandId: string): boolean {
    const { perBrand = Infinity } = this.#handler;
    return this.#host.inFlight.count(this.#kind, brandId) < perBrand;
  }
}
