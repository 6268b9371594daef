/** Promises of a commit: what it reads is checked, and what it has written is what it reads. */
import { assertEquals } from "@std/assert";
import { transact } from "../../domain/kv/transact.ts";
import { testService } from "../support/service.ts";

Deno.test("a commit reads what it has written and deleted, and still checks what stood before", async () => {
  await using t = await testService();
  const { kv } = t.service;
  await kv.set(["count"], 1);
  await kv.set(["gone"], true);
  let attempts = 0;
  await transact(kv, async (commit) => {
    for (let times = 0; times < 3; times++) {
      commit.set(["count"], (await commit.get<number>(["count"]))! + 1);
    }
    commit.delete(["gone"]);
    assertEquals(await commit.get(["gone"]), null);
    // Another writer comes in between, once.
    if (attempts++ === 0) await kv.set(["count"], 10);
  });
  assertEquals([attempts, (await kv.get(["count"])).value], [2, 13]);
});
