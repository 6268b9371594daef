/** The first thing to run after a change: one key, one brand, a few answers. */
import { assertEquals } from "@std/assert";
import { testService } from "./service.ts";

Deno.test("a key opens its brand's posts and the answer says what is left", async () => {
  await using t = await testService();
  const { secret } = await t.brand("free");
  const answer = await t.request(secret, "/v1/posts");
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("x-ratelimit-remaining"), "0");
  assertEquals(answer.headers.get("x-quota-remaining"), "499");
  assertEquals((await t.request(secret, "/v1/posts")).status, 429);
  assertEquals((await t.call(secret, "/v1/posts?perPage=0")).status, 400);
  assertEquals((await t.call(secret, "/v1/nothing")).status, 404);
  assertEquals((await t.call(null, "/v1/nothing")).status, 401);
  assertEquals((await t.call(secret, "/v1/posts", { method: "PUT" })).status, 405);
});
