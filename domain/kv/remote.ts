/**
 * A store over the network: it may be away, and an answer may be lost after the write. Deno's client
 * repeats a call for ever, so each call here has a deadline, and each commit carries a mark by which
 * its outcome is found again.
 */
import { HOUR, SECOND } from "../foundation/calendar.ts";
import { ServiceError } from "../foundation/errors.ts";
import { within } from "../foundation/within.ts";

/** How long a call may take before its request is refused, ms. */
const DEADLINE_MS = 4 * SECOND;
/** How often a store that is away is asked whether it is back, ms. */
const PROBE_MS = SECOND;
/** How long a commit's mark is kept; the client gives up no earlier, but a process rarely lives so. */
const MARK_LIVES_MS = HOUR;
/** Values of a mark. */
const DONE = 1;
const ABANDONED = 0;

export interface RemoteOptions {
  deadlineMs?: number;
}

const remotes = new WeakMap<Deno.Kv, RemoteStore>();

/** The guard of a store that `guardRemote` made; null for an embedded one. */
export function remoteOf(kv: Deno.Kv): RemoteStore | null {
  return remotes.get(kv) ?? null;
}

/** Returns the same store with a deadline on every read. `commitOnce` guards its commits. */
export function guardRemote(kv: Deno.Kv, options: RemoteOptions = {}): Deno.Kv {
  const remote = new RemoteStore(kv, options);
  const guarded = new Proxy(kv, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      switch (name) {
        case "get":
        case "getMany":
        case "set":
        case "delete":
          return (...input: unknown[]) => remote.ask(() => member.apply(target, input));
        case "list":
          return (...input: unknown[]) => remote.guardList(member.apply(target, input));
        default:
          return member.bind(target);
      }
    },
  });
  remotes.set(guarded, remote);
  return guarded;
}

class RemoteStore {
  readonly #kv: Deno.Kv;
  readonly #deadlineMs: number;
  #onLate = () => {};
  #isAway = false;

  constructor(kv: Deno.Kv, { deadlineMs = DEADLINE_MS }: RemoteOptions) {
    this.#kv = kv;
    this.#deadlineMs = deadlineMs;
  }

  /** Calls `listener` whenever a commit took place although its request had been refused. */
  onLate(listener: () => void): void {
    this.#onLate = listener;
  }

  /**
   * What `call` resolves to.
   * @throws ServiceError `serviceUnavailable` past the deadline, and at once while the store is away
   */
  async ask<T>(call: () => Promise<T>): Promise<T> {
    if (this.#isAway) throw isAway();
    const answer = await within(this.#deadlineMs, call().then((value) => ({ value })));
    if (answer !== undefined) return answer.value;
    this.#lose();
    throw isAway();
  }

  /** Asks for each portion of a list within the deadline. */
  guardList<T>(list: Deno.KvListIterator<T>): Deno.KvListIterator<T> {
    return new Proxy(list, {
      get: (target, name) => {
        if (name === "next") return () => this.ask(() => target.next());
        if (name === Symbol.asyncIterator) return () => this.guardList(target);
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  }

  /**
   * Commits, and takes effect once even when the answer is lost: the client then repeats the write,
   * the repeat fails on what the first one wrote, and the mark tells that it was this commit.
   * A commit that misses its deadline is abandoned: should it not have reached the store yet, it
   * fails there.
   * @returns whether it took place
   */
  async commitOnce(atomic: Deno.AtomicOperation): Promise<boolean> {
    if (this.#isAway) throw isAway();
    const mark = ["done", crypto.randomUUID()];
    this.#mark(atomic, mark, DONE);
    const commit = atomic.commit();
    const result = await within(this.#deadlineMs, commit);
    if (result === undefined) {
      this.#lose();
      this.#abandon(mark, commit);
      throw isAway();
    }
    if (result.ok) return true;
    return (await this.ask(() => this.#kv.get<number>(mark))).value === DONE;
  }

  #mark(atomic: Deno.AtomicOperation, mark: Deno.KvKey, value: number): void {
    atomic.check({ key: mark, versionstamp: null }).set(mark, value, { expireIn: MARK_LIVES_MS });
  }

  /** Takes the mark before the commit does; of the two, the store lets one take place. */
  #abandon(mark: Deno.KvKey, commit: Promise<unknown>): void {
    const rival = this.#kv.atomic();
    this.#mark(rival, mark, ABANDONED);
    Promise.all([rival.commit(), commit])
      .then(() => this.#kv.get<number>(mark))
      .then(({ value }) => value === DONE && this.#onLate())
      .catch(() => {}); // the store has been closed meanwhile
  }

  /** Refuses calls until the store answers again. */
  #lose(): void {
    if (this.#isAway) return;
    this.#isAway = true;
    void this.#probe();
  }

  /** Each probe may hang for ever on a dead connection, so the next one does not wait for it. */
  async #probe(): Promise<void> {
    while (this.#isAway) {
      const answer = this.#kv.get(["schema"]).then(() => this.#isAway = false, () => {});
      await within(PROBE_MS, answer);
    }
  }
}

function isAway(): ServiceError {
  return new ServiceError(
    "serviceUnavailable",
    "The store does not answer at the moment. Try again in a few seconds.",
    { retryAfter: 2 },
  );
}
