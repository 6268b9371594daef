/** The life of a creation: wait, retry, overlay, delete, pages (spec 3, 4.6). */
import { assert, assertEquals } from "@std/assert";
import { DAY } from "../../domain/foundation/calendar.ts";
import type { Creation } from "../../domain/creations/shape.ts";
import { awaitTerminal, readCreations } from "../../domain/creations/store.ts";
import { breakable, post, read, used } from "../support/creations.ts";
import { seriesKit } from "../support/series.ts";
import { testService } from "../support/service.ts";

Deno.test("wait holds the answer until the creation is terminal, and no longer", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const { creation } = await post(t, secret);
  const started = performance.now();
  const waiting = t.call(secret, `/v1/creations/${creation.id}?wait=30`);
  await t.worker.drain();
  assertEquals((await (await waiting).json()).status, "complete");
  const at = performance.now();
  assert(at - started < 15_000, "left long before the wait was over");
  await t.call(secret, `/v1/creations/${creation.id}?wait=60`);
  assert(performance.now() - at < 5_000, "a terminal creation is not waited for");
});

Deno.test("wait returns the creation as it is when it runs out, and 404 when it is deleted", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const { creation } = await post(t, secret);
  const path = `/v1/creations/${creation.id}`;
  assertEquals((await (await t.call(secret, `${path}?wait=1`)).json()).status, "pending");
  const waiting = t.call(secret, `${path}?wait=30`);
  assertEquals((await t.call(secret, path, { method: "DELETE" })).status, 204);
  assertEquals((await waiting).status, 404);
  for (const wait of ["61", "-1", "1.5", ""]) {
    assertEquals((await t.call(secret, `${path}?wait=${wait}`)).status, 400, wait);
  }
});

Deno.test("wait notices writes of another process", async () => {
  await using t = await testService();
  const { secret, brand } = await t.brand();
  const { creation } = await post(t, secret);
  // Without a watch event, as if another process had completed it: only the look-up can tell.
  const kv = t.service.kv;
  const silentKv = new Proxy(kv, {
    get(target, name) {
      if (name === "watch") return () => new ReadableStream();
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const signal = new AbortController().signal;
  const waiting = awaitTerminal(silentKv, brand.id, creation.id, { waitMs: 20_000, signal });
  await t.worker.drain();
  assertEquals((await waiting)?.status, "complete");
});

Deno.test("a wait ends when the client disconnects", async () => {
  await using t = await testService();
  const { secret, brand } = await t.brand();
  const { creation } = await post(t, secret);
  const client = new AbortController();
  const options = { waitMs: 60_000, signal: client.signal };
  const waiting = awaitTerminal(t.service.kv, brand.id, creation.id, options);
  client.abort();
  assertEquals((await waiting)?.status, "pending");
});

Deno.test("a failed creation says why and has three free retries, then a retry costs a credit", async () => {
  const { broken, imageModel } = breakable();
  await using t = await testService({ dependencies: { imageModel } });
  const { secret } = await t.brand();
  const { creation } = await post(t, secret);
  const retry = () => t.call(secret, `/v1/creations/${creation.id}/retry`, { method: "POST" });
  assertEquals((await retry()).status, 409, "a pending creation is not retried");
  const costs: number[] = [];
  for (let round = 0; round < 9; round++) {
    await t.worker.drain();
    const failed = await read(t, secret, creation.id);
    assertEquals([failed.status, failed.error], ["failed", "The model refused the prompt."]);
    assertEquals([failed.url, failed.completedAt], [null, null]);
    const answer = await retry();
    assertEquals(answer.status, 202);
    const pending: Creation = await answer.json();
    assertEquals([pending.status, pending.error], ["pending", null]);
    costs.push(pending.creditCost);
  }
  assertEquals(costs, [1, 1, 1, 2, 2, 2, 2, 3, 3]);
  assertEquals(await used(t, secret), 3);
  broken.now = false;
  await t.worker.drain();
  assertEquals((await read(t, secret, creation.id)).status, "complete");
  assertEquals((await retry()).status, 409, "a complete creation is not retried");
});

Deno.test("20 concurrent retries start one generation", async () => {
  const { imageModel } = breakable();
  await using t = await testService({ dependencies: { imageModel } });
  const { secret } = await t.brand("studio");
  const { creation } = await post(t, secret);
  await t.worker.drain();
  t.turn(1_000);
  const path = `/v1/creations/${creation.id}/retry`;
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => t.request(secret, path, { method: "POST" })),
  );
  assertEquals(answers.filter((answer) => answer.status === 202).length, 1);
  assertEquals(answers.filter((answer) => answer.status === 409).length, 19);
  assertEquals((await t.service.jobs.list()).length, 1);
});

Deno.test("a retry that needs a credit is refused without one, and the creation stays failed", async () => {
  const { imageModel } = breakable();
  await using t = await testService({ dependencies: { imageModel } });
  const { secret } = await t.brand("free");
  const { creation } = await post(t, secret);
  for (let other = 1; other < 10; other++) await post(t, secret);
  await t.worker.drain();
  const retry = () => t.call(secret, `/v1/creations/${creation.id}/retry`, { method: "POST" });
  for (let free = 0; free < 3; free++) {
    assertEquals((await retry()).status, 202);
    await t.worker.drain();
  }
  assertEquals((await retry()).status, 402);
  assertEquals((await read(t, secret, creation.id)).status, "failed");
});

Deno.test("an overlay is printed, changed and removed without a credit", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const overlay = { template: "captionBar", text: "Ride on" };
  const { creation } = await post(t, secret, { overlay });
  const path = `/v1/creations/${creation.id}/overlay`;
  const change = (body: unknown) => t.call(secret, path, { method: "POST", body });
  assertEquals((await change({ overlay: null })).status, 409, "not complete yet");
  await t.worker.drain();
  const done = await read(t, secret, creation.id);
  assert(done.url !== done.rawUrl);
  assertEquals(done.overlay, overlay);

  const other = { template: "quoteCard", text: "Nothing beats rain", showLogo: true };
  const changed: Creation = await (await change({ overlay: other })).json();
  assertEquals([changed.overlay, changed.rawUrl], [other, done.rawUrl]);
  assert(changed.url !== done.url && changed.url !== changed.rawUrl);

  const removed: Creation = await (await change({ overlay: null })).json();
  assertEquals([removed.overlay, removed.url], [null, done.rawUrl]);
  assertEquals((await change({})).status, 400, "overlay is required");
  assertEquals(await used(t, secret), 1);
});

