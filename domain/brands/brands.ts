/** Brands: the tenants. An API key belongs to one brand; an account owns any number. */
import { z } from "zod";
import { newAccount } from "./accounts.ts";
import { noSuch, ServiceError } from "../foundation/errors.ts";
import { isId, newId } from "../foundation/ids.ts";
import { type Acting, audit } from "../kv/audit.ts";
import { type Commit, getEach, listValues, type Reader, transact } from "../kv/transact.ts";
import { touchCount } from "./meter/touch.ts";
import { Plan } from "./plans.ts";
import { text } from "../foundation/text.ts";

export const BrandName = text(120);

export const Brand = z.object({
  id: z.string(),
  name: z.string(),
  plan: Plan,
  accountId: z.string(),
  createdAt: z.iso.datetime(),
});
export type Brand = z.output<typeof Brand>;

/** Brands of an account (DECISIONS "Bounds"). Each has credits of its own. */
const MOST_BRANDS = 20;

export const BRANDS = "brand";
export const brandKey = (id: string): Deno.KvKey => [BRANDS, id];
const accountBrandKey = (accountId: string, id: string) => ["accountBrand", accountId, id];

export interface NewBrand {
  name: string;
  plan: Plan;
  /** The owner. Absent: a new account without a sign-in. */
  accountId?: string | undefined;
}

export function createBrand(acting: Acting, input: NewBrand): Promise<Brand> {
  const { kv, now } = acting;
  return transact(kv, async (commit) => {
    const accountId = input.accountId ?? newAccount(commit, now()).id;
    if (input.accountId !== undefined) await requireRoomFor(kv, commit, accountId);
    const brand = addBrand(commit, now(), { ...input, accountId });
    const details = { plan: brand.plan };
    audit(commit, acting, { action: "brand.created", of: brand.id, subject: brand.id, details });
    return brand;
  });
}

/**
 * Checks that the account exists and may have another brand. The account is written as well, so of two
 * commits that add a brand to it at the same time one is tried again.
 */
async function requireRoomFor(kv: Deno.Kv, commit: Commit, accountId: string): Promise<void> {
  const key = ["account", accountId];
  const account = await commit.get(key);
  if (account === null) throw noSuch("account");
  const { length } = await listValues(kv, ["accountBrand", accountId], { limit: MOST_BRANDS });
  if (length >= MOST_BRANDS) {
    throw new ServiceError(
      "validationError",
      `An account may have at most ${MOST_BRANDS} brands.`,
    );
  }
  commit.set(key, account);
}

/** Adds a brand to `commit`. The caller has checked its account. */
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

/** Changes name or plan at once. Requests and credits used this month stay counted. */
export function updateBrand(acting: Acting, id: string, change: BrandChange): Promise<Brand> {
  return transact(acting.kv, async (commit) => {
    const stored = await requireBrand(commit, id);
    const brand = { ...stored, name: change.name ?? stored.name, plan: change.plan ?? stored.plan };
    commit.set(brandKey(id), brand);
    await touchCount(commit, id);
    const details = brand.plan === stored.plan
      ? undefined
      : { planBefore: stored.plan, plan: brand.plan };
    audit(commit, acting, { action: "brand.changed", of: id, subject: id, details });
    return brand;
  });
}

/**
 * Gives the brand to another account in `commit`, from where it counts among that account's brands.
 * @throws ServiceError `validationError` if that account has as many brands as it may
 */
export async function handOver(
  kv: Deno.Kv,
  commit: Commit,
  brand: Brand,
  accountId: string,
): Promise<void> {
  await requireRoomFor(kv, commit, accountId);
  commit.set(brandKey(brand.id), { ...brand, accountId });
  commit.delete(accountBrandKey(brand.accountId, brand.id));
  commit.set(accountBrandKey(accountId, brand.id), null);
  await touchCount(commit, brand.id);
}

/** Deletes the brand's own record in `commit`. From then on its keys are refused in every process. */
export async function removeBrand(commit: Commit, { id, accountId }: Brand): Promise<void> {
  commit.delete(brandKey(id));
  commit.delete(accountBrandKey(accountId, id));
  await touchCount(commit, id);
}

/** @throws ServiceError `notFound` */
export async function requireBrand(from: Reader, id: string): Promise<Brand> {
  const brand = isId("brand", id) ? await from.get<Brand>(brandKey(id)) : null;
  if (brand === null) throw noSuch("brand");
  return brand;
}

/** Every brand, oldest first. */
export function listBrands(kv: Deno.Kv): Promise<Brand[]> {
  return listValues<Brand>(kv, [BRANDS]);
}

/** The account's brands, oldest first. */
export async function listAccountBrands(kv: Deno.Kv, accountId: string): Promise<Brand[]> {
  const keys: Deno.KvKey[] = [];
  for await (const entry of kv.list({ prefix: ["accountBrand", accountId] })) {
    keys.push(brandKey(String(entry.key[2])));
  }
  return (await getEach<Brand>(kv, keys)).filter((brand) => brand !== null);
}
