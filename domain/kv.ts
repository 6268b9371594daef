/** Deno KV: the one retry loop for commits, and reads in chunks. */
import { ServiceError } from "./errors.ts";

/** Keys that one `getMany` takes. */
const GET_MANY = 10;
/** How long a contended commit is tried before the client is asked to come back, ms. */
const PATIENCE_MS = 10_000;

const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Where values are read: the store as it is, or a commit that shall rest on them. */
export interface Reader {
  /** The value under `key`, or null. */
  get<T>(key: Deno.KvKey): Promise<T | null>;
}

/** The store as it is, for what writes nothing. */
export function reader(kv: Deno.Kv): Reader {
  return { get: async <T>(key: Deno.KvKey) => (await kv.get<T>(key)).value };
}

/** Reads and writes of one atomic commit: every read becomes a check, and sees what was written. */
export class Commit implements Reader {
  readonly #kv: Deno.Kv;
  readonly #atomic: Deno.AtomicOperation;
  readonly #seen = new Map<string, Deno.KvEntryMaybe<unknown>>();
  /** The latest write by key; null: deleted. */
  readonly #written = new Map<string, { value: unknown } | null>();
  readonly #after: (() => void)[] = [];
  #writes = 0;

  constructor(kv: Deno.Kv) {
    this.#kv = kv;
    this.#atomic = kv.atomic();
  }

  /** The value under `key`, or null; the commit fails (and is retried) if it changes meanwhile. */
  async get<T>(key: Deno.KvKey): Promise<T | null> {
    const name = JSON.stringify(key);
    let entry = this.#seen.get(name);
    if (entry === undefined) {
      entry = await this.#kv.get(key);
      this.#seen.set(name, entry);
      this.#atomic.check(entry);
    }
    const written = this.#written.get(name);
    return (written === undefined ? entry.value : written?.value ?? null) as T | null;
  }

  /** Like `get` for several keys, in order. */
  getMany<T>(keys: Deno.KvKey[]): Promise<(T | null)[]> {
    return Promise.all(keys.map((key) => this.get<T>(key)));
  }

  /** Lets the commit fail if an entry read elsewhere has changed. */
  check(entry: { key: Deno.KvKey; versionstamp: string | null }): void {
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

  enqueue(message: unknown, options?: { delay?: number }): void {
    this.#atomic.enqueue(message, { ...options, backoffSchedule: [] });
    this.#writes++;
  }

  /** Runs `effect` once the commit has succeeded: a wake-up, never a fact. */
  after(effect: () => void): void {
    this.#after.push(effect);
  }

  /** True when the commit took place; false when something read had changed. */
  async run(): Promise<boolean> {
    if (this.#writes > 0 && !(await this.#atomic.commit()).ok) return false;
    for (const effect of this.#after) effect();
    return true;
  }
}

/**
 * One business fact, one commit. `attempt` reads through the commit and writes to it; it runs again
 * when a read value changed meanwhile or another process holds the database.
 * @throws ServiceError `serviceUnavailable` when the store stays contended
 */
export async function transact<T>(
  kv: Deno.Kv,
  attempt: (commit: Commit) => Promise<T> | T,
): Promise<T> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (let round = 1;; round++) {
    const commit = new Commit(kv);
    try {
      const result = await attempt(commit);
      if (await commit.run()) return result;
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
export async function patiently<T>(action: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!isLocked(error) || performance.now() > giveUpAt) throw error;
      await wait(5 + Math.random() * 20);
    }
  }
}

/** Whether the store said that another process was writing; seen as a TypeError on Deno 2.9. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && error.message.includes("database is locked");
}

/** Whether the store said that it can't be written: a full disk, or one that may only be read. */
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
  for (let at = 0; at < keys.length; at += GET_MANY) {
    chunks.push(kv.getMany<T[]>(keys.slice(at, at + GET_MANY)));
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
