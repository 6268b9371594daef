/** One account's line to its platform: attaches the token, and renews it when it must. */
import type { z } from "zod";
import { faultFields } from "../log.ts";
import type { Service } from "../service.ts";
import { keepTokens, readTokens, type SocialAccount, type Tokens } from "../social.ts";
import type { Connector } from "./platform.ts";
import { type Answer, PlatformError, Wire, type WireRequest } from "./wire.ts";

/** A wait for the platform that outlasts the time this call may take. */
export class StillWorking extends Error {
  override readonly name = "StillWorking";
}

export class Line {
  readonly service: Service;
  readonly account: SocialAccount;
  readonly wire: Wire;
  readonly #refusals = new Map<string, number>();
  readonly #connector: Connector;
  #tokens: Tokens;
  #renewed = false;

  constructor(
    service: Service,
    connector: Connector,
    account: SocialAccount,
    tokens: Tokens,
    wire: Wire,
  ) {
    this.service = service;
    this.#connector = connector;
    this.account = account;
    this.#tokens = tokens;
    this.wire = wire;
  }

  /** @throws PlatformError */
  send(request: WireRequest): Promise<Answer> {
    return this.#withToken((token) => this.wire.send(this.#connector.authorize(request, token)));
  }

  /** @throws PlatformError */
  read<Shape extends z.ZodType>(request: WireRequest, shape: Shape): Promise<z.output<Shape>> {
    return this.#withToken((token) =>
      this.wire.read(this.#connector.authorize(request, token), shape)
    );
  }

  /**
   * Notes a metric that could not be read: it keeps its last value. One that is refused for good is
   * missed without more; any other fault is answered, for the account to tell.
   * @throws PlatformError what is about the account, not about the metric
   */
  missMetric(metric: string, error: PlatformError): PlatformError | null {
    if (error.isAccountWide) throw error;
    const { fault, code, message } = error;
    const isRefused = fault === "badRequest" || fault === "permission";
    const event = isRefused ? "platform.metricRefused" : "platform.metricMissed";
    this.service.log.warn(event, { account: this.account.id, metric, code, message });
    if (!isRefused) return error;
    this.#refusals.set(metric, (this.#refusals.get(metric) ?? 0) + 1);
    return null;
  }

  /** Refused twice on this line, a metric is not asked for again; once may have been a mood. */
  isRetired(metric: string): boolean {
    return (this.#refusals.get(metric) ?? 0) >= 2;
  }

  /**
   * Looks again and again, at growing distances, until `look` answers something.
   * @throws StillWorking when the line's time is over first
   */
  async poll<T>(look: () => Promise<T | null>): Promise<T> {
    for (let wait = this.service.patience.pollMs;; wait = Math.min(wait * 2, 5_000)) {
      const seen = await look();
      if (seen !== null) return seen;
      this.leave(wait);
      await new Promise((done) => setTimeout(done, wait));
    }
  }

  /** @throws StillWorking unless `ms` and one more call fit into the line's time */
  leave(ms: number): void {
    if (this.wire.left < ms + this.service.patience.callMs) {
      throw new StillWorking("The platform is still at work.");
    }
  }

  /** Renews the tokens when they are near their end, or at once when `force`. */
  async renew(force: boolean): Promise<boolean> {
    const at = this.service.now();
    const fresh = await this.#connector.refresh(this.wire, this.#tokens, at, force);
    if (fresh === null || fresh.access === "") return false;
    this.#tokens = await keepTokens(this.service, this.account, this.#tokens, fresh);
    return true;
  }

  /** Renews in good time; a renewal that fails while the token lives is tried again next time. */
  async freshen(): Promise<void> {
    try {
      await this.renew(false);
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

  async #withToken<T>(call: (token: string) => Promise<T>): Promise<T> {
    try {
      return await call(this.#tokens.access);
    } catch (error) {
      const dead = error instanceof PlatformError && error.fault === "tokenDead";
      if (!dead || this.#renewed) throw error;
      this.#renewed = true;
      if (!(await this.renew(true))) throw error;
      return await call(this.#tokens.access);
    }
  }
}

/** @throws PlatformError when the account's tokens can't be used */
export async function openLine(
  service: Service,
  connector: Connector,
  account: SocialAccount,
  deadline?: number,
): Promise<Line> {
  const tokens = await readTokens(service, account);
  if (tokens === null) {
    throw new PlatformError("tokenDead", "The account's tokens are gone; connect it again.");
  }
  const wire = new Wire(connector.platform, service, connector.classify, deadline);
  const line = new Line(service, connector, account, tokens, wire);
  await line.freshen();
  return line;
}
