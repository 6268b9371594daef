/** Steps of the library's tests: start, put, confirm, list, delete, sweep. */
import { assertEquals } from "@std/assert";
import { HOUR } from "../../domain/foundation/calendar.ts";
import { picture } from "./pictures.ts";
import { type TestBrand, type TestService, testService } from "./service.ts";
import type { Json } from "./json.ts";

export async function post(t: TestService, secret: string, path: string, body: unknown) {
  const answer = await t.call(secret, path, { method: "POST", body });
  return { status: answer.status, body: await answer.json() as Json };
}

export interface Start {
  kind?: string;
  name?: string;
  contentType?: string;
  size?: number;
  isPrimary?: boolean;
}

export async function start(t: TestService, secret: string, more: Start = {}): Promise<Json> {
  const body = { kind: "inspiration", name: "A", contentType: "image/jpeg", size: 3, ...more };
  const started = await post(t, secret, "/v1/assets/uploads", body);
  assertEquals(started.status, 201);
  return started.body;
}

export async function put(t: TestService, url: string, body: BodyInit, type = "image/jpeg") {
  const headers = { "content-type": type };
  const answer = await t.app.request(url, { method: "PUT", headers, body });
  return { status: answer.status, text: await answer.text() };
}

/** Uploads and confirms a picture; answers the asset. */
export async function add(t: TestService, secret: string, more: Start = {}): Promise<Json> {
  const bytes = await picture();
  const started = await start(t, secret, { size: bytes.length, ...more });
  assertEquals((await put(t, started.uploadUrl, bytes)).status, 200);
  const { key, url } = started;
  const created = await post(t, secret, "/v1/assets", { key, url });
  assertEquals(created.status, 201);
  return created.body;
}

export async function list(t: TestService, secret: string, query = ""): Promise<Json[]> {
  return (await (await t.call(secret, `/v1/assets${query}`)).json()).data;
}

export async function remove(t: TestService, secret: string, id: string): Promise<number> {
  return (await t.call(secret, `/v1/assets/${id}`, { method: "DELETE" })).status;
}

/** Names of the files in the store's folder, media and uploads. */
export async function files({ service: { settings } }: TestService): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ["media", "media/.uploads"]) {
    const path = `${settings.DATA_DIR}/${folder}`;
    if (!await Deno.stat(path).catch(() => null)) continue;
    for await (const { name, isFile } of Deno.readDir(path)) if (isFile) found.push(name);
  }
  return found.sort();
}

/** Lets every sweep fall due. */
export async function sweep(t: TestService): Promise<void> {
  t.turn(3 * HOUR);
  await t.worker.drain();
  assertEquals(await t.service.jobs.list(), []);
}

export async function house(): Promise<{ t: TestService } & TestBrand> {
  const t = await testService();
  return { t, ...await t.brand() };
}
