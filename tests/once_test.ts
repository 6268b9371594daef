/** What is loaded at its first use: shared when it came, asked for again when it didn't. */
import { assertEquals, assertRejects } from "@std/assert";
import { once } from "../domain/once.ts";

Deno.test("what is made once is shared, also by those who ask while it is being made", async () => {
  let made = 0;
  const use = once(() => Promise.resolve(++made));
  assertEquals(await Promise.all([use(), use()]), [1, 1]);
  assertEquals(await use(), 1);
});

Deno.test("a failure reaches all who waited for it, and the next use tries again", async () => {
  let tries = 0;
  const use = once(() => ++tries === 1 ? Promise.reject(new Error("away")) : Promise.resolve("ok"));
  await Promise.all([use(), use()].map((waiting) => assertRejects(() => waiting, Error, "away")));
  assertEquals([await use(), tries], ["ok", 2]);
});
