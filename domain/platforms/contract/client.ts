/** An authenticated client for one account: attaches the token, and renews it when needed. */
import type { z } from "zod";
import { faultFields } from "../../foundation/log.ts";
import type { Platform } from "../../posts/shape.ts";
import type { Service } from "../../service/service.ts";
import { keepTokens, readTokens, type SocialAccount, type Tokens } from "../accounts.ts";
import { Refusals } from "./refusals.ts";
import { type Answer, type Classify, PlatformError, Wire, type WireRequest } from "./wire.ts";

/** How a platform authenticates calls. */
export interface Auth {
  readonly platform: Platform;
  readonly classify: Classify;
  /** Adds the token and the headers of every call. The token never goes into the address. */
  authorize(request: WireRequest, token: string): WireRequest;
  /** Renewed tokens; null when no renewal is due or possible. `force`: the platform refused them. */
  refresh(wire: Wire, tokens: Tokens, at: number, force: boolean): Promise<Tokens | null>;
}

/** The platform needs longer than the time that is left for this call. */
export class StillWorking extends Error {
  override readonly name = "StillWorking";
}

const LONGEST_WAIT_MS = 5_000;

export class PlatformClient {
  readonly service: Service;
  readonly account: SocialAccount;
  readonly wire: Wire;
  /** Which metrics the platform refuses. The metrics pass sets what it knows of the day. */
  refusals = new Refusals();
  readonly #auth: Auth;
  #tokens: Tokens;
  #renewed = false;

  constructor(service: Service, auth: Auth, account: SocialAccount, tokens: Tokens, wire: Wire) {
    this.service = service;
    this.#auth = auth;
    this.account = account;
    this.#tokens = tokens;
    this.wire = wire;
  }

  /** @throws PlatformError */
  send(request: WireRequest): Promise<Answer> {
    return this.#withToken((token) => this.wire.send(this.#auth.authorize(request, token)));
  }

  /** @throws PlatformError */
  read<Shape extends z.ZodType>(request: WireRequest, shape: Shape): Promise<z.output<Shape>> {
    return this.#withToken((token) => this.wire.read(this.#auth.authorize(request, token), shape));
  }

  /**
   * Notes that a metric could not be read, so that it keeps its last value. Returns null when the
   * platform refuses the metric for this product; returns any other error, which the account then
   * shows.
   * @throws PlatformError when the error is about the account and not about the metric
   */
  missMetric(product: string, metric: string, error: PlatformError): PlatformError | null {
    if (error.isAccountWide) throw error;
    const { fault, code, message } = error;
    const isRefused = fault === "badRequest" || fault === "permission";
    const event = isRefused ? "platform.metricRefused" : "platform.metricMissed";
    // A refusal is logged once, because every post of the product may refuse alike.
    if (!isRefused || this.refusals.noteRefused(product, metric)) {
      this.service.log.warn(event, { account: this.account.id, product, metric, code, message });
    }
    return isRefused ? null : error;
  }

  /**
   * Calls `look` until it returns something, waiting longer each time.
   * @throws StillWorking when the client's deadline comes first
   */
  async poll<T>(look: () => Promise<T | null>): Promise<T> {
    const { pollMs } = this.service.patience;
    for (let wait = pollMs;; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      const seen = await look();
      if (seen !== null) return seen;
      this.requireTime(wait);
      await new Promise((done) => setTimeout(done, wait));
    }
  }

  /** @throws StillWorking unless a wait of `ms` and one more call end before the deadline */
  requireTime(ms: number): void {
    if (this.wire.left < ms + this.service.patience.callMs) {
      throw new StillWorking("The platform is still processing the post.");
    }
  }

  /** Renews tokens that are about to expire. A failure is only logged while the token still works. */
  async renewInTime(): Promise<void> {
    try {
      await this.#renew(false);
    } catch (error) {
      const { accessExpiresAt } = this.#tokens;
      if (accessExpiresAt !== null && accessExpiresAt <= this.service.now()) throw error;
      this.service.log.warn("platform.renewal", {
        account: this.account.id,
        platform: this.account.platform,
        ...faultFields(error),
      });
    }
  }

  async #renew(force: boolean): Promise<boolean> {
    const at = this.service.now();
    const fresh = await this.#auth.refresh(this.wire, this.#tokens, at, force);
    if (fresh === null || fresh.access === "") return false;
    this.#tokens = await keepTokens(this.service, this.account, this.#tokens, fresh);
    return true;
  }

  /** Renews the token once when the platform calls it dead, then repeats the call. */
  async #withToken<T>(call: (token: string) => Promise<T>): Promise<T> {
    try {
      return await call(this.#tokens.access);
    } catch (error) {
      const dead = error instanceof PlatformError && error.fault === "tokenDead";
      if (!dead || this.#renewed) throw error;
      this.#renewed = true;
      if (!(await this.#renew(true))) throw error;
      return await call(this.#tokens.access);
    }
  }
}

/** @throws PlatformError when the account's tokens can't be used */
export async function openClient(
  service: Service,
  auth: Auth,
  account: SocialAccount,
  deadline?: number,
): Promise<PlatformClient> {
  const tokens = await readTokens(service, account);
  if (tokens === null) {
    throw new PlatformError(
      "tokenDead",
      "The account's access tokens are missing, or sealed with another SECRET_KEY.",
    );
  }
  const wire = new Wire(auth.platform, service, auth.classify, deadline);
  const client = new PlatformClient(service, auth, account, tokens, wire);
  await client.renewInTime();
  return client;
}

/** Runs `work` on each item, at most `atOnce` at a time; returns the results in order. */
export async function mapLimited<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const queue = items.entries();
  const worker = async () => {
    for (const [at, item] of queue) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
