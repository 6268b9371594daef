/** Lazy values: shared once they are made, and made again after a failure. */
import { assertEquals, assertRejects } from "@std/assert";
import { once } from "../../domain/foundation/once.ts";

Deno.test("a lazy value is made once and shared, even while it is being made", async () => {
  let made = 0;
  const use = once(() => Promise.resolve(++made));
  assertEquals(await Promise.all([use(), use()]), [1, 1]);
  assertEquals(await use(), 1);
});

Deno.test("a failure reaches all who waited, and the next use tries again", async () => {
  let tries = 0;
  const use = once(() => ++tries === 1 ? Promise.reject(new Error("away")) : Promise.resolve("ok"));
  await Promise.all([use(), use()].map((waiting) => assertRejects(() => waiting, Error, "away")));
  assertEquals([await use(), tries], ["ok", 2]);
});
