/** Replays: nobody waits behind another brand's, and many of them make no pile. */
import { assert, assertEquals } from "@std/assert";
import { DAY, iso } from "../../domain/foundation/calendar.ts";
import { newId } from "../../domain/foundation/ids.ts";
import { emit } from "../../domain/kv/outbox.ts";
import { listValues, transact } from "../../domain/kv/transact.ts";
import { HANDLERS } from "../../jobs/handlers.ts";
import { Worker } from "../../jobs/worker.ts";
import { hooked } from "../support/hooked.ts";
import { NOON, type TestService } from "../support/service.ts";

/** So many events of a brand, without a webhook hearing of them yet. */
async function happened(t: TestService, brandId: string, count: number, at = NOON) {
  await transact(t.service.kv, (commit) => {
    for (let n = 0; n < count; n++) {
      const data = { keyId: newId("key", at), name: `Key ${n}` };
      emit(commit, { brandId, type: "key.revoked", at, data });
    }
  });
}

const jobsOf = async (t: TestService, kind: string) =>
  (await listValues<{ kind: string; brandId: string }>(t.service.kv, ["job"]))
    .filter((job) => job.kind === kind);

Deno.test("replays to a receiver that does not answer make one delivery an event", async () => {
  await using h = await hooked({ types: ["key.revoked"] });
  h.receiver.status = 500;
  await happened(h.t, h.brand.id, 20);
  await h.t.worker.drain();
  for (let n = 0; n < 5; n++) {
    const answer = await h.call("POST", `${h.path}/replay`, { since: iso(NOON - DAY) });
    assertEquals(answer.status, 202);
    await h.t.worker.drain();
  }
  assertEquals((await jobsOf(h.t, "deliverEvent")).length, 40);
  h.receiver.status = 200;
  for (const words of ["those that wait for a later try are sent now", "and so is what is over"]) {
    const before = h.receiver.received.length;
    await h.call("POST", `${h.path}/replay`, { since: iso(NOON - DAY) });
    await h.t.worker.drain();
    assertEquals(h.receiver.received.length - before, 20, words);
  }
  assertEquals((await jobsOf(h.t, "deliverEvent")).length, 20);
});

for (const status of [200, 500]) {
  Deno.test(`a replay that is asked for while the one before is being sent is sent, too: ${status}`, async () => {
    await using h = await hooked({ types: ["key.revoked"] });
    await happened(h.t, h.brand.id, 1);
    await h.t.worker.drain();
    const replay = async () => {
      const { status } = await h.call("POST", `${h.path}/replay`, { since: iso(NOON - DAY) });
      assertEquals(status, 202);
    };
    const until = async (isTrue: () => Promise<boolean> | boolean) => {
      while (!await isTrue()) await new Promise((done) => setTimeout(done, 5));
    };
    const answered = Promise.withResolvers<void>();
    h.receiver.held = answered.promise;
    h.receiver.status = status;
    await replay();
    h.t.worker.start();
    await until(() => h.receiver.received.length === 2);
    await replay();
    await until(async () => (await h.t.service.jobs.list()).some(({ again }) => again));
    answered.resolve();
    await until(() => h.receiver.received.length === 3);
    const ids = new Set(h.receiver.events.map(({ id }) => id));
    assertEquals(ids.size, 1);
    await h.t.worker.stop(1_000);
    const [replayed] = (await h.deliveries()).filter(({ attempt }) => attempt > 0)
      .toSorted((one, other) => one.at < other.at ? 1 : -1);
    assertEquals([replayed?.attempt, replayed?.status], [1, status]);
  });
}

Deno.test("a replay since long ago has all that is kept", async () => {
  await using h = await hooked({ types: ["key.revoked"] });
  await happened(h.t, h.brand.id, 1);
  await h.t.worker.drain();
  await h.call("POST", `${h.path}/replay`, { since: "1969-07-20T20:17:00Z" });
  await h.t.worker.drain();
  assertEquals(h.receiver.received.length, 2);
});

Deno.test("what happens in a brand is not held up by another brand's replays", async () => {
  await using h = await hooked({ types: ["key.revoked"] });
  const other = await h.t.brand();
  const made = await h.t.call(other.secret, "/v1/webhooks", {
    method: "POST",
    body: { url: h.receiver.url, types: ["key.revoked"] },
  });
  assertEquals(made.status, 201, await made.text());
  for (let n = 0; n < 20; n++) {
    await h.call("POST", `${h.path}/replay`, { since: iso(NOON - DAY) });
  }
  await happened(h.t, other.brand.id, 1);
  /** All fan-outs hang, as replays of many thousands do. */
  const started: string[] = [];
  const both = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const run = async (_: unknown, { job }: { job: { brandId: string } }) => {
    started.push(job.brandId);
    if (job.brandId === other.brand.id) both.resolve();
    await end.promise;
  };
  const worker = new Worker(h.t.service, { fanOut: { ...HANDLERS.fanOut, run } });
  worker.start();
  try {
    await both.promise;
    assert(started.filter((id) => id === h.brand.id).length <= 2);
  } finally {
    end.resolve();
    await worker.stop(0);
  }
});

Deno.test("receivers of five brands that hang leave a place for the sixth brand's", async () => {
  await using h = await hooked({ types: ["key.revoked"] });
  const { service } = h.t;
  const brands = await Promise.all(Array.from({ length: 5 }, () => h.t.brand()));
  const subject = { webhookId: h.webhook.id, deliveryId: "none" };
  await transact(service.kv, async (commit) => {
    for (const { brand: { id: brandId } } of brands) {
      for (let n = 0; n < 6; n++) {
        await service.jobs.add(commit, { kind: "deliverEvent", brandId, subject });
      }
    }
    await service.jobs.add(commit, { kind: "deliverEvent", brandId: h.brand.id, subject });
  });
  const theirs = Promise.withResolvers<void>();
  const full = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  let held = 0;
  const run = async (_: unknown, { job }: { job: { brandId: string } }) => {
    if (job.brandId === h.brand.id) return theirs.resolve();
    if (++held === 20) full.resolve();
    await end.promise;
  };
  const worker = new Worker(service, { deliverEvent: { ...HANDLERS.deliverEvent, run } });
  worker.start();
  try {
    await Promise.all([theirs.promise, full.promise]);
    assertEquals(held, 20, "no brand has more than its part");
  } finally {
    end.resolve();
    await worker.stop(0);
  }
});
