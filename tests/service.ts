/** The whole service in memory: real faces, real store, a clock that tests turn by hand. */
import type { Hono } from "hono";
import { createApiKey, Scope } from "../domain/access.ts";
import { type Brand, createBrand } from "../domain/brands.ts";
import { buildService } from "../domain/build.ts";
import { silent } from "../domain/log.ts";
import type { Plan } from "../domain/plans.ts";
import type { Service } from "../domain/service.ts";
import { type Environ, readSettings } from "../domain/settings.ts";
import { HANDLERS } from "../jobs/handlers.ts";
import { lazyMcpFace } from "../mcp/face.ts";
import { Worker } from "../jobs/worker.ts";
import { createApp } from "../routes/app.ts";
import type { AppEnv } from "../routes/request.ts";

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
    const { kv, now } = this.service;
    const brand = await createBrand(kv, now, { name: "Test brand", plan });
    return { brand, ...await this.key(brand.id, scopes) };
  }

  async key(brandId: string, scopes: Scope[]): Promise<{ secret: string; keyId: string }> {
    const { kv, now } = this.service;
    const { key, secret } = await createApiKey(kv, now, { brandId, scopes, name: "test" });
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
  /** Doors over the ones the settings choose. */
  doors?: Partial<Service>;
  /** Instant at which the clock stands, ms. */
  at?: number;
}

export async function testService(options: TestOptions = {}): Promise<TestService> {
  const dir = await Deno.makeTempDir({ prefix: "marquee-test-" });
  const clock = { at: options.at ?? NOON };
  const settings = readSettings(
    { DATA_DIR: dir, SECRET_KEY: "a secret for tests only", JOBS: "poll", ...options.environ },
    "dev",
  );
  const kv = await Deno.openKv(":memory:");
  const log = options.doors?.log ?? silent;
  const built = await buildService({ settings, kv, now: () => clock.at, log });
  const own: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.startsWith(`${settings.ownUrl}/`)) return await fetch(request);
    const answer = await t.app.request(request);
    request.signal.throwIfAborted();
    return answer;
  };
  const t: TestService = new TestService({ ...built, http: own, ...options.doors }, clock, dir);
  return t;
}
