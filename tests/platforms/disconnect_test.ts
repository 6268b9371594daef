/** `social disconnect`: access ends at the platform where it can, and the tokens are forgotten. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { listSocialAccounts, readTokens } from "../../domain/platforms/accounts.ts";
import { disconnectAccount } from "../../domain/platforms/disconnect.ts";
import { connectSandboxAccount } from "../../domain/platforms/sandbox_account.ts";
import { readToken } from "../../domain/platforms/sandbox/tokens.ts";
import { rehearse } from "../support/rehearsal.ts";

Deno.test("YouTube's tokens are revoked at Google and forgotten here", async () => {
  await using r = await rehearse();
  const account = await r.connect("youtube");
  const tokens = await readTokens(r.service, account);
  const { kv } = r.service;
  assert(await readToken(kv, "youtube", tokens!.refresh!) !== null);
  const { id, platform, handle } = account;
  const done = await disconnectAccount(r.service, id);
  assertEquals(done, { id, platform, handle, revoked: true, note: null });
  assertEquals(await readToken(kv, "youtube", tokens!.refresh!), null);
  assertEquals(await readToken(kv, "youtube", tokens!.access), null);
  assertEquals(await readTokens(r.service, account), null);
  assertEquals(await listSocialAccounts(kv, null), []);
  assertEquals([(await r.pass())["accounts"], (await r.pass())["failed"]], [0, 0]);
  assertEquals((await r.connect("youtube")).id, id, "series that name it find it again");
  await assertRejects(() => disconnectAccount(r.service, "soc_x"), Error, "No account");
});

Deno.test("without a call to revoke, or without an answer, the tokens go and the note says what is left", async () => {
  await using r = await rehearse();
  for (const platform of ["instagram", "linkedin"] as const) {
    const account = await r.connect(platform);
    const { revoked, note } = await disconnectAccount(r.service, account.id);
    assertEquals([revoked, await readTokens(r.service, account)], [false, null]);
    assertMatch(note!, /has no call that revokes access. To end it by hand: /);
  }
  const account = await r.connect("youtube");
  const http: typeof fetch = () => Promise.reject(new TypeError("no route to host"));
  const { revoked, note } = await disconnectAccount({ ...r.service, http }, account.id);
  assertEquals([revoked, await readTokens(r.service, account)], [false, null]);
  assertMatch(note!, /^Access was not revoked: YouTube could not be reached. To end it by hand: /);
});

Deno.test("a channel that another brand has connected, too, keeps that brand's access", async () => {
  await using r = await rehearse();
  const account = await r.connect("youtube");
  const other = await r.t.brand();
  const theirs = await connectSandboxAccount(r.service, other.brand.id, "youtube", account.handle);
  const { revoked, note } = await disconnectAccount(r.service, account.id);
  assertEquals(revoked, false);
  assertMatch(note!, /Another brand has connected the same account/);
  assertEquals((await r.pass())["failed"], 0);
  assertEquals((await r.again(theirs)).status, "connected");
});
