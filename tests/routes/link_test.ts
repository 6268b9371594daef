/** Links that sign in without the password: once, for a while, and not after a sign-out everywhere. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readAccount, signOutEverywhere } from "../../domain/brands/accounts.ts";
import { LINK_MS, signInLink } from "../../domain/brands/links.ts";
import { auditRows } from "../../domain/kv/audit.ts";
import { reader } from "../../domain/kv/transact.ts";
import { cookies, OWNER, owner } from "../support/door.ts";
import { type TestService, testService } from "../support/service.ts";

async function withLink(t: TestService) {
  const { id } = await owner(t);
  const link = async () => {
    const account = await readAccount(reader(t.service.kv), id);
    return await signInLink(t.service, account!);
  };
  return { id, link };
}

Deno.test("a link signs in once; a look at its head doesn't use it up", async () => {
  await using t = await testService();
  const { id, link } = await withLink(t);
  const address = await link();
  assert(address.startsWith(`${t.service.settings.BASE_URL}/dashboard/`));
  await t.app.request(address, { method: "HEAD" });
  const answers = await Promise.all([t.app.request(address), t.app.request(address)]);
  assertEquals(answers.map(({ status }) => status).sort(), [303, 401]);
  const entered = answers.find(({ status }) => status === 303)!;
  const home = await t.app.request("/dashboard/account", cookies(entered));
  assertStringIncludes(await home.text(), "Sign out");
  const again = await t.app.request(address);
  assertEquals(again.status, 401);
  assertStringIncludes(await again.text(), "This link was used or has expired.");
  const rows = await Array.fromAsync(auditRows(t.service, [id]));
  assertEquals(rows.map(({ action }) => action), ["account.created", "account.signedIn"]);
  assertEquals(rows[1]!.actor, { kind: "account", id, email: OWNER.email });
});

Deno.test("a link ends with its time and with a sign-out everywhere; the store doesn't hold its token", async () => {
  await using t = await testService();
  const { id, link } = await withLink(t);
  const [late, ended] = [await link(), await link()];
  const token = new URL(late).searchParams.get("token")!;
  const stored = await Array.fromAsync(t.service.kv.list({ prefix: [] }));
  assert(token.length >= 43);
  assert(!JSON.stringify(stored.map(({ key, value }) => [key, value])).includes(token));
  await signOutEverywhere(t.service, id);
  assertEquals((await t.app.request(ended)).status, 401);
  const open = await link();
  t.turn(LINK_MS);
  assertEquals((await t.app.request(late)).status, 401);
  assertEquals((await t.app.request(open)).status, 401);
  assertEquals((await t.app.request(await link())).status, 303);
});
