/** What agents are told while the store is away. */
import { assertEquals, assertMatch } from "@std/assert";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { testService } from "../support/service.ts";

Deno.test("a call whose key can't be looked up is refused with the id of its request", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  t.service.meter.knows = () => Promise.reject(new ServiceError("serviceUnavailable", "Away."));
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_key" } };
  const answer = await t.call(secret, "/mcp", { method: "POST", body: call });
  assertEquals(answer.status, 503);
  assertMatch(answer.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  assertEquals((await answer.json()).error.code, "serviceUnavailable");
});
