/** What people do at the dashboard is in the audit trail, with who they are and where they come from. */
import { assert, assertEquals } from "@std/assert";
import { createBrand } from "../../domain/brands/brands.ts";
import { MINUTE } from "../../domain/foundation/calendar.ts";
import { type AuditRow, auditRows } from "../../domain/kv/audit.ts";
import { cookies, OWNER, owner, submit, tryToSignIn } from "../support/door.ts";
import { type TestService, testService } from "../support/service.ts";

const ADDRESS = "198.51.100.7";

/** Returns a function that lists what was added to the trails since it was called last. */
function follow(t: TestService, trails: string[]): () => Promise<AuditRow[]> {
  let seen = "";
  return async () => {
    const rows = (await Array.fromAsync(auditRows(t.service, trails)))
      .filter(({ id }) => id > seen);
    seen = rows.at(-1)?.id ?? seen;
    t.turn(1_000);
    return rows;
  };
}

const brief = (rows: AuditRow[]) =>
  rows.map(({ action, actor, address }) => `${action} by ${actor.kind} at ${address}`);

Deno.test("signing in and out, and each form of the dashboard, leaves one row", async () => {
  await using t = await testService();
  const { id: accountId } = await owner(t);
  const account = { kind: "account" as const, id: accountId, email: OWNER.email };
  const brand = await createBrand(t.service, { name: "B", plan: "studio", accountId });
  const added = follow(t, [accountId, brand.id]);
  await added();
  const from = { address: ADDRESS };
  const one = async (action: string, answer: Promise<Response>, status = 303) => {
    const { status: answered, headers } = await answer;
    assertEquals(answered, status);
    const rows = await added();
    assertEquals(brief(rows), [`${action} by account at ${ADDRESS}`]);
    const { role: _, ...actor } = rows[0]!.actor as typeof account & { role?: string };
    assertEquals(actor, account);
    return new Response(null, { headers });
  };

  await tryToSignIn(t, "wrong horse", from);
  await tryToSignIn(t, "wrong horse", { ...from, email: "nobody@example.com" });
  assertEquals(brief(await added()), [`account.signInFailed by visitor at ${ADDRESS}`]);

  const entered = await one("account.signedIn", tryToSignIn(t, OWNER.password, from));
  const browser = { ...from, ...cookies(entered) };
  const post = (path: string, fields: Record<string, string> = {}) =>
    submit(t, path, fields, browser);
  const at = `/studio/${brand.id}/settings`;
  await one("key.created", post(`${at}/keys`, { name: "site", scopes: "postsRead" }), 200);
  const page = await (await t.request(null, `${at}/keys`, browser)).text();
  const keyId = /keys\/(key_\w+)\/revoke/.exec(page)![1]!;
  await one("key.revoked", post(`${at}/keys/${keyId}/revoke`));
  await one("kit.changed", post(at, { name: "B", baseStylePrompt: "Film", discordWebhookUrl: "" }));
  assertEquals((await post(`${at}/keys`, { name: "" })).status, 400);
  assertEquals((await post(`${at}/keys/${keyId}/revoke`)).status, 303);
  assertEquals(await added(), [], "a refusal, and revoking a revoked key, leave none");

  const password = (currentPassword: string) =>
    post("/dashboard/account/password", { currentPassword, newPassword: "battery staple" });
  await one("account.signInFailed", password("wrong horse"), 400);
  const changed = await one("account.passwordChanged", password(OWNER.password));
  const again = { ...from, ...cookies(changed) };
  await one("account.signedOut", submit(t, "/dashboard/sign-out", {}, again));
  assertEquals((await submit(t, "/dashboard/sign-out", {}, again)).status, 303);
  assertEquals(await added(), [], "signing out twice leaves one row");
  const third = await one("account.signedIn", tryToSignIn(t, "battery staple", from));
  const out = "/dashboard/account/sign-out-everywhere";
  const everywhere = submit(t, out, {}, { ...from, ...cookies(third) });
  await one("account.signedOutEverywhere", everywhere);

  // A new brand has a trail of its own.
  const fourth = await tryToSignIn(t, "battery staple", from);
  const made = await submit(t, "/studio/brands/new", { name: "New" }, {
    ...from,
    ...cookies(fourth),
  });
  const newId = made.headers.get("location")!.split("/").at(-1)!;
  const rows = await Array.fromAsync(auditRows(t.service, [newId]));
  assertEquals(brief(rows), [`brand.created by account at ${ADDRESS}`]);

  const text = JSON.stringify(await Array.fromAsync(auditRows(t.service, [accountId, brand.id])));
  for (const secret of [OWNER.password, "battery staple", "wrong horse", "Film"]) {
    assert(!text.includes(secret), `${secret} is in the trail`);
  }
});

Deno.test("a flood of wrong passwords leaves twenty rows an account in five minutes", async () => {
  await using t = await testService();
  const { id } = await owner(t);
  const added = follow(t, [id]);
  await added();
  const failed = async (count: number) => {
    for (let n = 0; n < count; n++) {
      await tryToSignIn(t, "wrong horse", { address: `198.51.100.${n}` });
    }
    return (await added()).length;
  };
  assertEquals([await failed(21), await failed(3)], [20, 0]);
  t.turn(5 * MINUTE);
  assertEquals(await failed(2), 2);
});

Deno.test("an API key is named with its address, behind a proxy with the client's", async () => {
  await using t = await testService({ environ: { TRUST_PROXY: "on" } });
  const { brand, secret, keyId } = await t.brand();
  const added = follow(t, [brand.id]);
  await added();
  const headers = { "x-forwarded-for": `203.0.113.9, ${ADDRESS}, 10.0.0.2` };
  const body = { baseStylePrompt: "Film", discordWebhookUrl: null };
  const put = await t.call(secret, "/v1/brand-kit", { method: "PUT", body, headers });
  assertEquals(put.status, 200);
  const [row, ...others] = await added();
  assertEquals(others, []);
  assertEquals([row!.actor, row!.address], [{ kind: "key", id: keyId, name: "test" }, ADDRESS]);
  const params = { name: "set_brand_kit", arguments: body };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  assertEquals((await t.call(secret, "/mcp", { method: "POST", body: call, headers })).status, 200);
  const { id: _, at: _at, ...same } = row!;
  const [{ id: _id, at: _when, ...byTool }] = await added() as [AuditRow];
  assertEquals(byTool, same);
});
