/**
 * The people of a brand. The account that the brand belongs to is always an owner; all others are in one
 * row of the brand, so that a commit which changes one of them has seen them all.
 */
import type { Account } from "./accounts.ts";
import { type Brand, brandKey, handOver, listAccountBrands, requireBrand } from "./brands.ts";
import { noSuch, ServiceError } from "../foundation/errors.ts";
import { iso } from "../foundation/calendar.ts";
import { type Acting, type Action, audit } from "../kv/audit.ts";
import { type Commit, getEach, type Reader, reader, transact } from "../kv/transact.ts";
import { keysThatManage } from "./keys.ts";
import type { Role } from "./roles.ts";
import { withdrawInvitesOf } from "./invites.ts";

export interface Member {
  accountId: string;
  role: Role;
  /** ISO 8601. */
  since: string;
}

/** A member with what is shown of the account. */
export interface Person extends Member {
  /** Null for an account without a sign-in. */
  email: string | null;
}

/** People in a brand beside the account that it belongs to. */
const MOST_MEMBERS = 50;

const membersKey = (brandId: string): Deno.KvKey => ["members", brandId];
/** Where an account's brands are found that belong to other accounts. */
const accountMemberKey = (accountId: string, brandId: string): Deno.KvKey => [
  "accountMember",
  accountId,
  brandId,
];

async function readMembers(from: Reader, brandId: string): Promise<Member[]> {
  return await from.get<Member[]>(membersKey(brandId)) ?? [];
}

/** The account's role in the brand, or null. */
export async function roleIn(from: Reader, brand: Brand, accountId: string): Promise<Role | null> {
  if (brand.accountId === accountId) return "owner";
  return roleAmong(await readMembers(from, brand.id), accountId);
}

const roleAmong = (members: Member[], accountId: string): Role | null =>
  members.find((member) => member.accountId === accountId)?.role ?? null;

/** All brands in which the account has a role, oldest first, with the role. */
export async function brandsOf(
  kv: Deno.Kv,
  accountId: string,
): Promise<{ brand: Brand; role: Role }[]> {
  const ids: string[] = [];
  for await (const { key } of kv.list({ prefix: ["accountMember", accountId] })) {
    ids.push(String(key[2]));
  }
  const [own, brands, members] = await Promise.all([
    listAccountBrands(kv, accountId),
    getEach<Brand>(kv, ids.map(brandKey)),
    getEach<Member[]>(kv, ids.map(membersKey)),
  ]);
  const found: { brand: Brand; role: Role }[] = own.map((brand) => ({ brand, role: "owner" }));
  for (const [n, brand] of brands.entries()) {
    const role = roleAmong(members[n] ?? [], accountId);
    if (brand !== null && role !== null) found.push({ brand, role });
  }
  return found.sort((a, b) => a.brand.id < b.brand.id ? -1 : 1);
}

/** The people of a brand: first the account that it belongs to, then the others as they came. */
export async function listPeople(kv: Deno.Kv, brand: Brand): Promise<Person[]> {
  const owner: Member = { accountId: brand.accountId, role: "owner", since: brand.createdAt };
  const all = [owner, ...await readMembers(reader(kv), brand.id)];
  const accounts = await getEach<Account>(kv, all.map(({ accountId }) => ["account", accountId]));
  return all.map((member, n) => ({ ...member, email: accounts[n]?.email ?? null }));
}

/**
 * Adds a member in `commit`.
 * @throws ServiceError `conflict` for somebody who is there already, or when the brand is full
 */
export async function addMember(
  commit: Commit,
  acting: Pick<Acting, "now" | "by">,
  brand: Brand,
  { accountId, role }: Pick<Member, "accountId" | "role">,
): Promise<void> {
  const members = await readMembers(commit, brand.id);
  const has = brand.accountId === accountId ? "owner" : roleAmong(members, accountId);
  if (has !== null) {
    throw new ServiceError("conflict", `You are in this brand already, as ${has}.`);
  }
  if (members.length >= MOST_MEMBERS) {
    throw new ServiceError("conflict", `A brand has room for ${MOST_MEMBERS} people. Remove one.`);
  }
  const member: Member = { accountId, role, since: iso(acting.now()) };
  commit.set(membersKey(brand.id), [...members, member]);
  commit.set(accountMemberKey(accountId, brand.id), null);
  note(commit, acting, "member.joined", brand.id, member);
}

