/** What the clients of a soak saw: each request with its answer, and what each write must have left. */
import type { Action } from "../../domain/kv/audit.ts";
import type { Role, SiteName } from "./schedule.ts";

/** One request. */
export interface Attempt {
  site: SiteName;
  brandId: string;
  role: Role;
  act: string;
  /** When it was sent and when it was answered, ms after the beginning. */
  sentAt: number;
  endedAt: number;
  /** 0: no answer came. */
  status: number;
  /** Whether the service itself answered, and not the balancer before it. */
  served: boolean;
  code: string | null;
  message: string | null;
  /** Whether it counts against the brand's month. */
  metered: Sure;
  needs: "model" | "platform" | null;
}
export type Sure = "yes" | "no" | "maybe";

/** A write, however often it was sent. */
export interface Deed {
  site: SiteName;
  brandId: string;
  act: string;
  action: Action;
  /** Null: no answer has named it. */
  subject: string | null;
  done: Sure;
  /** As `Wish.again`. */
  again: "again" | "idle" | null;
  /** Each request's role, status and times, for whoever looks for a cause. */
  told: string[];
}

/** How a request is told of in a deed. */
export function toldOf(
  { role, status, sentAt, endedAt }: Omit<Attempt, "site" | "brandId">,
): string {
  return `${role} got ${status} at ${(sentAt / 1_000).toFixed(1)} to ${
    (endedAt / 1_000).toFixed(1)
  } s`;
}

/** A request with an Idempotency-Key that was sent more than once. */
export interface Repeated {
  site: SiteName;
  brandId: string;
  act: string;
  /** What each answer said was made. */
  made: string[];
}

export class Journal {
  readonly attempts: Attempt[] = [];
  readonly deeds: Deed[] = [];
  readonly repeated: Repeated[] = [];
  readonly #startedAt = performance.now();

  /** ms after the beginning. */
  get at(): number {
    return performance.now() - this.#startedAt;
  }
}

/** Refusals that the meter decides before it counts. */
const UNCOUNTED = [401, 429];

/** Whether a request of a key that costs a request was counted. */
export function meteredBy(status: number, costs: "request" | "credit" | "nothing"): Sure {
  if (costs !== "request" || UNCOUNTED.includes(status)) return "no";
  return status === 0 || status >= 500 ? "maybe" : "yes";
}
