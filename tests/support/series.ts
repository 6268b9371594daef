/** Making series, turning the clock and running passes in tests. */
import { assertEquals } from "@std/assert";
import { connectSandboxAccount } from "../../domain/platforms/sandbox_account.ts";
import type { Platform } from "../../domain/posts/shape.ts";
import { slotKey, type StoredSlot } from "../../domain/series/records.ts";
import { listSlots } from "../../domain/series/slot_list.ts";
import { type PassReport, runPass } from "../../jobs/passes.ts";
import { read } from "./sandbox_client.ts";
import type { TestService } from "./service.ts";
import type { Json } from "./json.ts";

export const MANUAL = {
  name: "Bread",
  mode: "manual",
  theme: "Bread fresh from the oven",
  format: "post",
  cadenceDays: 1,
} as const;
export const AUTOPILOT = { name: "Growth", mode: "autopilot", goal: "More guests on weekdays" };

export interface Answer {
  status: number;
  body: Json;
  headers: Headers;
}

export function caller(t: TestService, secret: string) {
  return async (method: string, path: string, body?: unknown): Promise<Answer> =>
    await read(await t.call(secret, path, body === undefined ? { method } : { method, body }));
}

/** A brand with a key, its caller, and what tests do with series. */
export async function seriesKit(t: TestService) {
  const { brand, secret } = await t.brand();
  const call = caller(t, secret);
  return {
    brand,
    secret,
    call,
    connect: (platform: Platform = "instagram", handle = "bakery") =>
      connectSandboxAccount(t.service, brand.id, platform, handle),
    async create(fields: object = {}): Promise<Json> {
      const { status, body } = await call("POST", "/v1/series", { ...MANUAL, ...fields });
      assertEquals(status, 201, JSON.stringify(body));
      return body;
    },
    get: async (id: string): Promise<Json> => (await call("GET", `/v1/series/${id}`)).body,
    items: async (id: string): Promise<Json[]> =>
      (await call("GET", `/v1/series/${id}`)).body.items,
    act: (id: string, itemId: string, verb: string) =>
      call("POST", `/v1/series/${id}/items/${itemId}/${verb}`),
    why: async (id: string, itemId: string): Promise<Json> =>
      (await call("GET", `/v1/series/${id}/items/${itemId}/why`)).body,
    pass: () => pass(t),
    slots: (id: string) => listSlots(t.service.kv, brand.id, id),
    /** Stores a slot with `change`, as a pass would have left it. */
    put: (slot: StoredSlot, change: Partial<StoredSlot>) =>
      t.service.kv.set(slotKey(slot.brandId, slot.seriesId, slot.id), { ...slot, ...change }),
  };
}

/** Runs the series pass and all the work that it starts. */
export async function pass(t: TestService): Promise<PassReport> {
  const report = await runPass(t.service, t.worker, "series");
  await t.worker.drain();
  return report;
}

/** What the public sees of a sandbox account, newest first, without its seeded history. */
export async function truth(
  t: TestService,
  platform: Platform,
  handle: string,
  since: number,
): Promise<Json[]> {
  const answer = await t.app.request(`/sandbox/${platform}/${handle}/posts`);
  const posts: Json[] = await answer.json();
  return posts.filter(({ publishedAt }) => Date.parse(publishedAt) >= since);
}
