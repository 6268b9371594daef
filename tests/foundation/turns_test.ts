/** Turns: tenants one after the other, bounded lines, and who gives way when too much waits. */
import { assertEquals, assertRejects } from "@std/assert";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { type TurnLimits, Turns } from "../../domain/foundation/turns.ts";

/** Work that runs until it is told to end; `started` has the names in the order of their turns. */
function stage(limits: Partial<TurnLimits>) {
  const turns = new Turns<string>({
    ...{ running: 1, runningEach: 1, waiting: 100, waitingEach: 100, refusal: "Too much." },
    ...limits,
  });
  const started: string[] = [];
  const ends = new Map<string, (fault?: Error) => void>();
  const run = (name: string) =>
    turns.run(name.charAt(0), () => {
      started.push(name);
      return new Promise<string>((resolve, reject) =>
        ends.set(name, (fault) => fault === undefined ? resolve(name) : reject(fault))
      );
    });
  /** Ends one piece of work, and lets what waits for it start. */
  const end = async (name: string, fault?: Error) => {
    ends.get(name)!(fault);
    await new Promise((done) => setTimeout(done));
  };
  return { run, end, started };
}

const isBusy = async (work: Promise<unknown>) => {
  const error = await assertRejects(() => work, ServiceError, "Too much.");
  assertEquals([error.code, error.retryAfter], ["serviceUnavailable", 5]);
};

Deno.test("tenants take turns, however long one's line is", async () => {
  const { run, end, started } = stage({});
  const all = ["a1", "a2", "a3", "a4", "b1", "b2", "c1"].map(run);
  for (let at = 0; at < all.length; at++) await end(started[at]!);
  assertEquals(started, ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
  assertEquals(await Promise.all(all), ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]);
});

Deno.test("a tenant runs no more at once than its share, and leaves the rest free for others", async () => {
  const { run, end, started } = stage({ running: 3, runningEach: 2 });
  const all = ["a1", "a2", "a3", "b1"].map(run);
  assertEquals(started, ["a1", "a2", "b1"]);
  await end("b1");
  assertEquals(started.length, 3, "a third piece of one tenant was started");
  await end("a1");
  assertEquals(started.at(-1), "a3");
  for (const name of ["a2", "a3"]) await end(name);
  await Promise.all(all);
});

Deno.test("a tenant's line is bounded, and what fails gives its turn back", async () => {
  const { run, end, started } = stage({ waitingEach: 1 });
  const failing = assertRejects(() => run("a1"), TypeError);
  const waiting = run("a2");
  await isBusy(run("a3"));
  await end("a1", new TypeError("broken"));
  await failing;
  assertEquals(started, ["a1", "a2"]);
  await end("a2");
  await waiting;
});

Deno.test("when too much waits in all, the longest line gives way to shorter ones only", async () => {
  const { run, end, started } = stage({ waiting: 4 });
  const first = run("a1");
  const [second, third, last, dropped] = ["a2", "a3", "a4", "a5"].map(run);
  const [other] = [run("b1")];
  await isBusy(dropped!);
  await isBusy(run("a6"));
  const another = run("c1");
  await isBusy(last!);
  await isBusy(run("b2"));
  for (const name of ["a1", "b1", "c1", "a2", "a3"]) await end(name);
  assertEquals(started, ["a1", "b1", "c1", "a2", "a3"]);
  await Promise.all([first, second, third, other, another]);
});
