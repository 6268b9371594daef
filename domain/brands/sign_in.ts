/**
 * Signing in under attack. Each hash costs half a second of a core, so strangers queue for one turn,
 * and browsers that have signed in before for another. Both queues are short; each origin (a client
 * network, or such a browser) has one place in them, and 20 failed tries in 5 minutes.
 */
import { type Now, SECOND } from "../foundation/calendar.ts";
import { BoundedQueue } from "../foundation/bounded.ts";
import { ServiceError } from "../foundation/errors.ts";
import type { Secrets } from "../foundation/secrets.ts";
import { auditAlone, type By } from "../kv/audit.ts";
import { reader } from "../kv/transact.ts";
import { type Account, accountByEmail, readAccount, rehash } from "./accounts.ts";
import type { KnownBrowser } from "./browsers.ts";
import type { Passwords } from "./passwords.ts";
import { Tries } from "./tries.ts";

/** How many wait for the next turn, and when a refused one should come back, seconds. */
const WAITING = 4;
const RETRY_AFTER = 3;

/** Who wants to sign in. */
export interface Visitor {
  /** The client's network: strangers from one network count together. */
  network: string;
  /** Set if the browser has signed in before. */
  browser: KnownBrowser | null;
  /** The client's address, for the audit trail. */
  address: string;
}

interface Parts {
  kv: Deno.Kv;
  now: Now;
  secrets: Secrets;
  passwords: Passwords;
}

export class SignIns {
  readonly #parts: Parts;
  readonly #tries: Tries;
  readonly #strangers = new BoundedQueue(1, WAITING, RETRY_AFTER);
  readonly #known = new BoundedQueue(1, WAITING, RETRY_AFTER);
  /** Origin → its sign-ins, one after the other; a second one may wait, for people who click twice. */
  readonly #origins = new Map<string, BoundedQueue>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#tries = new Tries(parts);
  }

  /** Refuses a stranger who would be refused anyway, before the form is read. */
  requireOpen({ network, browser }: Visitor): void {
    if (browser !== null) return;
    const origin = ofNetwork(network);
    requireNoWait(this.#tries.waitOf(origin));
    this.#origins.get(origin)?.requireRoom("sign-ins");
    this.#strangers.requireRoom("sign-ins");
  }

  /**
   * The account with that email and password, or null.
   * @throws ServiceError `rateLimitExceeded` after too many failed tries; `serviceUnavailable` when
   *   too many sign in at the moment
   */
  async signIn(visitor: Visitor, email: string, password: string): Promise<Account | null> {
    const { kv } = this.#parts;
    const account = await accountByEmail(reader(kv), email);
    const { network, browser } = visitor;
    // A browser that is known for one account is a stranger to all others.
    const isKnown = browser !== null && browser.accountId === account?.id;
    const [queue, origin] = isKnown
      ? [this.#known, `browser ${browser.id}`] as const
      : [this.#strangers, ofNetwork(network)] as const;
    const found = await this.#inTurn(queue, origin, account, password);
    const by: By = { actor: { kind: "visitor" }, from: visitor };
    if (found === null) await this.#noteFailure(by, account);
    return found;
  }

  /** Whether the password is the account's, for somebody who is signed in to it. */
  async confirm(by: By, accountId: string, password: string): Promise<boolean> {
    const account = await readAccount(reader(this.#parts.kv), accountId);
    const found = await this.#inTurn(this.#known, `account ${accountId}`, account, password);
    if (found === null) await this.#noteFailure(by, account);
    return found !== null;
  }

  /** A flood leaves no flood of rows: an account gets as many as an origin gets tries. */
  async #noteFailure(by: By, account: Account | null): Promise<void> {
    if (account === null) return;
    const { id } = account;
    if (await this.#tries.take(`rows ${id}`) > 0) return;
    const row = { action: "account.signInFailed", of: id, subject: id } as const;
    await auditAlone({ ...this.#parts, by }, row);
  }

  async #inTurn(
    queue: BoundedQueue,
    origin: string,
    account: Account | null,
    password: string,
  ): Promise<Account | null> {
    requireNoWait(this.#tries.waitOf(origin));
    const own = this.#origins.get(origin) ?? new BoundedQueue(1, 1, RETRY_AFTER);
    this.#origins.set(origin, own);
    try {
      return await own.run(
        "sign-ins",
        () => queue.run("sign-ins", () => this.#try(origin, account, password)),
      );
    } finally {
      if (own.isEmpty) this.#origins.delete(origin);
    }
  }

  async #try(origin: string, account: Account | null, password: string): Promise<Account | null> {
    const { kv, passwords } = this.#parts;
    // Counted before the check, so that tries in several processes can't pass the limit together.
    requireNoWait(await this.#tries.take(origin));
    const { matches, isOutdated } = await passwords.check(password, account?.password ?? null);
    if (!matches || account === null) return null;
    await this.#tries.giveBack(origin);
    return isOutdated ? await rehash(kv, account, await passwords.hash(password)) : account;
  }
}

const ofNetwork = (network: string) => `network ${network}`;

function requireNoWait(ms: number): void {
  if (ms === 0) return;
  const seconds = Math.ceil(ms / SECOND);
  throw new ServiceError(
    "rateLimitExceeded",
    `Too many failed sign-ins. Try again in ${Math.ceil(seconds / 60)} minutes.`,
    { retryAfter: seconds },
  );
}
