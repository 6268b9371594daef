/** Calls to a platform: each has a time-out, and each failure is a PlatformError. */
import { z } from "zod";
import { MINUTE } from "../../foundation/calendar.ts";
import { spanned } from "../../foundation/telemetry.ts";
import type { Platform } from "../../posts/shape.ts";
import type { Service } from "../../service/service.ts";
import { TRAITS } from "./traits.ts";

const RETRIED = "Marquee tries again.";

/**
 * Kinds of failure, to which each platform's error codes are mapped. `taken` says whether an
 * irreversible call that failed so may have taken effect; `cure` is shown to people.
 */
export const FAULTS = {
  tokenDead: { taken: "no", cure: "Connect the account again." },
  rateLimited: { taken: "no", cure: "Marquee continues as soon as the platform allows it." },
  versionOver: {
    taken: "no",
    cure: "The service's operator has to set a newer version of the platform's API; Marquee then " +
      "continues by itself.",
  },
  unmeasurable: { taken: "no", cure: "The platform keeps no numbers for this post." },
  notReady: { taken: "no", cure: RETRIED },
  permission: { taken: "no", cure: "Connect the account again and allow everything it asks for." },
  badRequest: {
    taken: "no",
    cure: "The platform does not accept this request. If it names the post, change the post.",
  },
  policy: { taken: "no", cure: "Open the account on the platform and resolve its warnings." },
  duplicate: { taken: "maybe", cure: "Look on the platform whether the post is already there." },
  transient: { taken: "maybe", cure: RETRIED },
  malformed: { taken: "maybe", cure: RETRIED },
} as const satisfies Record<string, { taken: "no" | "maybe"; cure: string }>;
export type Fault = keyof typeof FAULTS;

/** What an error names when the platform could not fetch an image of the post. */
export const NOT_FETCHABLE = "imageAddress";

/** How long Marquee waits when a platform throttles calls without saying for how long. */
export const UNTOLD_WAIT = 15 * MINUTE;

interface PlatformErrorOptions extends ErrorOptions {
  /** The platform's own code: `190/463`, `EXPIRED_ACCESS_TOKEN`, `quotaExceeded`. */
  code?: string;
  /** The platform wants no call before this instant, ms. */
  retryAt?: number | null;
  /** The metric, file or id that the answer is about. */
  names?: string | null;
  /** What a platform that throttles refuses: every call, every publication, or this post alone. */
  about?: "account" | "publishing" | "post";
}

/** A call that failed. Its message holds the platform's words and never a token. */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
  readonly fault: Fault;
  readonly code: string;
  readonly retryAt: number | null;
  readonly names: string | null;
  readonly about: "account" | "publishing" | "post";

  constructor(fault: Fault, message: string, options: PlatformErrorOptions = {}) {
    super(message, options);
    this.fault = fault;
    this.code = options.code ?? fault;
    this.retryAt = options.retryAt ?? null;
    this.names = options.names ?? null;
    this.about = options.about ?? "account";
  }

  /** Whether the account's next call would fail in the same way. */
  get isAccountWide(): boolean {
    return ["tokenDead", "rateLimited", "versionOver"].includes(this.fault);
  }

  /** Whether an irreversible call that failed so may have taken effect. */
  get mayHaveBeenTaken(): boolean {
    return FAULTS[this.fault].taken === "maybe";
  }
}

/** An HTTP answer of any status. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON; undefined when the body is not JSON. */
  body: unknown;
}

/** Turns an answer other than 2xx into an error. */
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

/** Sends calls to one platform, each within the service's time-out. */
export class Wire {
  readonly platform: Platform;
  readonly #service: Pick<Service, "http" | "now" | "patience">;
  readonly #classify: Classify;
  readonly #deadline: number;

  /** @param deadline ends every call; in the time of `performance.now()` */
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

  get #name(): string {
    return TRAITS[this.platform].name;
  }

  /** Time until the deadline, ms. */
  get left(): number {
    return this.#deadline - performance.now();
  }

  /** Returns an answer of status 2xx. @throws PlatformError */
  async send(request: WireRequest): Promise<Answer> {
    const answer = await this.#exchange(request);
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw this.#classify(answer, this.#service.now());
  }

  /** Returns the answer's body in the given shape. @throws PlatformError */
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
      `${this.#name} sent an answer that Marquee can't read${field === "" ? "" : ` (${field})`}.`,
    );
  }

  /** The span leaves out the address, because it may contain a token. */
  #exchange(request: WireRequest): Promise<Answer> {
    const facts = {
      "marquee.platform": this.platform,
      "http.request.method": request.method ?? "GET",
    };
    return spanned(`platform ${this.platform}`, facts, async (note) => {
      const answer = await this.#call(request);
      note({ "http.response.status_code": answer.status });
      return answer;
    });
  }

  async #call(request: WireRequest): Promise<Answer> {
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
      // The error's own message is dropped: it may hold the address, and the address a token.
      const late = error instanceof DOMException && error.name === "TimeoutError";
      const what = late ? `did not answer within ${callMs} ms` : "could not be reached";
      throw new PlatformError("transient", `${this.#name} ${what}.`, {
        code: late ? "timeout" : "unreachable",
      });
    }
  }
}

/** An address with a query; null values are left out. */
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
