/**
 * Types from the schema of an operation to the sentence of its tool. `deno check` is the test: each
 * `@ts-expect-error` fails it as soon as the mistake beneath compiles.
 */
import { assertEquals } from "@std/assert";
import { z } from "zod";
import { listAssets } from "../../domain/operations/assets.ts";
import { perform } from "../../domain/operations/gate.ts";
import {
  type AnyOperation,
  operation,
  Replayed,
  type Value,
} from "../../domain/operations/operation.ts";
import { HINTS, tool, withScopes } from "../../mcp/tool.ts";
import { onSlot } from "../../mcp/merged.ts";
import { TABLE } from "../../routes/table.ts";
import { testService } from "../support/service.ts";

const declared = {
  group: "Posts",
  summary: "Count to a number.",
  scopes: ["postsRead"],
  costs: "nothing",
  errors: [],
  input: z.object({ to: z.int() }),
  output: z.object({ count: z.int() }),
} as const;
const words = { title: "A tool", hints: HINTS.read };

const counting = operation({
  ...declared,
  id: "counting",
  run: (_, { to }) => Promise.resolve({ count: to }),
});

Deno.test("an operation must return what its output says, and read only what its input has", () => {
  operation({
    ...declared,
    id: "wrongValue",
    // @ts-expect-error: `count` is a number
    run: (_, { to }) => Promise.resolve({ count: `${to}` }),
  });
  operation({
    ...declared,
    id: "wrongReplay",
    // @ts-expect-error: also in an answer that repeats another
    run: (_, { to }) => Promise.resolve(new Replayed({ count: `${to}` })),
  });
  operation({
    ...declared,
    id: "wrongInput",
    // @ts-expect-error: the input has no `from`
    run: (_, { from }) => Promise.resolve({ count: from }),
  });
  operation({
    ...declared,
    id: "nothing",
    output: null,
    // @ts-expect-error: an operation without output returns nothing
    run: () => Promise.resolve({ count: 1 }),
  });
});

Deno.test("a tool's sentence and pictures get what its operation returns, and nothing else", () => {
  tool({ ...words, operation: counting, say: ({ count }) => count.toFixed() });
  tool({
    ...words,
    operation: listAssets,
    // @ts-expect-error: a list has no `name`
    say: ({ name }) => name,
  });
  tool({
    ...words,
    operation: withScopes(listAssets, ["createRead"]),
    // @ts-expect-error: `data` holds assets, which have no `caption`
    say: ({ data }) => data.map(({ caption }) => caption).join(),
  });
  tool({
    ...words,
    operation: counting,
    // @ts-expect-error: more than the operation returns
    say: ({ count }: { count: number; name: string }) => `${count}`,
  });
  tool({
    ...words,
    operation: onSlot(counting, counting),
    say: ({ count }) => `${count}`,
    // @ts-expect-error: the count is no picture
    pictures: ({ count }) => [count],
  });
});

Deno.test("an operation of the table runs only by way of the gate", () => {
  const one: AnyOperation = counting;
  // @ts-expect-error: nobody has an input of type `never`
  const run = (context: Parameters<typeof one.run>[0]) => one.run(context, { to: 1 });
  assertEquals(typeof run, "function");
});

Deno.test("performing a declared operation returns its own type, one of the table any", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const { caller } = await t.service.meter.admit(secret, "nothing");
  const client = { signal: new AbortController().signal, address: null };
  const { value } = await perform(t.service, caller, counting, () => ({ to: 3 }), client);
  const count: number = value.count;
  assertEquals(count, 3);
  // @ts-expect-error: the answer has no `total`
  assertEquals(value.total, undefined);
  const [, , fromTable] = TABLE[0]!;
  const any = await perform(t.service, caller, fromTable, () => ({}), client);
  // @ts-expect-error: whose answer it is, is not known
  assertEquals(any.value.data, []);
});

Deno.test("an operation without output has no value", () => {
  const none = operation({ ...declared, id: "none", output: null, run: () => Promise.resolve() });
  const value: Value<typeof none.output> = undefined;
  assertEquals(value, undefined);
});
