/** Joining a brand with an invitation: as somebody who has an account, or with a new one. */
import { ServiceError } from "../foundation/errors.ts";
import { sha256 } from "../foundation/secrets.ts";
import { type Acting, audit, type By } from "../kv/audit.ts";
import { reader, transact } from "../kv/transact.ts";
import { type Account, accountIdOf, addAccount } from "./accounts.ts";
import { type Brand, requireBrand } from "./brands.ts";
import { inviteIsOver, readInvite, useInvite } from "./invites.ts";
import { addMember } from "./members.ts";
import type { Passwords } from "./passwords.ts";
import type { Role } from "./roles.ts";

/** Which brand, with which link. */
export interface Invitation {
  brandId: string;
  token: string;
}

/** What the link offers. @throws ServiceError `forbidden` for a link that is over */
export async function readOffer(
  service: Pick<Acting, "kv" | "now">,
  { brandId, token }: Invitation,
): Promise<{ brand: Brand; role: Role }> {
  const invite = await readInvite(service, brandId, token);
  if (invite === null) throw inviteIsOver();
  return { brand: await requireBrand(reader(service.kv), brandId), role: invite.role };
}

/** @throws ServiceError `forbidden` for a link that is over, `conflict` for somebody who is there */
export async function join(
  acting: Acting,
  { brandId, token }: Invitation,
  accountId: string,
): Promise<void> {
  const hash = await sha256(token);
  await transact(acting.kv, async (commit) => {
    const brand = await requireBrand(commit, brandId);
    const { role } = await useInvite(commit, acting.now, brandId, hash);
    await addMember(commit, acting, brand, { accountId, role });
  });
}

/**
 * Makes the account and joins, in one commit.
 * @throws ServiceError `forbidden` for a link that is over, `conflict` for an email with an account
 */
export async function joinAnew(
  acting: Acting & { passwords: Passwords },
  { brandId, token }: Invitation,
  { email, password }: { email: string; password: string },
): Promise<Account> {
  const { kv, now, by, passwords } = acting;
  if (await readInvite(acting, brandId, token) === null) throw inviteIsOver();
  // Before the hash, which costs much.
  if (await accountIdOf(reader(kv), email) !== null) throw hasAccount();
  const hash = await sha256(token);
  const hashed = await passwords.hash(password);
  return await transact(kv, async (commit) => {
    const brand = await requireBrand(commit, brandId);
    if (await accountIdOf(commit, email) !== null) throw hasAccount();
    const { role } = await useInvite(commit, now, brandId, hash);
    const account = addAccount(commit, now(), email, hashed);
    const { id } = account;
    const self: By = { ...by, actor: { kind: "account", id, email } };
    audit(commit, { now, by: self }, { action: "account.created", of: id, subject: id });
    await addMember(commit, { now, by: self }, brand, { accountId: id, role });
    return account;
  });
}

function hasAccount(): ServiceError {
  return new ServiceError(
    "conflict",
    "An account with that email exists already. Sign in with it below to join.",
  );
}
