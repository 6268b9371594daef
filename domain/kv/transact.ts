/** Deno KV: the one retry loop for commits, and reads in chunks. */
import { ServiceError } from "../foundation/errors.ts";
import { type Facts, spanned } from "../foundation/telemetry.ts";
import { limitsOf } from "./limits.ts";
import { remoteOf } from "./remote.ts";

/**
 * How long a contended commit is tried before the client is asked to come back, ms. On a file the other
 * process may be an import, which holds it for longer.
 */
const PATIENCE_MS = { remote: 4_000, embedded: 10_000 };
const patienceFor = (kv: Deno.Kv) => PATIENCE_MS[remoteOf(kv) === null ? "embedded" : "remote"];

const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Where values are read: the store as it is, or a commit that fails if they change. */
export interface Reader {
  /** The value under `key`, or null. */
  get<T>(key: Deno.KvKey): Promise<T | null>;
}

/** Reads the store as it is, for callers that write nothing. */
export function reader(kv: Deno.Kv): Reader {
  return { get: async <T>(key: Deno.KvKey) => (await kv.get<T>(key)).value };
}

/** The reads and writes of one atomic commit. Every read becomes a check, and sees earlier writes. */
export class Commit implements Reader {
  readonly #kv: Deno.Kv;
  readonly #atomic: Deno.AtomicOperation;
  readonly #seen = new Map<string, Deno.KvEntryMaybe<unknown>>();
  /** The latest write by key; null: deleted. */
  readonly #written = new Map<string, { value: unknown } | null>();
  readonly #before: (() => Promise<void> | void)[] = [];
  readonly #after: (() => void)[] = [];
  #checks = 0;
  #writes = 0;

  constructor(kv: Deno.Kv) {
    this.#kv = kv;
    this.#atomic = kv.atomic();
  }

  /** The value under `key`, or null; the commit fails (and is retried) if it changes meanwhile. */
  async get<T>(key: Deno.KvKey): Promise<T | null> {
    const name = JSON.stringify(key);
    const entry = this.#seen.get(name) ?? this.#note(name, await this.#kv.get(key));
    const written = this.#written.get(name);
    return (written === undefined ? entry.value : written?.value ?? null) as T | null;
  }

