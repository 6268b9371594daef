/** What the calling API key may do, and what is left of its budgets. */
import { z } from "zod";
import { Budgets, readLeft } from "../brands/budgets.ts";
import { Scope } from "../brands/keys.ts";
import { reader } from "../kv/transact.ts";
import { operation } from "./operation.ts";

const Key = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe("The secret's first characters."),
  brandId: z.string(),
  scopes: z.array(Scope),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  budgets: Budgets.nullable().describe("Null: only the scopes limit it."),
  left: z.object({
    publishesToday: z.int().nullable(),
    creditsToday: z.int().nullable(),
  }).nullable().describe("Until the UTC day ends; null without budgets."),
}).meta({ id: "Key" });

export const getKey = operation({
  id: "getKey",
  group: "Keys",
  summary: "Read the calling key: its scopes, budgets and what is left of them.",
  description: "Works with any scope, and outside the key's hours, too.",
  scopes: Scope.options,
  always: true,
  costs: "request",
  errors: [],
  input: z.object({}),
  output: Key,
  run: async ({ kv, key, now }) => {
    const { id, name, prefix, brandId, scopes, createdAt, expiresAt = null, budgets = null } = key;
    const left = await readLeft(reader(kv), key, now());
    return {
      ...{ id, name, prefix, brandId, scopes, createdAt, expiresAt, budgets },
      left: budgets === null
        ? null
        : { publishesToday: left.publishes, creditsToday: left.credits },
    };
  },
});
