/** What the local platforms share: error answers in the platform's own form, and ordered faults. */
import type { Service } from "../../domain/service/service.ts";
import type { Platform } from "../../domain/posts/shape.ts";
import type { SandboxAccount } from "../../domain/platforms/sandbox/accounts.ts";
import {
  type FaultName,
  lengthenWindow,
  type SandboxOperation,
  takeOrdered,
} from "../../domain/platforms/sandbox/faults.ts";

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

/** Faults that are an error answer. The others delay an answer or cut it short. */
export type AnsweredFault = Exclude<FaultName, "timeout" | "timeoutAfterAccept" | "malformed">;

/** The form of one platform's answers. */
export interface Dialect {
  platform: Platform;
  /** The error answer for a fault. @param request the call that fails @param minutes until calls work */
  refusal(
    fault: AnsweredFault,
    operation: SandboxOperation,
    request: Request,
    minutes?: number,
  ): Refusal;
  /** Headers of every answer. */
  headers(): Record<string, string>;
}

/** How long a call hangs after a `timeout` fault. */
const HANG_MS = 30_000;

/**
 * Answers one call. If a fault is ordered for `operation`, it is used up and applied.
 * @param operation null for calls to which no fault applies
 */
export async function answered(
  service: Service,
  dialect: Dialect,
  operation: SandboxOperation | null,
  request: Request,
  answer: () => Promise<Response> | Response,
): Promise<Response> {
  const act = () => unlessRefused(dialect, answer);
  if (operation === null) return await act();
  const { kv, now } = service;
  const left = await lengthenWindow(kv, now, dialect.platform);
  if (left !== null) {
    return refusalResponse(dialect, dialect.refusal("rateLimited", operation, request, left));
  }
  const ordered = await takeOrdered(kv, now, dialect.platform, operation);
  const fault = ordered?.fault ?? null;
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
    default:
      return refusalResponse(
        dialect,
        dialect.refusal(fault, operation, request, ordered?.windowMinutes),
      );
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

/** The account's profile picture. */
export function avatarUrl(service: Service, { number }: SandboxAccount): string {
  const seed = String(number % 1e8).padStart(8, "0");
  return `${service.settings.BASE_URL}/sandbox/media/pictures/${seed}-96x96.png`;
}

/** Completes a path of this service to an address; other addresses stay as they are. */
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

/** Waits for 30 seconds, or until the caller hangs up. */
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

/** The call took effect, but half of its answer is lost, and so is the header with the new id. */
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
