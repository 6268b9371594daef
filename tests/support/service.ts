/** The whole service in memory: real faces, real store, a clock that tests turn by hand. */
import type { Hono } from "hono";
import { createApiKey, Scope } from "../../domain/brands/keys.ts";
import { type Brand, createBrand } from "../../domain/brands/brands.ts";
import { Passwords, type ScryptCost } from "../../domain/brands/passwords.ts";
import { buildService } from "../../domain/service/build.ts";
import { silent } from "../../domain/foundation/log.ts";
import type { Plan } from "../../domain/brands/plans.ts";
import type { Patience, Service } from "../../domain/service/service.ts";
import { type Environ, readSettings } from "../../domain/foundation/settings.ts";
import { HANDLERS } from "../../jobs/handlers.ts";
import { lazyMcpFace } from "../../mcp/face.ts";
import { Worker } from "../../jobs/worker.ts";
import { createApp } from "../../routes/app.ts";
import type { AppEnv } from "../../routes/request.ts";
import { quickModel } from "./quick_model.ts";

/** The cost of a password's hash in tests. */
export const QUICK: ScryptCost = { log2N: 10, r: 8, p: 1 };

/** The sandbox and the jobs of a pass end at once, so the waits before looking again can be short. */
const IMPATIENT: Patience = { callMs: 10_000, pollMs: 1, passMs: 5, askMs: 120_000 };

/** Noon of an ordinary Friday. */
export const NOON = Date.parse("2026-11-20T12:00:00Z");

export interface TestBrand {
  brand: Brand;
  /** A key with the scopes asked for (all by default). */
  secret: string;
  keyId: string;
}

export interface Call {
  method?: string;
  /** JSON body. */
  body?: unknown;
  headers?: Record<string, string>;
}

export class TestService implements AsyncDisposable {
  readonly service: Service;
  readonly app: Hono<AppEnv>;
  readonly worker: Worker;
  readonly #clock: { at: number };
  readonly #dir: string;

  constructor(service: Service, clock: { at: number }, dir: string) {
    this.service = service;
    this.#clock = clock;
    this.#dir = dir;
    this.app = createApp(service, lazyMcpFace(service));
    this.worker = new Worker(service, HANDLERS);
  }

  /** Turns the clock forward, in ms. */
  turn(by: number): void {
    this.#clock.at += by;
  }

  /** Turns the clock to an instant, ISO 8601. */
  turnTo(instant: string): void {
    this.#clock.at = Date.parse(instant);
  }

  async brand(plan: Plan = "studio", scopes: Scope[] = Scope.options): Promise<TestBrand> {
    const brand = await createBrand(this.service, { name: "Test brand", plan });
    return { brand, ...await this.key(brand.id, scopes) };
  }

  async key(brandId: string, scopes: Scope[]): Promise<{ secret: string; keyId: string }> {
    const { key, secret } = await createApiKey(this.service, {
      brandId,
      scopes,
      name: "test",
    });
    return { secret, keyId: key.id };
  }

  /** One request through the REST face. The clock moves on a second, so no test meets the limit. */
  async call(secret: string | null, path: string, call: Call = {}): Promise<Response> {
    this.turn(1_000);
    return await this.request(secret, path, call);
  }

  /** One request with the clock standing still. */
  async request(secret: string | null, path: string, call: Call = {}): Promise<Response> {
    const headers = new Headers(call.headers);
    if (secret !== null) headers.set("authorization", `Bearer ${secret}`);
    if (call.body !== undefined && !headers.has("content-type")) {
      headers.set("content-type", "application/json");
    }
    const body = call.body === undefined ? null : JSON.stringify(call.body);
    return await this.app.request(path, { method: call.method ?? "GET", headers, body });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.worker.stop(0);
    this.service.kv.close();
    await Deno.remove(this.#dir, { recursive: true });
  }
}

export interface TestOptions {
  /** Settings over the defaults. */
  environ?: Environ;
  /** Dependencies in place of the ones that the settings choose. */
  dependencies?: Partial<Service>;
  /** What the clock says, ms. */
  at?: number;
  /** The store, in place of one in memory. */
  kv?: Deno.Kv;
  /** Whether images are painted as in a real service, which takes about a second each. */
  paints?: boolean;
}

export async function testService(options: TestOptions = {}): Promise<TestService> {
  const dir = await Deno.makeTempDir({ prefix: "marquee-test-" });
  const clock = { at: options.at ?? NOON };
  const settings = readSettings(
    {
      DATA_DIR: dir,
      SECRET_KEY: "a secret for tests only, and long enough",
      JOBS: "poll",
      ...options.environ,
    },
    "dev",
  );
  const kv = options.kv ?? await Deno.openKv(":memory:");
  const log = options.dependencies?.log ?? silent;
  const chosen = await buildService({ settings, kv, now: () => clock.at, log });
  const paints = options.paints === true || settings.OPENAI_API_KEY !== undefined;
  const imageModel = paints ? chosen.imageModel : quickModel;
  const passwords = new Passwords(QUICK);
  const built: Service = { ...chosen, passwords, imageModel, patience: IMPATIENT };
  const own: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.startsWith(`${settings.ownUrl}/`)) return await fetch(request);
    const { signal } = Object.defineProperty(request, "signal", { value: timeoutWhenAwaited() });
    const answer = await t.app.request(request);
    signal.throwIfAborted();
    return answer;
  };
  const t: TestService = new TestService(
    { ...built, http: own, ...options.dependencies },
    clock,
    dir,
  );
  return t;
}

/**
 * The signal of a call whose callee hangs: it times out as soon as somebody waits for it to abort. So a
 * local platform that never answers costs a test no time, and a slow machine times nothing out.
 */
function timeoutWhenAwaited(): AbortSignal {
  const caller = new AbortController();
  const { signal } = caller;
  const listen = signal.addEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof listen>) => {
    listen(...args);
    queueMicrotask(() => caller.abort(new DOMException("Signal timed out.", "TimeoutError")));
  };
  return signal;
}
