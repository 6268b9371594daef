/** A pass that a person runs: it does everything that is due now, whatever else is running. */
import { assert, assertEquals } from "@std/assert";
import { DAY } from "../../domain/foundation/calendar.ts";
import { runPass } from "../../jobs/passes.ts";
import { rehearse } from "../support/rehearsal.ts";
import { seriesKit } from "../support/series.ts";
import { testService } from "../support/service.ts";

const byHand = { byHand: true };

Deno.test("one pass makes the image of a slot that is due already and publishes it", async () => {
  await using t = await testService();
  const { connect, create, items, pass } = await seriesKit(t);
  const account = await connect();
  const { id } = await create({ socialAccountId: account.id, hourUtc: 18 });
  await pass();
  t.turnTo("2026-11-21T18:05:00Z");
  const report = await pass();
  const statuses = (await items(id)).map(({ status }: { status: string }) => status);
  assertEquals(statuses.slice(0, 3), ["held", "published", "ready"]);
  assertEquals([report.series, report.generated, report.published, report.held], [1, 2, 1, 1]);
});

Deno.test("a pass counts the image that is finished between two of its looks", async () => {
  await using t = await testService();
  const { create } = await seriesKit(t);
  await create({ hourUtc: 18 });
  // Delays the list of image jobs until none is left.
  const kv = new Proxy(t.service.kv, {
    get(store, name) {
      if (name === "list") {
        return async function* (selector: { prefix: Deno.KvKey }, options?: Deno.KvListOptions) {
          if (selector.prefix.join() === "due,generate") await t.worker.drain();
          yield* store.list(selector, options);
        };
      }
      const value: unknown = Reflect.get(store, name, store);
      return typeof value === "function" ? value.bind(store) : value;
    },
  });
  const report = await runPass({ ...t.service, kv }, t.worker, "series");
  assertEquals([report.planned, report.generated], [7, 1]);
  await t.worker.stop(0);
});

Deno.test("a pass by hand waits for one that is under way, and leaves nothing half done", async () => {
  await using t = await testService();
  const { create, items } = await seriesKit(t);
  const { id } = await create({ hourUtc: 18 });
  const scheduled = runPass(t.service, t.worker, "series");
  const report = await runPass(t.service, t.worker, "series", byHand);
  const shown: { status: string; caption: string }[] = await items(id);
  assertEquals(shown.map(({ status }) => status), ["ready", ...Array(6).fill("planned")]);
  assert(shown[0]!.caption !== "");
  assertEquals((await scheduled)["planned"]! + report["planned"]!, 7);
  await t.worker.stop(0);
});

Deno.test("a pass by hand sees through to the public what another one began, and counts it", async () => {
  await using t = await testService();
  const { connect, create, items, pass } = await seriesKit(t);
  const account = await connect();
  const { id } = await create({ socialAccountId: account.id, hourUtc: 18 });
  await pass();
  t.turnTo("2026-11-22T18:05:00Z");
  for (let round = 0; round < 3; round++) {
    const scheduled = runPass(t.service, t.worker, "series");
    // The other pass is still running.
    await new Promise((done) => setTimeout(done, round * 20));
    const report = await runPass(t.service, t.worker, "series", byHand);
    const due = (await items(id)).filter(({ scheduledFor }: { scheduledFor: string }) =>
      Date.parse(scheduledFor) <= t.service.now()
    );
    assertEquals(due.at(-1).status, "published");
    const other = await scheduled;
    assert(report["published"]! + other["published"]! >= 1);
    // The next slot is due before it has an image.
    t.turn(2 * DAY);
  }
  await t.worker.stop(10_000);
});

Deno.test("a pass by hand tries again at once what a platform had put off", async () => {
  await using r = await rehearse();
  await r.connect("linkedin");
  await r.fault("linkedin", "list", "rateLimited");
  const refused = await r.pass();
  assertEquals([refused.posts, refused.failed], [0, 1]);
  const waiting = await runPass(r.service, r.t.worker, "metrics");
  assertEquals([waiting.posts, waiting.failed], [0, 0]);
  const again = await r.pass();
  assertEquals([again.posts, again.failed], [40, 0]);
});
