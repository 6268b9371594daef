/** Credits: allowance, grants, all or none, the month (spec 2.6, DECISIONS "Credits"). */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { updateBrand } from "../../domain/brands/brands.ts";
import { FREE_RETRIES } from "../../domain/creations/shape.ts";
import { debitCredits, grantCredits, readCredits } from "../../domain/brands/credits.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { transact } from "../../domain/kv/transact.ts";
import { COMMANDS } from "../../jobs/commands.ts";
import { UsageError } from "../../jobs/commands/command.ts";
import { breakable, post } from "../support/creations.ts";
import { AUTOPILOT, seriesKit } from "../support/series.ts";
import { testService } from "../support/service.ts";

Deno.test("each plan has its monthly credits, and a change of plan keeps the used ones", async () => {
  await using t = await testService();
  const { kv, now } = t.service;
  const { brand, secret } = await t.brand("free");
  const read = async () => await (await t.call(secret, "/v1/credits")).json();
  assertEquals(await read(), { allowance: 10, used: 0, remaining: 10 });
  const larger = await updateBrand(t.service, brand.id, { plan: "creator" });
  await transact(kv, (commit) => debitCredits(commit, larger, now(), 25));
  assertEquals(await read(), { allowance: 200, used: 25, remaining: 175 });
  await updateBrand(t.service, brand.id, { plan: "free" });
  assertEquals(await read(), { allowance: 10, used: 25, remaining: 0 });
});

Deno.test("a debit of more than the remaining credits takes none", async () => {
  await using t = await testService();
  const { kv, now } = t.service;
  const { brand } = await t.brand("free");
  const debit = (count: number) =>
    transact(kv, (commit) => debitCredits(commit, brand, now(), count));
  await debit(7);
  const refusal = await assertRejects(() => debit(4), ServiceError);
  assertEquals((refusal as ServiceError).code, "creditsExhausted");
  assertEquals((await readCredits(kv, brand, now())).used, 7);
  await debit(3);
});

Deno.test("50 concurrent debits never overdraw", async () => {
  await using t = await testService();
  const { kv, now } = t.service;
  const { brand } = await t.brand("free");
  const debits = Array.from(
    { length: 50 },
    () => transact(kv, (commit) => debitCredits(commit, brand, now(), 1)).then(() => 1, () => 0),
  );
  const taken = (await Promise.all(debits)).reduce((sum: number, one) => sum + one, 0);
  assertEquals(taken, 10);
  assertEquals(await readCredits(kv, brand, now()), { allowance: 10, used: 10, remaining: 0 });
});

Deno.test("an unknown cast member is refused as such, even without credits", async () => {
  await using t = await testService();
  const { kv, now } = t.service;
  const { brand, secret } = await t.brand("free");
  await transact(kv, (commit) => debitCredits(commit, brand, now(), 10));
  assertEquals((await post(t, secret)).status, 402);
  const castMemberId = "cst_00000000000000000000000000";
  const { status, creation } = await post(t, secret, { castMemberId });
  assertEquals([status, creation.error.code], [400, "validationError"]);
});

Deno.test("a credit that retries a slot's image counts against the series' budget", async () => {
  const { imageModel } = breakable();
  await using t = await testService({ dependencies: { imageModel } });
  const { create, items, pass, call, act } = await seriesKit(t);
  const { id } = await create({ ...AUTOPILOT, postsPerWeek: 7, creditBudgetMonthly: 2 });
  await pass();
  const [held] = await items(id);
  for (let retry = 0; retry <= FREE_RETRIES; retry++) {
    assertEquals((await call("POST", `/v1/creations/${held.creations[0].id}/retry`)).status, 202);
    await t.worker.drain();
  }
  await act(id, held.id, "regenerate");
  await pass();
  const [again] = await items(id);
  assertEquals(again.status, "held");
  assertStringIncludes(again.error, "creditBudgetMonthly");
});

Deno.test("a grant adds to its UTC month only", async () => {
  await using t = await testService({ at: Date.parse("2026-12-31T23:59:58Z") });
  const { brand, secret } = await t.brand("free");
  await grantCredits(t.service, brand, 5);
  const granted = await COMMANDS["credits grant"]!(t.service, { brand: brand.id, amount: "10" });
  assertEquals(granted, { allowance: 25, used: 0, remaining: 25 });
  t.turn(1_000);
  const read = async () => await (await t.call(secret, "/v1/credits")).json();
  assertEquals(await read(), { allowance: 10, used: 0, remaining: 10 });
});

Deno.test("a grant needs a whole positive amount and a known brand", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const grant = (flags: Record<string, string>) => COMMANDS["credits grant"]!(t.service, flags);
  for (const amount of ["0", "-1", "1.5", "x", ""]) {
    await assertRejects(async () => await grant({ brand: brand.id, amount }), UsageError);
  }
  await assertRejects(async () => await grant({ brand: "brd_x", amount: "1" }), ServiceError);
});
