/** Brands: the tenants. A key opens one; an account owns them. */
import { z } from "zod";
import { newAccount } from "./accounts.ts";
import type { Now } from "./clock.ts";
import { noSuch } from "./errors.ts";
import { isId, newId } from "./ids.ts";
import { type Commit, getEach, listValues, transact } from "./kv.ts";
import { touchCount } from "./meter/count.ts";
import { Plan } from "./plans.ts";
import { text } from "./text.ts";

export const BrandName = text(120);

export const Brand = z.object({
  id: z.string(),
  name: z.string(),
  plan: Plan,
  accountId: z.string(),
  createdAt: z.iso.datetime(),
});
export type Brand = z.output<typeof Brand>;

export const brandKey = (id: string): Deno.KvKey => ["brand", id];
const accountBrandKey = (accountId: string, id: string) => ["accountBrand", accountId, id];

export interface NewBrand {
  name: string;
  plan: Plan;
  /** Owner; a brand without one gets an account of its own. */
  accountId?: string | undefined;
}

export function createBrand(kv: Deno.Kv, now: Now, input: NewBrand): Promise<Brand> {
  return transact(kv, async (commit) => {
    const accountId = input.accountId ?? newAccount(commit, now()).id;
    if (input.accountId !== undefined && !(await commit.get(["account", accountId]))) {
      throw noSuch("account");
    }
    return addBrand(commit, now(), { ...input, accountId });
  });
}

/** Adds a brand to `commit`, which knows its account. */
export function addBrand(
  commit: Commit,
  at: number,
  { name, plan, accountId }: NewBrand & { accountId: string },
): Brand {
  const createdAt = new Date(at).toISOString();
  const brand: Brand = { id: newId("brand", at), name, plan, accountId, createdAt };
  commit.set(brandKey(brand.id), brand);
  commit.set(accountBrandKey(accountId, brand.id), null);
  return brand;
}

export interface BrandChange {
  name?: string | undefined;
  plan?: Plan | undefined;
}

/** Changes name or plan at once; what was used stays used. */
export function updateBrand(kv: Deno.Kv, id: string, change: BrandChange): Promise<Brand> {
  return transact(kv, async (commit) => {
    const stored = await requireBrand(commit, id);
    const brand = { ...stored, name: change.name ?? stored.name, plan: change.plan ?? stored.plan };
    commit.set(brandKey(id), brand);
    await touchCount(commit, id);
    return brand;
  });
}

export async function requireBrand(commit: Commit, id: string): Promise<Brand> {
  const brand = isId("brand", id) ? await commit.get<Brand>(brandKey(id)) : null;
  if (brand === null) throw noSuch("brand");
  return brand;
}

/** The brand, or a refusal `notFound`. */
export async function readBrand(kv: Deno.Kv, id: string): Promise<Brand> {
  const brand = isId("brand", id) ? (await kv.get<Brand>(brandKey(id))).value : null;
  if (brand === null) throw noSuch("brand");
  return brand;
}

/** Every brand, oldest first. */
export function listBrands(kv: Deno.Kv): Promise<Brand[]> {
  return listValues<Brand>(kv, ["brand"]);
}

/** The brands that an account owns, oldest first. */
export async function listAccountBrands(kv: Deno.Kv, accountId: string): Promise<Brand[]> {
  const keys: Deno.KvKey[] = [];
  for await (const entry of kv.list({ prefix: ["accountBrand", accountId] })) {
    keys.push(brandKey(String(entry.key[2])));
  }
  return (await getEach<Brand>(kv, keys)).filter((brand) => brand !== null);
}