  /** Like `get` for several keys, in order; reads them in one call to the store. */
  async getMany<T>(keys: Deno.KvKey[]): Promise<(T | null)[]> {
    const unread = new Map<string, Deno.KvKey>();
    for (const key of keys) {
      const name = JSON.stringify(key);
      if (!this.#seen.has(name)) unread.set(name, key);
    }
    const entries = await getEntries(this.#kv, [...unread.values()]);
    for (const [nth, name] of [...unread.keys()].entries()) {
      const entry = entries[nth];
      if (entry !== undefined) this.#note(name, entry);
    }
    return await Promise.all(keys.map((key) => this.get<T>(key)));
  }

  /** Remembers what was read. A `get` of the same key that ran meanwhile may have done so already. */
  #note(name: string, entry: Deno.KvEntryMaybe<unknown>): Deno.KvEntryMaybe<unknown> {
    const seen = this.#seen.get(name);
    if (seen !== undefined) return seen;
    this.#seen.set(name, entry);
    this.check(entry);
    return entry;
  }

  /**
   * Makes the commit fail if an entry that was read elsewhere has changed.
   * @throws Error past the number of checks that the store takes; one of them is the commit's own
   */
  check(entry: { key: Deno.KvKey; versionstamp: string | null }): void {
    const most = limitsOf(this.#kv).checks - 1;
    if (++this.#checks > most) {
      throw new Error(`Cannot commit: it checks more than ${most} values, the last ${entry.key}`);
    }
    this.#atomic.check(entry);
  }

  set(key: Deno.KvKey, value: unknown, options?: { expireIn?: number }): void {
    this.#atomic.set(key, value, options);
    this.#written.set(JSON.stringify(key), { value });
    this.#writes++;
  }

  delete(key: Deno.KvKey): void {
    this.#atomic.delete(key);
    this.#written.set(JSON.stringify(key), null);
    this.#writes++;
  }

  /** Lowers the number under `key` to `value`. Reads and checks nothing, and `get` does not see it. */
  min(key: Deno.KvKey, value: number): void {
    this.#atomic.min(key, BigInt(value));
    this.#writes++;
  }

  /**
   * Sets a value under `prefix` and the commit's place in the order in which the store took all commits.
   * One value a prefix: a second one replaces the first.
   */
  setInOrder(prefix: Deno.KvKey, value: unknown, options?: { expireIn?: number }): void {
    this.#atomic.set([...prefix, this.#kv.commitVersionstamp()], value, options);
    this.#writes++;
  }

  /** The store that it writes to. What is read from it directly is not checked. */
  get kv(): Deno.Kv {
    return this.#kv;
  }

  enqueue(message: unknown, options?: { delay?: number }): void {
    this.#atomic.enqueue(message, { ...options, backoffSchedule: [] });
    this.#writes++;
  }

  /** How much it checks and writes, for its span. */
  get size(): Facts {
    return { "marquee.checks": this.#checks, "marquee.writes": this.#writes };
  }

  /** Runs `work` just before the commit is sent: for what is written once for all that it holds. */
  before(work: () => Promise<void> | void): void {
    this.#before.push(work);
  }

  /** Runs `effect` once the commit has succeeded: a wake-up, never a fact. */
  after(effect: () => void): void {
    this.#after.push(effect);
  }

  /** Returns true when the commit took place, false when a value it had read has changed. */
  async run(): Promise<boolean> {
    for (const work of this.#before) await work();
    if (this.#writes > 0 && !(await this.#commit())) return false;
    for (const effect of this.#after) effect();
    return true;
  }

  async #commit(): Promise<boolean> {
    const remote = remoteOf(this.#kv);
    if (remote !== null) return await remote.commitOnce(this.#atomic);
    return (await this.#atomic.commit()).ok;
  }
}

/**
 * One business fact, one commit. `attempt` reads and writes through the commit; it runs again when a
 * value it has read changed meanwhile, or when another process holds the database.
 * @throws ServiceError `serviceUnavailable` when the store stays contended
 */
export function transact<T>(
  kv: Deno.Kv,
  attempt: (commit: Commit) => Promise<T> | T,
): Promise<T> {
  return spanned("commit", {}, (note) => tryUntilDone(kv, attempt, note));
}

async function tryUntilDone<T>(
  kv: Deno.Kv,
  attempt: (commit: Commit) => Promise<T> | T,
  note: (facts: Facts) => void,
): Promise<T> {
  const giveUpAt = performance.now() + patienceFor(kv);
  for (let round = 1;; round++) {
    const commit = new Commit(kv);
    try {
      const result = await attempt(commit);
      const done = await commit.run();
      note({ "marquee.rounds": round, ...commit.size });
      if (done) return result;
    } catch (error) {
      if (!isLocked(error)) throw error;
    }
    if (performance.now() > giveUpAt) {
      throw new ServiceError("serviceUnavailable", "The store is busy; try again shortly.");
    }
    await wait(Math.random() * Math.min(100, 2 ** Math.min(round, 6)));
  }
}

/** Retries `action` while another process holds the SQLite file. */
export async function retryWhileLocked<T>(action: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + PATIENCE_MS.embedded;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!isLocked(error) || performance.now() > giveUpAt) throw error;
      await wait(5 + Math.random() * 20);
    }
  }
}

/** Whether another process was writing to the store; Deno 2.9 throws a TypeError then. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && error.message.includes("database is locked");
}

/** Whether the store can't be written: the disk is full or read-only. */
export function isUnwritable(error: unknown): error is Error {
  return error instanceof Error && /disk is full|readonly database|disk I\/O/.test(error.message);
}

/** The values under `keys`, in order, null where there is none. */
export async function getEach<T>(kv: Deno.Kv, keys: Deno.KvKey[]): Promise<(T | null)[]> {
  return (await getEntries<T>(kv, keys)).map((entry) => entry.value);
}

/** The entries under `keys`, in order. */
export async function getEntries<T>(
  kv: Deno.Kv,
  keys: Deno.KvKey[],
): Promise<Deno.KvEntryMaybe<T>[]> {
  const chunks: Promise<Deno.KvEntryMaybe<T>[]>[] = [];
  const { ranges } = limitsOf(kv);
  for (let start = 0; start < keys.length; start += ranges) {
    chunks.push(kv.getMany<T[]>(keys.slice(start, start + ranges)));
  }
  return (await Promise.all(chunks)).flat();
}

export interface ListOptions {
  /** Last key first; with ULIDs, newest first. */
  reverse?: boolean;
  limit?: number;
  /** First key, below the prefix. */
  start?: Deno.KvKey;
}

/** Every value under `prefix`, in key order. */
export async function listValues<T>(
  kv: Deno.Kv,
  prefix: Deno.KvKey,
  { start, ...options }: ListOptions = {},
): Promise<T[]> {
  const values: T[] = [];
  const selector = start === undefined ? { prefix } : { prefix, start };
  for await (const entry of kv.list<T>(selector, { batchSize: 500, ...options })) {
    values.push(entry.value);
  }
  return values;
}
