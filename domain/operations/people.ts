/**
 * What only people do, in Studio: keys, uploads in one step, the primary logo, disconnecting. Keys and
 * agents have no path to these, because no table of a face names them.
 */
import { z } from "zod";
import { Budgets } from "../brands/budgets.ts";
import { createApiKey, listApiKeys, revokeApiKey, Scope } from "../brands/keys.ts";
import { changeKit as change, KitChange, readKit } from "../brands/kit.ts";
import { readMonth } from "../brands/meter/meter.ts";
import { invalid, notFound } from "../foundation/errors.ts";
import { text } from "../foundation/text.ts";
import { reader } from "../kv/transact.ts";
import { Asset, AssetKind, showAsset } from "../creations/assets/shape.ts";
import { choosePrimaryLogo } from "../creations/assets/shelf.ts";
import { addFromBytes } from "../creations/assets/uploads.ts";
import { listSocialAccounts } from "../platforms/accounts.ts";
import { disconnectAccount } from "../platforms/disconnect.ts";
import { type Context, operation } from "./operation.ts";
import { reachesAll, requireOwnBrands } from "./own_brands.ts";

const ById = z.object({ id: z.string() });

export const uploadAsset = operation({
  id: "uploadAsset",
  group: "Assets",
  summary: "Add an image to the library from the bytes of a form.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["serviceUnavailable"],
  input: z.object({ kind: AssetKind, name: text(120), bytes: z.instanceof(Uint8Array) }),
  output: Asset,
  run: async (context, { kind, name, bytes }) => {
    const { id } = context.brand;
    const details = { kind, name, isPrimary: false };
    const asset = await addFromBytes(context, id, details, new Uint8Array(bytes));
    return await showAsset(context, id, asset);
  },
});

export const makePrimary = operation({
  id: "makePrimary",
  group: "Assets",
  summary: "Make a logo the one that overlays show.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["notFound"],
  input: ById,
  output: null,
  run: (context, { id }) => choosePrimaryLogo(context, context.brand.id, id),
});

const KeyShown = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(Scope),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  lastUsedAt: z.string().nullable(),
  budgets: Budgets.nullable(),
  isApp: z.boolean().describe("Whether it is an app that a person let in."),
});

export const listKeys = operation({
  id: "listKeys",
  group: "Keys",
  summary: "List the brand's active API keys, oldest first.",
  scopes: ["brandsWrite"],
  costs: "nothing",
  errors: [],
  input: z.object({}),
  output: z.object({
    data: z.array(KeyShown),
    scopes: z.array(Scope).describe("Those that a new key may have."),
  }),
  run: async (context) => {
    const keys = await listApiKeys(context.kv, context.brand.id);
    const active = keys.filter(({ revokedAt }) => revokedAt === null);
    return {
      data: active.map((key) => {
        const { id, name, prefix, scopes, createdAt, lastUsedAt } = key;
        const { budgets = null, expiresAt = null } = key;
        const shown = { id, name, prefix, scopes, createdAt, lastUsedAt, budgets, expiresAt };
        return { ...shown, isApp: !!key.app };
      }),
      scopes: Scope.options.filter((scope) => scope !== "brandsWrite" || reachesAll(context)),
    };
  },
});

export const createKey = operation({
  id: "createKey",
  group: "Keys",
  summary: "Create an API key. Only this answer has the secret.",
  scopes: ["brandsWrite"],
  costs: "nothing",
  errors: ["conflict", "forbidden"],
  input: z.object({
    name: text(120),
    scopes: z.array(Scope).min(1),
    budgets: Budgets.nullable().default(null),
    expiresAt: z.iso.datetime().nullable().default(null),
  }),
  output: z.object({ name: z.string(), secret: z.string() }),
  run: async (context, { name, scopes, budgets, expiresAt }) => {
    requireOwnBrands(context, scopes);
    if (expiresAt !== null && Date.parse(expiresAt) <= context.now()) {
      throw invalid("expiresAt", "must be after now");
    }
    const wanted = { brandId: context.brand.id, name, scopes, budgets, expiresAt };
    const { secret } = await createApiKey(context, wanted);
    return { name, secret };
  },
});

export const revokeKey = operation({
  id: "revokeKey",
  group: "Keys",
  summary: "Revoke an API key of the brand.",
  scopes: ["brandsWrite"],
  costs: "nothing",
  errors: ["notFound"],
  input: ById,
  output: null,
  run: async (context, { id }) => {
    const keys = await listApiKeys(context.kv, context.brand.id);
    if (!keys.some((key) => key.id === id)) throw notFound("key");
    await revokeApiKey(context, id);
  },
});

export const getUsage = operation({
  id: "getUsage",
  group: "Brands",
  summary: "Read the requests of the month and whether the webhook still works.",
  scopes: ["brandsWrite"],
  costs: "nothing",
  errors: [],
  input: z.object({}),
  output: z.object({ requests: z.int(), webhookIsOff: z.boolean() }),
  run: async ({ kv, brand, now }) => {
    const [requests, kit] = await Promise.all([
      readMonth(kv, brand.id, now()),
      readKit(reader(kv), brand.id),
    ]);
    return { requests, webhookIsOff: kit.webhook !== null && kit.webhookStatus === "off" };
  },
});

export const changeKit = operation({
  id: "changeKit",
  group: "Brand kit",
  summary: "Change fields of the brand kit; what is left out stays as it is.",
  scopes: ["createWrite"],
  costs: "nothing",
  errors: [],
  input: KitChange,
  output: null,
  run: async (context, input) => void await change(context, context.brand.id, input),
});

export const disconnect = operation({
  id: "disconnectAccount",
  group: "Accounts",
  summary: "Disconnect an account. Its posts, series and their history stay.",
  scopes: ["brandsWrite"],
  costs: "nothing",
  errors: ["notFound"],
  input: ById,
  output: z.object({ handle: z.string(), note: z.string().nullable() }),
  run: async (context, { id }) => {
    await requireOwn(context, id);
    const { handle, note } = await disconnectAccount(context, id);
    return { handle, note };
  },
});

async function requireOwn({ kv, brand }: Context, id: string): Promise<void> {
  const own = await listSocialAccounts(kv, brand.id);
  if (!own.some((account) => account.id === id)) throw notFound("account");
}
