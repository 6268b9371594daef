/** One call to a platform: a real time-out, an answer as text, every failure as a PlatformError. */
import { z } from "zod";
import { MINUTE } from "../calendar.ts";
import type { Platform } from "../posts/shape.ts";
import type { Service } from "../service.ts";

/** What a failure means to us; every platform's codes map to these. */
export const FAULTS = {
  tokenDead: { taken: "no", cure: "Connect the account again." },
  rateLimited: { taken: "no", cure: "It goes on when the platform allows." },
  unmeasurable: { taken: "no", cure: "The platform keeps no numbers for this post." },
  notReady: { taken: "no", cure: "It is tried again." },
  permission: { taken: "no", cure: "Connect the account again and grant every permission." },
  badRequest: { taken: "no", cure: "The platform refuses this content or request." },
  policy: { taken: "no", cure: "Look at the account at the platform." },
  duplicate: { taken: "maybe", cure: "Look whether the post is there." },
  transient: { taken: "maybe", cure: "It is tried again." },
  malformed: { taken: "maybe", cure: "It is tried again." },
} as const satisfies Record<string, { taken: "no" | "maybe"; cure: string }>;
export type Fault = keyof typeof FAULTS;

/** How long we wait when a platform throttles without saying for how long. */
export const UNTOLD_WAIT = 15 * MINUTE;

export interface PlatformErrorOptions extends ErrorOptions {
  /** The platform's own code: `190/463`, `EXPIRED_ACCESS_TOKEN`, `quotaExceeded`. */
  code?: string;
  /** Instant before which the platform wants no call, ms. */
  retryAt?: number | null;
  /** The metric, file or id that the answer names. */
  names?: string | null;
}

/** A call that failed; its message holds the platform's words and never a token. */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
  readonly fault: Fault;
  readonly code: string;
  readonly retryAt: number | null;
  readonly names: string | null;

  constructor(fault: Fault, message: string, options: PlatformErrorOptions = {}) {
    super(message, options);
    this.fault = fault;
    this.code = options.code ?? fault;
    this.retryAt = options.retryAt ?? null;
    this.names = options.names ?? null;
  }

  /** Whether it is about the account, so that its next call would meet it, too. */
  get isAccountWide(): boolean {
    return this.fault === "tokenDead" || this.fault === "rateLimited";
  }

  /** Whether an irreversible call that ended so may have taken place all the same. */
  get mayHaveBeenTaken(): boolean {
    return FAULTS[this.fault].taken === "maybe";
  }
}

/** An answer as it came, whatever its status. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON; undefined when the body is empty or no JSON. */
  body: unknown;
}

/** Says what an answer that is no success means. */
export type Classify = (answer: Answer, at: number) => PlatformError;

export interface WireRequest {
  method?: "GET" | "POST" | "PUT";
  url: string;
  headers?: Record<string, string>;
  /** Sent as a form. */
  form?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  bytes?: Uint8Array<ArrayBuffer>;
}

/** Calls to one platform, each within the patience that the service has for it. */
export class Wire {
  readonly platform: Platform;
  readonly #service: Pick<Service, "http" | "now" | "patience">;
  readonly #classify: Classify;
  readonly #deadline: number;

  /** @param deadline no call goes on beyond it; in the time of `performance.now()` */
  constructor(
    platform: Platform,
    service: Pick<Service, "http" | "now" | "patience">,
    classify: Classify,
    deadline = Infinity,
  ) {
    this.platform = platform;
    this.#service = service;
    this.#classify = classify;
    this.#deadline = deadline;
  }

  /** Real time that is left for calls, ms. */
  get left(): number {
    return this.#deadline - performance.now();
  }

  /** Sends and hands back a success. @throws PlatformError */
  async send(request: WireRequest): Promise<Answer> {
    const answer = await this.#exchange(request);
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw this.#classify(answer, this.#service.now());
  }

  /** Sends and reads the answer by `shape`. @throws PlatformError */
  async read<Shape extends z.ZodType>(
    request: WireRequest,
    shape: Shape,
  ): Promise<z.output<Shape>> {
    const { body } = await this.send(request);
    const parsed = shape.safeParse(body);
    if (parsed.success) return parsed.data;
    const field = parsed.error.issues[0]?.path.join(".") ?? "";
    throw new PlatformError(
      "malformed",
      `${this.platform} sent an answer that can't be read${field === "" ? "" : ` (${field})`}.`,
    );
  }

  async #exchange(request: WireRequest): Promise<Answer> {
    const callMs = Math.max(1, Math.min(this.#service.patience.callMs, Math.floor(this.left)));
    try {
      const response = await this.#service.http(request.url, {
        ...bodyOf(request),
        method: request.method ?? "GET",
        redirect: "manual",
        signal: AbortSignal.timeout(callMs),
      });
      return {
        status: response.status,
        headers: response.headers,
        body: parse(await response.text()),
      };
    } catch (error) {
      // The fault's own words may hold the address, and the address the token.
      const late = error instanceof DOMException && error.name === "TimeoutError";
      const what = late ? `did not answer within ${callMs} ms` : "could not be reached";
      throw new PlatformError("transient", `${this.platform} ${what}.`, {
        code: late ? "timeout" : "unreachable",
      });
    }
  }
}

/** An address with a query; values that are null are left out. */
export function address(
  base: string,
  query: Record<string, string | number | null> = {},
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null) params.set(name, String(value));
  }
  return params.size === 0 ? base : `${base}?${params}`;
}

function bodyOf({ form, json, bytes, headers }: WireRequest): RequestInit {
  if (form !== undefined) return { headers: headers ?? {}, body: new URLSearchParams(form) };
  if (json !== undefined) {
    const typed = { ...headers, "content-type": "application/json" };
    return { headers: typed, body: JSON.stringify(json) };
  }
  if (bytes !== undefined) {
    const typed = { ...headers, "content-type": "application/octet-stream" };
    return { headers: typed, body: bytes };
  }
  return { headers: headers ?? {} };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
