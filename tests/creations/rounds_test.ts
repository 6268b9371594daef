/** How often a creation waits for the store: over a network each round costs its whole delay. */
import { assertEquals } from "@std/assert";
import { countCalls } from "../support/kv_calls.ts";
import { testService } from "../support/service.ts";

const BODY = { prompt: "A quiet harbour at dawn", idea: "harbour", aspectRatio: "portrait" };

Deno.test("POST /v1/creations takes three rounds to the store, with everything in it", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const cast = { name: "Mara", lookPrompt: "A baker of sixty." };
  const member = await (await t.call(secret, "/v1/cast-members", { method: "POST", body: cast }))
    .json();
  const body = { ...BODY, castMemberId: member.id };
  const calls = countCalls(t.service.kv);
  for (const key of ["first", "second"]) {
    const before = { ...calls };
    const headers = { "idempotency-key": key };
    const answer = await t.call(secret, "/v1/creations", { method: "POST", body, headers });
    assertEquals(answer.status, 202);
    await answer.json();
    // The meter's commit; what the creation depends on; the creation's commit.
    const taken = [calls.rounds - before.rounds, calls.reads - before.reads];
    assertEquals([...taken, calls.commits - before.commits], [3, 1, 2], key);
  }
});
