/** An operation can rely on its input: it was validated by this operation's schema and no other's. */
import { assertEquals, assertRejects } from "@std/assert";
import { z } from "zod";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { repeated } from "../../domain/foundation/repeats.ts";
import { perform } from "../../domain/operations/gate.ts";
import { type AnyOperation, operation } from "../../domain/operations/operation.ts";
import { testService } from "../support/service.ts";

/** Answers the input that it is given. */
function echo(input: z.ZodObject): AnyOperation {
  return operation({
    id: "echo",
    group: "Posts",
    summary: "Answer the input.",
    scopes: ["postsRead"],
    costs: "nothing",
    errors: [],
    input,
    output: z.unknown(),
    run: (_, given) => Promise.resolve(given),
  });
}

Deno.test("a repeated input is validated by each operation that gets it", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const { caller } = await t.service.meter.admit(secret, "nothing");
  const client = { signal: new AbortController().signal, address: null };
  const five = echo(z.object({ perPage: z.int().default(5) }));
  const nine = echo(z.object({ perPage: z.int().default(9) }));
  const raw = repeated({});
  for (const [asked, perPage] of [[five, 5], [nine, 9], [five, 5]] as const) {
    const { value } = await perform(t.service, caller, asked, () => raw, client);
    assertEquals(value, { perPage });
  }
});

Deno.test("the refusal of a missing choice says that it is required, of a wrong one what is allowed", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const { caller } = await t.service.meter.admit(secret, "nothing");
  const client = { signal: new AbortController().signal, address: null };
  const asked = echo(z.object({ mode: z.enum(["one", "two"]) }));
  const cases = [[{}, "mode: is required"], [{ mode: "x" }, "mode: must be one of one, two"]];
  for (const [raw, words] of cases) {
    const answer = perform(t.service, caller, asked, () => raw, client);
    assertEquals((await assertRejects(() => answer, ServiceError)).message, words);
  }
});
