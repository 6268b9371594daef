/** A process that is killed while images are added leaves no file without an owner. */
import { assert, assertEquals } from "@std/assert";
import { HOUR, iso } from "../../domain/foundation/calendar.ts";
import { picture } from "../support/pictures.ts";
import { admin, freePort, type ServiceProcess, startProcess } from "../support/process.ts";
import { NOON } from "../support/service.ts";
import type { Json } from "../support/json.ts";

const ROUNDS = 6;
const UPLOADERS = 4;

async function call(url: string, secret: string, body?: unknown): Promise<Json> {
  const answer = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return await answer.json();
}

/** Uploads and confirms one picture after another until the service is gone. */
async function upload(service: ServiceProcess, secret: string, bytes: Uint8Array<ArrayBuffer>) {
  const contentType = "image/png";
  const body = { kind: "inspiration", name: "A", contentType, size: bytes.length };
  try {
    for (;;) {
      const { uploadUrl, key, url } = await call(`${service.url}/v1/assets/uploads`, secret, body);
      if (uploadUrl === undefined) continue; // throttled
      const headers = { "content-type": contentType };
      await (await fetch(uploadUrl, { method: "PUT", headers, body: bytes })).body?.cancel();
      await call(`${service.url}/v1/assets`, secret, { key, url });
    }
  } catch {
    // the service was killed
  }
}

async function filesBelow(dir: string): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(dir)) {
    if (entry.isFile) names.push(entry.name);
    else if (entry.name !== ".drafts") names.push(...await filesBelow(`${dir}/${entry.name}`));
  }
  return names.sort();
}

Deno.test("kill -9 while images are added leaves no file without an owner after the sweep", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-kill-" });
  const port = freePort();
  const run = (at: number) =>
    startProcess({ dataDir, port, environ: { SANDBOX: "on", CLOCK: iso(at) } });
  try {
    const brand = await admin(dataDir, ["brand", "create", "--name", "B", "--plan", "studio"]);
    const scopes = "createRead,createWrite";
    const { secret } = await admin(dataDir, [
      ...["key", "create", "--brand", brand.id, "--scopes", scopes],
    ]);
    const bytes = await picture("png", 300, 200);
    for (let round = 0; round < ROUNDS; round++) {
      await using service = await run(NOON);
      const uploaders = Array.from({ length: UPLOADERS }, () => upload(service, secret, bytes));
      await new Promise((done) => setTimeout(done, 100 + Math.random() * 900));
      await service.kill();
      await Promise.all(uploaders);
    }
    await using service = await run(NOON + 3 * HOUR);
    let waiting = Infinity;
    for (let tries = 0; waiting > 0 && tries < 400; tries++) {
      const health = await (await fetch(`${service.url}/healthz`)).json();
      waiting = health.jobs.waiting + health.jobs.running;
      if (waiting > 0) await new Promise((done) => setTimeout(done, 50));
    }
    assertEquals(waiting, 0);
    const { data } = await call(`${service.url}/v1/assets`, secret);
    assert(data.length > 0);
    const owned = data.map(({ url }: Json) => url.split("/").pop()).sort();
    assertEquals(await filesBelow(`${dataDir}/media`), owned);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});
