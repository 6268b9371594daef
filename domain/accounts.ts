/** Accounts: the people who sign in to the dashboard and own brands. */
import { z } from "zod";
import type { Now } from "./clock.ts";
import { ServiceError } from "./errors.ts";
import { newId } from "./ids.ts";
import { type Commit, transact } from "./kv.ts";
import { takingTurns } from "./turns.ts";

export interface Account {
  id: string;
  /** Null for an account that nobody can sign in to yet. */
  email: string | null;
  /** `salt:hash`, both hex; scrypt. */
  password: string | null;
  createdAt: string;
}

/** Lengths beyond which nothing can be an account's. */
export const LONGEST = { email: 254, password: 200 };
export const Email = z.email("must be an email address").max(LONGEST.email);
export const Password = z.string().min(8, "must be at least 8 characters").max(LONGEST.password);

export const accountKey = (id: string): Deno.KvKey => ["account", id];
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

/** @throws ServiceError `conflict` when the email has an account */
export async function createAccount(
  kv: Deno.Kv,
  now: Now,
  input: { email: string; password: string },
): Promise<Account> {
  const password = await hashPassword(input.password);
  return await transact(kv, async (commit) => {
    if (await accountIdOf(commit, input.email) !== null) {
      throw new ServiceError("conflict", "An account with that email exists.");
    }
    return addAccount(commit, now(), input.email, password);
  });
}

/** Whose email it is, or null. */
export function accountIdOf(commit: Commit, email: string): Promise<string | null> {
  return commit.get<string>(emailKey(email));
}

/** Adds an account with a sign-in to `commit`, which has looked that the email is free. */
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

/** The account that email and password open, or null; takes equally long for both misses. */
export async function signIn(
  kv: Deno.Kv,
  email: string,
  password: string,
): Promise<Account | null> {
  const id = (await kv.get<string>(emailKey(email))).value;
  const account = id === null ? null : (await kv.get<Account>(accountKey(id))).value;
  const matches = await verifyPassword(password, account?.password ?? NO_PASSWORD);
  return matches ? account : null;
}

const HASH_BYTES = 32;
/** Passwords hashed at once: each takes a core and 16 MB, and other requests need theirs. */
const inTurn = takingTurns(2);
const NO_PASSWORD = `${"00".repeat(16)}:${"00".repeat(HASH_BYTES)}`;

/** Loaded with the first sign-in: no other request should wait for it. */
const nodeCrypto = () => import("node:crypto");

async function derive(password: string, salt: Uint8Array): Promise<Uint8Array> {
  const { scrypt } = await nodeCrypto();
  return await inTurn(() =>
    new Promise((resolve, reject) =>
      scrypt(
        password.normalize("NFKC"),
        salt,
        HASH_BYTES,
        (error, key) => error ? reject(error) : resolve(new Uint8Array(key)),
      )
    )
  );
}

export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  return `${salt.toHex()}:${(await derive(password, salt)).toHex()}`;
}

async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [salt = "", hash = ""] = stored.split(":");
  const expected = Uint8Array.fromHex(hash);
  const { timingSafeEqual } = await nodeCrypto();
  return timingSafeEqual(await derive(password, Uint8Array.fromHex(salt)), expected);
}
