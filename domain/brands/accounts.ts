/** Accounts: the people who sign in to the dashboard and own brands. */
import { z } from "zod";
import { noSuch, ServiceError } from "../foundation/errors.ts";
import { newId } from "../foundation/ids.ts";
import { type Acting, type Action, audit } from "../kv/audit.ts";
import { type Commit, type Reader, transact } from "../kv/transact.ts";
import type { Passwords } from "./passwords.ts";

export interface Account {
  id: string;
  /** Null for an account without a sign-in. */
  email: string | null;
  /** Its hash, see `passwords`. */
  password: string | null;
  createdAt: string;
  /** How often the account was signed out everywhere; absent: never. Ends its earlier sessions. */
  signOuts?: number;
}

/** The longest values of an account. */
export const LONGEST = { email: 254, password: 200 };
export const Email = z.email("must be an email address").max(LONGEST.email);
export const Password = z.string().min(8, "must be at least 8 characters").max(LONGEST.password);

const accountKey = (id: string): Deno.KvKey => ["account", id];
const emailKey = (email: string) => ["accountByEmail", email.toLowerCase()];

/** Adds an account without a sign-in to `commit`. */
export function newAccount(commit: Commit, at: number): Account {
  const account: Account = {
    id: newId("account", at),
    email: null,
    password: null,
    createdAt: new Date(at).toISOString(),
  };
  commit.set(accountKey(account.id), account);
  return account;
}

/** @throws ServiceError `conflict` if the email has an account already */
export async function createAccount(
  acting: Acting & { passwords: Passwords },
  input: { email: string; password: string },
): Promise<Account> {
  const { kv, now, passwords } = acting;
  const password = await passwords.hash(input.password);
  return await transact(kv, async (commit) => {
    if (await accountIdOf(commit, input.email) !== null) {
      throw new ServiceError("conflict", "An account with that email exists already.");
    }
    const account = addAccount(commit, now(), input.email, password);
    audit(commit, acting, { action: "account.created", of: account.id, subject: account.id });
    return account;
  });
}

/** The id of the account with that email, or null. */
export function accountIdOf(from: Reader, email: string): Promise<string | null> {
  return from.get<string>(emailKey(email));
}

/** The account, or null. */
export function readAccount(from: Reader, id: string): Promise<Account | null> {
  return from.get<Account>(accountKey(id));
}

/** The account with that email, or null. */
export async function accountByEmail(from: Reader, email: string): Promise<Account | null> {
  const id = await accountIdOf(from, email);
  return id === null ? null : await readAccount(from, id);
}

/** Adds an account with a sign-in to `commit`. The caller has checked that the email is free. */
export function addAccount(
  commit: Commit,
  at: number,
  email: string,
  hashedPassword: string,
): Account {
  const account = { ...newAccount(commit, at), email, password: hashedPassword };
  commit.set(accountKey(account.id), account);
  commit.set(emailKey(email), account.id);
  return account;
}

/** Stores a new password and ends all sessions. @throws ServiceError `notFound` */
export function changePassword(
  acting: Acting,
  id: string,
  hashedPassword: string,
): Promise<Account> {
  const change = (account: Account) => ({ ...signedOut(account), password: hashedPassword });
  return updateAccount(acting.kv, id, change, noting(acting, "account.passwordChanged"));
}

/** Ends all sessions of the account. @throws ServiceError `notFound` */
export function signOutEverywhere(acting: Acting, id: string): Promise<Account> {
  return updateAccount(acting.kv, id, signedOut, noting(acting, "account.signedOutEverywhere"));
}

/** Adds the row of what happened to an account. */
function noting(acting: Acting, action: Action) {
  return (commit: Commit, { id }: Account) =>
    audit(commit, acting, { action, of: id, subject: id });
}

/** Replaces the hash of a password that stays the same, unless the password was changed meanwhile. */
export function rehash(kv: Deno.Kv, known: Account, hashedPassword: string): Promise<Account> {
  return updateAccount(
    kv,
    known.id,
    (account) =>
      account.password === known.password ? { ...account, password: hashedPassword } : account,
  );
}

function signedOut(account: Account): Account {
  return { ...account, signOuts: (account.signOuts ?? 0) + 1 };
}

function updateAccount(
  kv: Deno.Kv,
  id: string,
  change: (account: Account) => Account,
  also: (commit: Commit, account: Account) => void = () => {},
): Promise<Account> {
  return transact(kv, async (commit) => {
    const account = await readAccount(commit, id);
    if (account === null) throw noSuch("account");
    const next = change(account);
    commit.set(accountKey(id), next);
    also(commit, next);
    return next;
  });
}
