/** Webhooks take turns: a receiver that hangs delays what it is sent itself, and nobody else. */
import { assertEquals } from "@std/assert";
import { revokeApiKey } from "../../domain/brands/keys.ts";
import { SYSTEM } from "../../domain/kv/audit.ts";
import type { Job } from "../../domain/kv/jobs/job.ts";
import { listJobs } from "../../domain/kv/jobs/records.ts";
import { hooked } from "../support/hooked.ts";
import { Receiver } from "../support/receiver.ts";
import type { TestService } from "../support/service.ts";

type Hooked = Awaited<ReturnType<typeof hooked>>;

const EVENTS = 20;

/** A receiver that gets what a webhook is sent, and answers nothing before it is let go. */
class Hanging implements AsyncDisposable {
  readonly receiver = new Receiver();
  readonly #end = Promise.withResolvers<void>();

  constructor() {
    this.receiver.held = this.#end.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.resolve();
    await this.receiver[Symbol.asyncDispose]();
  }
}

/** Adds a webhook of the brand; answers its path. */
async function add(h: Hooked, url: string): Promise<string> {
  const { status, body } = await h.call("POST", "", { url, types: ["key.created"] });
  assertEquals(status, 201, JSON.stringify(body));
  return `/${body.id}`;
}

/** Events that all webhooks want; answers the ids of the keys that were created. */
async function events(h: Hooked): Promise<string[]> {
  const ids = [];
  for (let n = 0; n < EVENTS; n++) {
    const { keyId } = await h.t.key(h.brand.id, ["postsRead"]);
    // A brand may have no more than 20 keys that work.
    await revokeApiKey({ ...h.t.service, by: SYSTEM }, keyId);
    ids.push(keyId);
  }
  return ids;
}

const attempts = async (h: Hooked, path: string): Promise<number[]> =>
  (await h.call("GET", `${path}/deliveries`)).body.data
    .map(({ attempt }: { attempt: number }) => attempt);

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((done) => setTimeout(done, 5));
}

const turnEntries = ({ service: { kv } }: TestService) =>
  Array.fromAsync(kv.list({ prefix: ["brandDue"] }));

Deno.test("a receiver that hangs holds up no other webhook of its brand", async () => {
  await using bad = new Hanging();
  await using h = await hooked({ types: ["key.created"] }, { hosts: [bad.receiver.host] });
  const path = await add(h, bad.receiver.url);
  const keys = await events(h);
  h.t.worker.start();
  await until(() => h.receiver.received.length === EVENTS);
  assertEquals(await attempts(h, path), Array(EVENTS).fill(0), "none of the bad one's has ended");
  assertEquals(bad.receiver.received.length, 4, "and it has as many calls as it may");
  const heard = h.receiver.events.map(({ data }) => data["keyId"]);
  assertEquals(heard.toSorted(), keys.toSorted());
  await h.t.worker.stop(0);
});

Deno.test("nine receivers that hang hold up no tenth, and another brand has room", async () => {
  await using bad = new Hanging();
  const types = ["key.created"];
  await using h = await hooked({ types }, { hosts: [bad.receiver.host] });
  for (let n = 0; n < 9; n++) await add(h, `${bad.receiver.url}/${n}`);
  await events(h);
  h.t.worker.start();
  await until(() => h.receiver.received.length === EVENTS);
  // Two with four calls, or more with fewer, and at least one for each.
  const calls = bad.receiver.received.length;
  assertEquals(calls >= 9 && calls <= 16, true, `${calls} calls`);
  const other = await h.t.brand();
  const url = `${h.receiver.url}/other`;
  await h.t.call(other.secret, "/v1/webhooks", { method: "POST", body: { url, types } });
  const { keyId } = await h.t.key(other.brand.id, ["postsRead"]);
  await until(() => h.receiver.events.at(-1)?.data["keyId"] === keyId);
  await h.t.worker.stop(0);
});

/** Indexes every job by its brand, as the version before did. */
async function indexByBrand({ service: { kv } }: TestService): Promise<Job[]> {
  for (const { key } of await Array.fromAsync(kv.list({ prefix: ["brandDue"] }))) {
    await kv.delete(key);
  }
  const jobs = await listJobs(kv);
  for (const { kind, brandId, dueAt, id, state } of jobs) {
    await kv.set(["brandDue", kind, brandId, dueAt, id], state);
  }
  return jobs;
}

/** Deliveries that wait to be sent. */
async function pending(h: Hooked): Promise<void> {
  for (let n = 0; n < EVENTS; n++) {
    assertEquals((await h.call("POST", `${h.path}/test`)).status, 202);
  }
}

Deno.test("deliveries that the version before has stored are sent once, and leave nothing", async () => {
  await using h = await hooked();
  await pending(h);
  assertEquals((await indexByBrand(h.t)).length, EVENTS);
  await pending(h);
  await h.t.worker.drain();
  assertEquals(new Set(h.receiver.events.map(({ id }) => id)).size, 2 * EVENTS);
  assertEquals(h.receiver.received.length, 2 * EVENTS);
  assertEquals([await h.t.service.jobs.list(), await turnEntries(h.t)], [[], []]);
});

Deno.test("one that fails and was stored by the version before is tried again when it is due", async () => {
  await using h = await hooked();
  await h.call("POST", `${h.path}/test`);
  await indexByBrand(h.t);
  h.receiver.status = 500;
  await h.t.worker.drain();
  assertEquals(h.receiver.received.length, 1, "not before it is due");
  h.receiver.status = 200;
  h.t.turn(5_000);
  await h.t.worker.drain();
  assertEquals(h.receiver.received.length, 2);
  assertEquals([await h.t.service.jobs.list(), await turnEntries(h.t)], [[], []]);
});

Deno.test("entries that the version before left of jobs that are gone are cleared away", async () => {
  await using h = await hooked();
  const other = await add(h, `${h.receiver.url}/other`);
  for (const path of [h.path, other, other]) await h.call("POST", `${path}/test`);
  const entries = await turnEntries(h.t);
  await h.t.worker.drain();
  for (const { key, value } of entries) await h.t.service.kv.set(key, value);
  await h.call("POST", `${h.path}/test`);
  await h.t.worker.drain();
  assertEquals([entries.length, h.receiver.received.length], [3, 4]);
  assertEquals(await turnEntries(h.t), []);
});
