/** Waiting with a deadline: in time the result, too late nothing, and no rejection left behind. */
import { assertEquals, assertRejects } from "@std/assert";
import { within } from "../../domain/foundation/within.ts";

Deno.test("work in time gives its result or its fault, and leaves no timer", async () => {
  assertEquals(await within(60_000, Promise.resolve("done")), "done");
  await assertRejects(() => within(60_000, Promise.reject(new Error("no luck"))), Error, "no luck");
});

Deno.test("work that is too late gives nothing, and its later fault harms nobody", async () => {
  const work = Promise.withResolvers<string>();
  assertEquals(await within(0, work.promise), undefined);
  work.reject(new Error("too late"));
  await new Promise((done) => setTimeout(done));
});
