/** Commits over all slots of a series check one key, and notice a change to each of them. */
import { assert, assertEquals } from "@std/assert";
import { transact } from "../../domain/kv/transact.ts";
import {
  requireSeries,
  requireSlot,
  seriesKey,
  slotsVersionKey,
} from "../../domain/series/records.ts";
import { moveSlot } from "../../domain/series/states.ts";
import { dropPlanned } from "../../domain/series/strategy.ts";
import { seriesKit } from "../support/series.ts";
import { testService } from "../support/service.ts";

Deno.test("a review drops what is planned, and what changed meanwhile stays", async () => {
  await using t = await testService();
  const { brand, create, items, pass } = await seriesKit(t);
  const { id } = await create({ hourUtc: 18, cadenceDays: 1 });
  await pass();
  const { kv } = t.service;
  const before = await kv.get(slotsVersionKey(brand.id, id));
  const [, second] = await items(id);
  let attempts = 0;
  await transact(kv, async (commit) => {
    const series = await requireSeries(commit, brand.id, id);
    const next = await dropPlanned(t.service, commit, series);
    commit.set(seriesKey(brand.id, id), next);
    // Somebody skips one of them in between, once.
    if (attempts++ > 0) return;
    await transact(kv, async (other) => {
      const slot = await requireSlot(other, brand.id, id, second.id);
      moveSlot(other, slot, "skip", { at: t.service.now(), cause: "A person skipped it." });
    });
  });
  assertEquals(attempts, 2);
  const statuses = (await items(id)).map(({ status }: { status: string }) => status);
  assertEquals(statuses, ["ready", "skipped"]);
  const after = await kv.get(slotsVersionKey(brand.id, id));
  assert(before.versionstamp !== after.versionstamp);
});
