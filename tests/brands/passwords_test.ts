/** Password hashes: their stored parameters, and hashes of earlier versions. */
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { scryptSync } from "node:crypto";
import { accountByEmail } from "../../domain/brands/accounts.ts";
import { Passwords, SCRYPT_COST } from "../../domain/brands/passwords.ts";
import { reader } from "../../domain/kv/transact.ts";
import { OWNER, owner, tryToSignIn } from "../support/door.ts";
import { QUICK, type TestService, testService } from "../support/service.ts";

Deno.test("a hash names its parameters and has a salt of its own; new ones take N 2^17, r 8, p 1", async () => {
  assertEquals(SCRYPT_COST, { log2N: 17, r: 8, p: 1 });
  const passwords = new Passwords(QUICK);
  const hash = await passwords.hash("correct horse");
  assertMatch(hash, /^scrypt:10:8:1:[0-9a-f]{32}:[0-9a-f]{64}$/);
  assertNotEquals(hash, await passwords.hash("correct horse"));
  assertEquals(await passwords.check("correct horse", hash), { matches: true, isOutdated: false });
  assertEquals((await passwords.check("correct hors", hash)).matches, false);
  assertEquals((await passwords.check("", null)).matches, false);
  const costlier = new Passwords({ ...QUICK, log2N: 11 });
  assertEquals(await costlier.check("correct horse", hash), { matches: true, isOutdated: true });
});

async function stored({ service: { kv } }: TestService): Promise<string> {
  return (await accountByEmail(reader(kv), OWNER.email))?.password ?? "";
}

Deno.test("a hash of an earlier version still signs in, and is replaced by a new one", async () => {
  await using t = await testService();
  const { id } = await owner(t);
  const salt = new Uint8Array(16).fill(7);
  const former = `${salt.toHex()}:${scryptSync(OWNER.password, salt, 32).toString("hex")}`;
  const key = ["account", id];
  const account = (await t.service.kv.get<{ password: string }>(key)).value;
  await t.service.kv.set(key, { ...account, password: former });
  assertEquals((await tryToSignIn(t, "guess")).status, 401);
  assertEquals(await stored(t), former);
  assertEquals((await tryToSignIn(t, OWNER.password)).status, 303);
  assert((await stored(t)).startsWith("scrypt:10:8:1:"));
  assertEquals((await tryToSignIn(t, OWNER.password)).status, 303);
});