/**
 * Gives a person another role; an owner who is the last one keeps it.
 * @throws ServiceError `notFound`, `conflict`
 */
export function changeRole(
  acting: Acting,
  brandId: string,
  accountId: string,
  role: Role,
): Promise<void> {
  return transact(acting.kv, async (commit) => {
    const { members, member } = await takeOut(commit, acting.kv, brandId, accountId, role);
    if (member.role === role) return;
    commit.set(membersKey(brandId), [...members, { ...member, role }]);
    commit.set(accountMemberKey(accountId, brandId), null);
    note(commit, acting, "member.changed", brandId, { accountId, role });
  });
}

/**
 * Removes a person; the next request of an open session has no way in any more.
 * @throws ServiceError `notFound`, `conflict` for the last owner
 */
export function removeMember(acting: Acting, brandId: string, accountId: string): Promise<void> {
  return transact(acting.kv, async (commit) => {
    const { members, member } = await takeOut(commit, acting.kv, brandId, accountId, null);
    commit.set(membersKey(brandId), members);
    commit.delete(accountMemberKey(accountId, brandId));
    note(commit, acting, "member.removed", brandId, member);
  });
}

/** The person as they are, and the others as they are without them. */
async function takeOut(
  commit: Commit,
  kv: Deno.Kv,
  brandId: string,
  accountId: string,
  next: Role | null,
): Promise<{ members: Member[]; member: Member }> {
  const brand = await requireBrand(commit, brandId);
  const members = await readMembers(commit, brandId);
  const rest = members.filter((member) => member.accountId !== accountId);
  const isFirst = brand.accountId === accountId;
  const member: Member | undefined = isFirst
    ? { accountId, role: "owner", since: brand.createdAt }
    : members.find((one) => one.accountId === accountId);
  if (member === undefined) throw noSuch("person");
  if (member.role === next) return { members: rest, member };
  // Whoever may invite no more has no open invitation that would let them in again.
  if (member.role === "owner") await withdrawInvitesOf(commit, brandId, accountId);
  if (!isFirst) return { members: rest, member };
  const heir = rest.find(({ role }) => role === "owner");
  if (heir === undefined) {
    throw new ServiceError(
      "conflict",
      "A brand needs an owner, and this is the last one. Make somebody else an owner first.",
    );
  }
  await requireNoKeysThatManage(commit, kv, brandId);
  await handOver(kv, commit, brand, heir.accountId);
  commit.delete(accountMemberKey(heir.accountId, brandId));
  return { members: rest.filter((one) => one !== heir), member };
}

/** A key that manages brands reaches all of the account's, so it must not pass to another account. */
async function requireNoKeysThatManage(commit: Commit, kv: Deno.Kv, brandId: string) {
  const names = await keysThatManage(commit, kv, brandId);
  if (names.length === 0) return;
  throw new ServiceError(
    "conflict",
    `Revoke the keys that may manage brands first: ${names.join(", ")}. They would reach the ` +
      "brands of the next owner.",
  );
}

function note(
  commit: Commit,
  acting: Pick<Acting, "now" | "by">,
  action: Action,
  brandId: string,
  { accountId, role }: Pick<Member, "accountId" | "role">,
): void {
  audit(commit, acting, { action, of: brandId, subject: accountId, details: { role } });
}

/** Where the store has rows of the brand's people that are found by the account's id. */
export async function memberRows(kv: Deno.Kv, brandId: string): Promise<Deno.KvKey[]> {
  const members = await readMembers(reader(kv), brandId);
  return members.map(({ accountId }) => accountMemberKey(accountId, brandId));
}