Deno.test("a deleted creation is not found, and its painting still completes", async () => {
  await using t = await testService();
  const { secret, brand } = await t.brand();
  const { creation } = await post(t, secret);
  const path = `/v1/creations/${creation.id}`;
  assertEquals((await t.call(secret, path, { method: "DELETE" })).status, 204);
  for (const verb of ["GET", "DELETE"]) {
    assertEquals((await t.call(secret, path, { method: verb })).status, 404);
  }
  assertEquals((await t.call(secret, `${path}/retry`, { method: "POST" })).status, 404);
  assertEquals((await (await t.call(secret, "/v1/creations")).json()).pagination.total, 0);
  await t.worker.drain();
  const [kept] = await readCreations(t.service, brand.id, [creation.id]);
  assertEquals(kept!.status, "complete");
});

Deno.test("pages run newest first over many days and never repeat or lose a creation", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const made: string[] = [];
  for (let day = 0; day < 5; day++) {
    for (let n = 0; n < 7; n++) made.unshift((await post(t, secret)).creation.id);
    t.turn(DAY);
  }
  const gone = [made[3]!, made[20]!, made[34]!];
  for (const id of gone) await t.call(secret, `/v1/creations/${id}`, { method: "DELETE" });
  const expected = made.filter((id) => !gone.includes(id));
  for (const perPage of [1, 5, 7, 24, 100]) {
    const seen: string[] = [];
    for (let page = 1; page <= Math.ceil(expected.length / perPage); page++) {
      const answer = await t.call(secret, `/v1/creations?page=${page}&perPage=${perPage}`);
      const { data, pagination } = await answer.json();
      assertEquals(pagination, {
        page,
        perPage,
        total: expected.length,
        pageCount: Math.ceil(expected.length / perPage),
      });
      seen.push(...data.map((creation: Creation) => creation.id));
    }
    assertEquals(seen, expected, `perPage ${perPage}`);
  }
  const past = await (await t.call(secret, "/v1/creations?page=99")).json();
  assertEquals([past.data, past.pagination.total], [[], expected.length]);
});

Deno.test("pages reach every image of a carousel, even after some are deleted", async () => {
  await using t = await testService();
  const { create, pass, items, call } = await seriesKit(t);
  const { id } = await create({ format: "carousel" });
  await pass();
  const [{ creations }] = await items(id);
  const listed = async () => (await call("GET", "/v1/creations?perPage=1")).body;
  assertEquals((await listed()).pagination.total, creations.length);
  for (const [gone, { id }] of creations.entries()) {
    const { data, pagination } = await listed();
    assertEquals([data.length, pagination.total], [1, creations.length - gone]);
    assertEquals((await call("DELETE", `/v1/creations/${id}`)).status, 204);
  }
  assertEquals((await listed()).pagination.total, 0);
});
