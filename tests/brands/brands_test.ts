/** Brands of an account: how many there may be, and how they are listed. */
import { assertEquals, assertRejects } from "@std/assert";
import { createBrand, listAccountBrands } from "../../domain/brands/brands.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { connectClient } from "../support/mcp_client.ts";
import { type TestService, testService } from "../support/service.ts";

function add({ service }: TestService, accountId: string) {
  return createBrand(service, { name: "B", plan: "free", accountId });
}

Deno.test("an account has at most 20 brands, also when they are made at the same time", async () => {
  await using t = await testService();
  const { kv } = t.service;
  const [one, other] = [(await t.brand()).brand.accountId, (await t.brand()).brand.accountId];
  for (let made = 0; made < 14; made++) await add(t, one);
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => add(t, one)));
  const refusals = results.filter(({ status }) => status === "rejected");
  assertEquals(refusals.length, 5);
  assertEquals((await listAccountBrands(kv, one)).length, 20);
  const error = await assertRejects(() => add(t, one), ServiceError, "at most 20 brands");
  assertEquals(error.code, "validationError");
  await add(t, other);
});

Deno.test("list_organizations gives a page and says how many there are", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  for (let made = 1; made < 20; made++) await add(t, brand.accountId);
  const client = await connectClient(t, secret);
  const call = async (name: string, args: Record<string, unknown>) => {
    t.turn(1_000);
    return await client.callTool({ name, arguments: args });
  };
  const list = async (args: Record<string, unknown>) =>
    (await call("list_organizations", args)).structuredContent as {
      data: { id: string }[];
      pagination: Record<string, number>;
    };
  const all = await list({});
  assertEquals(all.data.length, 20);
  assertEquals(all.pagination, { page: 1, perPage: 100, total: 20, pageCount: 1 });
  const second = await list({ page: 2, perPage: 8 });
  assertEquals(second.data, all.data.slice(8, 16));
  assertEquals(second.pagination, { page: 2, perPage: 8, total: 20, pageCount: 3 });
  assertEquals((await list({ page: 4, perPage: 8 })).data, []);
  const refused = await call("create_organization", { name: "One more" });
  assertEquals(refused.isError, true);
  assertEquals(
    (refused.structuredContent as { error: { code: string } }).error.code,
    "validationError",
  );
  await client.close();
});
