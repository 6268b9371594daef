/** The clock of a rehearsal: one time on one store, however many processes run on it. */
import { assert, assertEquals } from "@std/assert";
import { joinClock, startClock } from "../../domain/service/clock.ts";
import { systemNow } from "../../domain/foundation/calendar.ts";

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

Deno.test("calls of admin without a service live one after another, and a later start after them", async () => {
  using kv = await Deno.openKv(":memory:");
  let last = Date.parse("2030-01-31T23:00:00Z");
  for (let call = 0; call < 6; call++) {
    const clock = await joinClock(kv, Date.parse("2030-01-31T23:00:00Z"));
    assert(clock.now() >= last, `call ${call} goes ${last - clock.now()} ms back`);
    last = clock.now() + 1;
    while (clock.now() < last) await new Promise((done) => setTimeout(done, 1));
    await clock.leave();
  }
  const ahead = await joinClock(kv, Date.parse("2030-02-01T00:00:00Z"));
  assert(ahead.now() >= Date.parse("2030-02-01T00:00:00Z"), "a later CLOCK counts at once");
  const service = await startClock(kv, rehearsal("2030-01-31T23:00:00Z"));
  assert(service() >= last);
});

Deno.test("admin beside a rehearsal leaves its mark alone, and beside real time leaves none", async () => {
  using kv = await Deno.openKv(":memory:");
  const real = await joinClock(kv, null);
  await real.leave();
  assertEquals((await kv.get(["clock"])).value, null);
  const service = await startClock(kv, rehearsal("2030-03-10T12:00:00Z"));
  const beside = await joinClock(kv, null);
  await beside.leave();
  const mark = (await kv.get<{ markedAt: number | null }>(["clock"])).value;
  assertEquals(typeof mark?.markedAt, "number", "it still counts as running");
  const later = await joinClock(kv, null);
  assert(Math.abs(later.now() - service()) < 100, "they live at one instant");
  assert(Math.abs(real.now() - systemNow()) < 100);
});
