/** Keeps the insight tables of brands that are asked about, and keeps them up to date. */
import { ServiceError } from "../foundation/errors.ts";
import { within } from "../foundation/within.ts";
import { listValues } from "../kv/transact.ts";
import { eachPost } from "../posts/batches.ts";
import { changeKey, readPosts, versionKey } from "../posts/records.ts";
import { eachHistory, readingsOfEach } from "./history.ts";
import { turns } from "./slices.ts";
import type { InsightTable } from "./table.ts";

/** Memory for all tables where none is given. */
const MEMORY_BYTES = 128 * 1024 * 1024;
/** A request waits this long for a table, ms. Building that of a large brand takes longer. */
const PATIENCE_MS = 20_000;
/** Changed posts that are read together: few, because the store answers others' reads after these. */
const TOGETHER = 10;
/** With more changed posts, and a larger share of them, a new table is cheaper. */
const MANY_CHANGES = 2_000;
const CHANGED_SHARE = 1 / 3;

interface Held {
  table: InsightTable | null;
  version: number;
  /** The table's memory when it was last counted. */
  bytes: number;
  /** The number of reads of all brands up to the last one of this brand. */
  readAt: number;
  /** The update in progress, shared by all requests that wait for it. */
  catchingUp: Promise<void> | null;
}

export interface InsightsOptions {
  memoryBytes?: number;
}

export class Insights {
  readonly #kv: Deno.Kv;
  #memoryBytes: number;
  readonly #held = new Map<string, Held>();
  #reads = 0;

  constructor(kv: Deno.Kv, { memoryBytes = MEMORY_BYTES }: InsightsOptions = {}) {
    this.#kv = kv;
    this.#memoryBytes = memoryBytes;
  }

  /** Changes the memory for all tables. They shrink when one of them is counted next. */
  keepWithin(bytes: number): void {
    this.#memoryBytes = bytes;
  }

  /** How many brands' tables are in memory. */
  get size(): number {
    return this.#held.size;
  }

  /** Approximate memory in use. */
  get bytes(): number {
    return [...this.#held.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * The brand's table, with everything that was written before the call.
   * @throws ServiceError `serviceUnavailable` while a large one is being built
   */
  async of(brandId: string): Promise<InsightTable> {
    const held = this.#hold(brandId);
    held.readAt = ++this.#reads;
    const version = await this.#versionOf(brandId);
    const endsAt = performance.now() + PATIENCE_MS;
    while (held.table === null || held.version < version) {
      held.catchingUp ??= this.#catchUp(brandId, held).finally(() => {
        held.catchingUp = null;
        this.#count(held);
      });
      const isDone = await within(endsAt - performance.now(), held.catchingUp.then(() => true));
      if (!isDone) {
        throw new ServiceError(
          "serviceUnavailable",
          "The insights of this brand are being computed. Try again in 10 seconds.",
          { retryAfter: 10 },
        );
      }
    }
    return held.table;
  }

  #hold(brandId: string): Held {
    let held = this.#held.get(brandId);
    if (held === undefined) {
      held = { table: null, version: -1, bytes: 0, readAt: 0, catchingUp: null };
      this.#held.set(brandId, held);
    }
    return held;
  }

  async #versionOf(brandId: string): Promise<number> {
    return (await this.#kv.get<number>(versionKey(brandId))).value ?? 0;
  }

  async #catchUp(brandId: string, held: Held): Promise<void> {
    // Read first: posts that are written meanwhile are read twice rather than never.
    const version = await this.#versionOf(brandId);
    const { table } = held;
    try {
      if (table === null || !(await this.#patch(brandId, table, held.version, version))) {
        held.table = await this.#build(brandId);
      }
    } catch (error) {
      held.table = null;
      throw error;
    }
    held.version = version;
  }

  async #build(brandId: string): Promise<InsightTable> {
    // Loaded here, so that no cold start waits for it.
    const { InsightTable } = await import("./table.ts");
    const table = new InsightTable();
    await eachPost(this.#kv, brandId, (post) => void table.add(post));
    await eachHistory(this.#kv, brandId, (id, readings) => {
      const row = table.rowOf(id);
      // A post that was added during the build is read with the next version.
      if (row !== undefined) table.setReadings(row, readings);
    });
    return table;
  }

  /** Applies the changes between two versions. Returns false if the table must be built anew. */
  async #patch(brandId: string, table: InsightTable, from: number, to: number): Promise<boolean> {
    if (to < from) return false;
    const changes = await listValues<string[]>(this.#kv, ["postChange", brandId], {
      start: changeKey(brandId, from + 1),
    });
    if (changes.length < to - from) return false;
    const ids = [...new Set(changes.flat())];
    if (ids.length > MANY_CHANGES && ids.length > table.size * CHANGED_SHARE) return false;
    const turn = turns();
    for (let start = 0; start < ids.length; start += TOGETHER) {
      const some = ids.slice(start, start + TOGETHER);
      const [posts, readings] = await Promise.all([
        readPosts(this.#kv, brandId, some),
        readingsOfEach(this.#kv, brandId, some),
      ]);
      for (const [at, post] of posts.entries()) {
        await turn();
        if (post !== null) table.put(post, readings[at] ?? []);
      }
    }
    await table.compact(turn);
    return true;
  }

  /** Counts a table's memory again, and releases those that were not read for longest. */
  #count(held: Held): void {
    held.bytes = held.table?.bytes ?? 0;
    const byUse = [...this.#held].toSorted(([, a], [, b]) => a.readAt - b.readAt);
    let total = this.bytes;
    for (const [brandId, { bytes, catchingUp, readAt }] of byUse) {
      if (total <= this.#memoryBytes) return;
      if (catchingUp !== null || readAt === this.#reads) continue;
      this.#held.delete(brandId);
      total -= bytes;
    }
  }
}
