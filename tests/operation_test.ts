/** What an operation may rely on: its input has passed its own schema and no other's. */
import { assertEquals, assertRejects } from "@std/assert";
import { z } from "zod";
import { ServiceError } from "../domain/errors.ts";
import { type Operation, operation, perform } from "../domain/operation.ts";
import { testService } from "./service.ts";

/** Answers the input that it is given. */
function echo(input: z.ZodObject): Operation {
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

Deno.test("an input that comes again is checked by each operation that it is given to", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const { caller } = await t.service.meter.admit(secret, "nothing");
  const client = { signal: new AbortController().signal };
  const five = echo(z.object({ perPage: z.int().default(5) }));
  const nine = echo(z.object({ perPage: z.int().default(9) }));
  const raw = Object.freeze({});
  for (const [asked, perPage] of [[five, 5], [nine, 9], [five, 5]] as const) {
    const { value } = await perform(t.service, caller, asked, () => raw, client);
    assertEquals(value, { perPage });
  }
});

Deno.test("a choice that is missing is said to be required, a wrong one what it may be", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const { caller } = await t.service.meter.admit(secret, "nothing");
  const client = { signal: new AbortController().signal };
  const asked = echo(z.object({ mode: z.enum(["one", "two"]) }));
  const cases = [[{}, "mode: is required"], [{ mode: "x" }, "mode: must be one of one, two"]];
  for (const [raw, words] of cases) {
    const answer = perform(t.service, caller, asked, () => raw, client);
    assertEquals((await assertRejects(() => answer, ServiceError)).message, words);
  }
});
