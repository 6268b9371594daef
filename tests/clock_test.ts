/** The clock of a rehearsal: one time on one store, however many processes run on it. */
import { assert } from "@std/assert";
import { startClock } from "../domain/clock.ts";

const rehearsal = (instant: string) => ({ SANDBOX: true, CLOCK: Date.parse(instant) });
const GIVE_UP_MS = 10_000;

Deno.test("processes that rehearse on one store at a time share its clock", async () => {
  using kv = await Deno.openKv(":memory:");
  const first = await startClock(kv, rehearsal("2026-03-10T12:00:00Z"));
  const second = await startClock(kv, rehearsal("2026-03-10T12:00:00Z"));
  assert(Math.abs(first() - second()) < 100, `${second() - first()} ms apart`);
  const behind = await startClock(kv, rehearsal("2026-01-01T00:00:00Z"));
  assert(Math.abs(first() - behind()) < 100, `${behind() - first()} ms apart`);
});

Deno.test("a process that starts later in time takes the others with it", async () => {
  using kv = await Deno.openKv(":memory:");
  const first = await startClock(kv, rehearsal("2026-03-10T12:00:00Z"));
  const ahead = await startClock(kv, rehearsal("2026-04-01T00:00:00Z"));
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (Math.abs(ahead() - first()) >= 100 && performance.now() < giveUpAt) {
    await new Promise((done) => setTimeout(done, 20));
  }
  assert(Math.abs(ahead() - first()) < 100, `${ahead() - first()} ms apart`);
});

Deno.test("a rehearsal without CLOCK leaves its time to the next one", async () => {
  using kv = await Deno.openKv(":memory:");
  const today = await startClock(kv, { SANDBOX: true, CLOCK: null });
  const past = await startClock(kv, rehearsal("2020-01-01T00:00:00Z"));
  assert(past() >= today() - 100);
});
