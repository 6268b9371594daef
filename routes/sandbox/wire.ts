/** What the three local platforms share: refusals in their own words, and faults met on the way. */
import type { Service } from "../../domain/service.ts";
import type { Platform } from "../../domain/posts/shape.ts";
import type { SandboxAccount } from "../../domain/sandbox/accounts.ts";
import { type FaultName, type SandboxOperation, takeFault } from "../../domain/sandbox/faults.ts";

/** A platform's own error answer. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    super(`the sandbox refuses with ${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Faults that are an error answer of the platform's; the others are about time and shape. */
export type AnsweredFault = Exclude<FaultName, "timeout" | "timeoutAfterAccept" | "malformed">;

/** How one platform says things. */
export interface Dialect {
  platform: Platform;
  /** @param request of the call that meets the fault */
  refusal(fault: AnsweredFault, operation: SandboxOperation, request: Request): Refusal;
  /** Headers of every answer. */
  headers(): Record<string, string>;
}

/** How long a call that meets `timeout` hangs. */
const HANG_MS = 30_000;

/**
 * Answers one wire call: a fault that waits for `operation` is used up and met.
 * @param operation null for calls that no fault is about
 */
export async function answered(
  service: Service,
  dialect: Dialect,
  operation: SandboxOperation | null,
  request: Request,
  answer: () => Promise<Response> | Response,
): Promise<Response> {
  const fault = operation === null
    ? null
    : await takeFault(service.kv, dialect.platform, operation);
  const act = () => unlessRefused(dialect, answer);
  switch (fault) {
    case null:
      return await act();
    case "timeout":
      return await hang(request.signal);
    case "timeoutAfterAccept":
      await act();
      return await hang(request.signal);
    case "malformed":
      return await cutShort(await act());
    default: {
      const refusal = dialect.refusal(fault, operation!, request);
      return refusalResponse(dialect, refusal);
    }
  }
}

export function json(
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json; charset=UTF-8", ...headers },
  });
}

/** The account's picture of itself. */
export function avatarUrl(service: Service, { number }: SandboxAccount): string {
  const seed = String(number % 1e8).padStart(8, "0");
  return `${service.settings.BASE_URL}/sandbox/media/pictures/${seed}-96x96.png`;
}

/** An address of ours made whole; others stay as they are. */
export function absolute(service: Service, url: string): string {
  return url.startsWith("/") ? `${service.settings.BASE_URL}${url}` : url;
}

async function unlessRefused(
  dialect: Dialect,
  answer: () => Promise<Response> | Response,
): Promise<Response> {
  try {
    const response = await answer();
    for (const [name, value] of Object.entries(dialect.headers())) {
      response.headers.set(name, value);
    }
    return response;
  } catch (error) {
    if (error instanceof Refusal) return refusalResponse(dialect, error);
    throw error;
  }
}

function refusalResponse(dialect: Dialect, refusal: Refusal): Response {
  return json(refusal.body, refusal.status, { ...dialect.headers(), ...refusal.headers });
}

/** No answer for 30 seconds, or until the caller has hung up. */
async function hang(signal: AbortSignal): Promise<Response> {
  await new Promise<void>((done) => {
    const timer = setTimeout(done, HANG_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    }, { once: true });
  });
  return new Response("<html><body>504 Gateway Time-out</body></html>", {
    status: 504,
    headers: { "content-type": "text/html" },
  });
}

/** The call took place, but its answer lost its end, and the header that names what was made. */
async function cutShort(response: Response): Promise<Response> {
  const text = await response.text();
  const headers = new Headers(response.headers);
  headers.delete("x-restli-id");
  headers.set("content-type", "application/json; charset=UTF-8");
  const status = response.status === 204 ? 200 : response.status;
  return new Response(text.length > 1 ? text.slice(0, text.length / 2) : '{"da', {
    status,
    headers,
  });
}
