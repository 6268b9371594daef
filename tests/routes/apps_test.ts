/** Apps that sign in: what they find, what a person allows, and what becomes of it. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createAccount } from "../../domain/brands/accounts.ts";
import { listApiKeys } from "../../domain/brands/keys.ts";
import { openSession } from "../../domain/brands/sessions.ts";
import { DAY, HOUR, MINUTE } from "../../domain/foundation/calendar.ts";
import { auditRows } from "../../domain/kv/audit.ts";
import { brandRows } from "../../domain/operations/brands/rows.ts";
import { COMMANDS } from "../../jobs/commands.ts";
import { codeOf, decide, formOf, HandMadeApp, REDIRECT } from "../support/oauth.ts";
import { type TestService, testService } from "../support/service.ts";
import { StudioPerson, studioPerson } from "../support/studio.ts";

const HOST = "https://marquee.example";
const json = async (t: TestService, path: string) => {
  const answer = await t.app.request(path);
  assertEquals(answer.status, 200, path);
  return await answer.json();
};

Deno.test("an app finds the service's metadata, at the root and for a path of BASE_URL", async () => {
  for (const base of ["", "/tools/marquee"]) {
    const BASE_URL = HOST + base;
    await using t = await testService({ environ: { BASE_URL, SANDBOX: "off" } });
    const resource = await json(t, "/.well-known/oauth-protected-resource/mcp");
    assertEquals([resource.resource, resource.authorization_servers], [`${BASE_URL}/mcp`, [
      BASE_URL,
    ]]);
    const server = await json(t, "/.well-known/oauth-authorization-server");
    assertEquals(server.issuer, BASE_URL);
    assertEquals(server.code_challenge_methods_supported, ["S256"]);
    assertEquals(server.token_endpoint, `${BASE_URL}/oauth/token`);
    for (const path of ["oauth-protected-resource", `oauth-protected-resource${base}/mcp`]) {
      assertEquals(await json(t, `/.well-known/${path}`), resource);
    }
    assertEquals(await json(t, `/.well-known/oauth-authorization-server${base}`), server);
    const openId = await t.app.request("/.well-known/openid-configuration");
    assertEquals(openId.status, base === "" ? 404 : 200);
    const refused = await t.app.request("/mcp", { method: "POST" });
    assertStringIncludes(
      refused.headers.get("www-authenticate") ?? "",
      `resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource/mcp"`,
    );
  }
});

Deno.test("below a path of BASE_URL an app signs in, too", async () => {
  const BASE_URL = `${HOST}/tools/marquee`;
  await using t = await testService({ environ: { BASE_URL, SANDBOX: "off" } });
  const app = await HandMadeApp.registered(t);
  const address = await app.address();
  assert(address.startsWith(`${BASE_URL}/studio/authorize?`));
  const inside = address.replace(BASE_URL, "");
  const stranger = await (await t.app.request(inside)).text();
  assertStringIncludes(stranger, `value="/tools/marquee/studio/authorize?`);
  const person = await studioPerson(t);
  const cookie = person.cookie.replace("marquee", "__Secure-marquee");
  const page = await (await t.app.request(inside, { headers: { cookie } })).text();
  const { action, proof } = formOf(page);
  assert(action.startsWith("/tools/marquee/studio/authorize?"), action);
  const answer = await t.app.request(action.replace("/tools/marquee", ""), {
    method: "POST",
    headers: { cookie, origin: HOST },
    body: new URLSearchParams({
      ...{ proof, brand: person.brand.id, decision: "allow", until: "day", scopes: "postsRead" },
    }),
  });
  const back = answer.headers.get("location") ?? "";
  assertEquals(new URL(back).searchParams.get("iss"), BASE_URL);
  assertEquals((await app.exchange(codeOf(back))).status, 200);
});

Deno.test("a person who is not signed in comes back to the consent after signing in", async () => {
  await using t = await testService();
  await createAccount(t.service, { email: "bo@example.com", password: "correct horse" });
  const app = await HandMadeApp.registered(t);
  const address = await app.address({ state: "x".repeat(3_000) });
  const page = await t.app.request(address);
  assertEquals(page.status, 401);
  const text = await page.text();
  assert(!text.includes("An app without a name"), "a stranger reads nothing of the app");
  const [, next = ""] = /name="next" value="([^"]+)"/.exec(text) ?? [];
  const body = new URLSearchParams({
    ...{ email: "bo@example.com", password: "correct horse" },
    next: next.replaceAll("&amp;", "&"),
  });
  const entered = await t.app.request("/dashboard/sign-in", { method: "POST", body });
  assertEquals(entered.status, 303);
  const { pathname, search } = new URL(address);
  assertEquals(entered.headers.get("location"), pathname + search);
});

Deno.test("the consent page can't be framed, and says where it leads", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const cases: [string, string][] = [
    [REDIRECT, "127.0.0.1:7777"],
    ["http://[::1]:81/cb", "[::1]:81"],
    ["https://agent.example/cb?x=1", "agent.example"],
    ["cursor://anysphere.cursor-mcp/oauth", "cursor://anysphere.cursor-mcp"],
  ];
  for (const [redirect_uri, place] of cases) {
    const app = await HandMadeApp.registered(t, [redirect_uri]);
    const { pathname, search } = new URL(await app.address({ redirect_uri }));
    const { text, headers } = await person.open(pathname + search);
    const policy = headers.get("content-security-policy") ?? "";
    assertStringIncludes(policy, "default-src 'none'; script-src 'self'; ");
    assertStringIncludes(policy, "frame-ancestors 'none'; base-uri 'none'");
    assert(!policy.includes("form-action"), "an app may lead on to other sites");
    assertEquals(headers.get("x-frame-options"), "DENY");
    assertEquals(headers.get("cache-control"), "no-store");
    assertEquals(headers.get("referrer-policy"), "same-origin");
    assertStringIncludes(text, `answered at <b>${place}</b>`);
    assertEquals(text.includes("a program on your own computer"), redirect_uri.startsWith("http:"));
  }
});

Deno.test("what posts publicly or adds brands is never ticked beforehand", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const app = await HandMadeApp.registered(t);
  const { pathname, search } = new URL(await app.address({ scope: "" }));
  const { text } = await person.open(pathname + search);
  const ticked = [...text.matchAll(/name="scopes" value="(\w+)" checked/g)].map(([, one]) => one);
  assertEquals(ticked, ["postsRead", "createRead", "createWrite"]);
  assertStringIncludes(text, 'value="publishWrite"');
});

Deno.test("a person who says no leads back with access_denied, and nothing is made", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const app = await HandMadeApp.registered(t);
  const { next } = await decide(person, await app.address(), { decision: "deny" });
  const back = new URL(next).searchParams;
  assertEquals([back.get("error"), back.get("state"), back.get("code")], [
    "access_denied",
    "s",
    null,
  ]);
  assertEquals(await listApiKeys(t.service.kv, person.brand.id), []);
});

async function letIn(t: TestService, person: StudioPerson, fields: Record<string, string> = {}) {
  const app = await HandMadeApp.registered(t);
  const { status, json } = await app.exchange(await app.code(person, fields));
  assertEquals(status, 200, JSON.stringify(json));
  const { access_token: access, refresh_token: refresh } = json as Record<string, string>;
  return { app, access: access!, refresh: refresh!, expiresIn: json["expires_in"] };
}

Deno.test("an app that is let in is a key: listed, audited, and revoked in Studio at once", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const { app, access, refresh, expiresIn } = await letIn(t, person, { creditsPerDay: "5" });
  assertEquals(expiresIn, HOUR / 1_000);
  const { kv } = t.service;
  const [key] = await listApiKeys(kv, person.brand.id);
  assertEquals(key?.budgets?.creditsPerDay, 5);
  const listed = await COMMANDS["key list"]!(t.service, { brand: person.brand.id });
  assertStringIncludes(JSON.stringify(listed), `"app":{"clientId":"${app.id}"}`);
  assert(!JSON.stringify(listed).includes(access), "the secret is stored nowhere");
  for await (const { value } of kv.list({ prefix: [] })) {
    assert(!Deno.inspect(value, { depth: 9, strAbbreviateSize: 9_999 }).includes(access));
    assert(!Deno.inspect(value, { depth: 9, strAbbreviateSize: 9_999 }).includes(refresh));
  }
  assertStringIncludes((await person.open("/settings/keys")).text, "signed in");
  assertEquals(await app.status(access), 200);
  await person.send(`/settings/keys/${key!.id}/revoke`);
  assertEquals(await app.status(access), 401);
  assertEquals((await app.refresh(refresh)).json["error"], "invalid_grant");
  const rows = await Array.fromAsync(auditRows(t.service, [person.brand.id]));
  const ours = rows.filter(({ action }) => action.startsWith("key."));
  assertEquals(ours.map(({ action, actor }) => [action, actor.kind]), [
    ["key.created", "account"],
    ["key.revoked", "account"],
  ]);
});

Deno.test("access ends when the person said, or after 30 days away, and then frees its place", async () => {
  await using t = await testService();
  const person = await studioPerson(t, { plan: "free" });
  const short = await letIn(t, person, { until: "day" });
  t.turn(DAY - 30 * MINUTE);
  const last = await short.app.refresh(short.refresh);
  assertEquals(Number(last.json["expires_in"]), 30 * 60);
  t.turn(31 * MINUTE);
  assertEquals(await short.app.status(String(last.json["access_token"])), 401);
  const late = await short.app.refresh(String(last.json["refresh_token"]));
  assertEquals(late.json["error"], "invalid_grant");

  const idle = await letIn(t, person, { until: "always" });
  t.turn(20 * DAY);
  const woken = await idle.app.refresh(idle.refresh);
  assertEquals(woken.status, 200);
  const again = await signedInAgain(t, person);
  const other = await HandMadeApp.registered(t);
  const full = await decide(again, await other.address());
  assertEquals([full.status, full.next], [409, ""]);
  assertStringIncludes(full.text, "Revoke one first.");
  t.turn(31 * DAY);
  assertEquals((await idle.app.refresh(String(woken.json["refresh_token"]))).status, 400);
  await letIn(t, await signedInAgain(t, person));
});

/** A session lives for two weeks. */
async function signedInAgain(t: TestService, { brand }: StudioPerson): Promise<StudioPerson> {
  return new StudioPerson(t, brand, await openSession(t.service, { id: brand.accountId }));
}

Deno.test("refreshes that arrive together share one answer", async () => {
  await using t = await testService();
  const { app, refresh } = await letIn(t, await studioPerson(t));
  const answers = await Promise.all([app.refresh(refresh), app.refresh(refresh)]);
  assertEquals(answers.map(({ status }) => status), [200, 200]);
  assertEquals(answers[0]?.json, answers[1]?.json);
  assertEquals(await app.status(String(answers[0]?.json["access_token"])), 200);
});

Deno.test("a refresh ends the access token before it, and revocation takes either token", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  for (const kind of ["access_token", "refresh_token"]) {
    const { app, access, refresh } = await letIn(t, person);
    const { json } = await app.refresh(refresh);
    assertEquals(await app.status(access), 401);
    assertEquals(await app.status(String(json["access_token"])), 200);
    assertEquals((await app.send("revoke", { token: String(json[kind]) })).status, 200);
    assertEquals(await app.status(String(json["access_token"])), 401);
    assertEquals((await app.refresh(String(json["refresh_token"]))).status, 400);
  }
});

Deno.test("a brand's deletion finds what its apps have left", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const { app } = await letIn(t, person);
  await app.code(person);
  const rows = await Array.fromAsync(brandRows(t.service.kv, person.brand.id));
  const collections = rows.map(({ key }) => key[0]);
  for (const name of ["appCode", "appRefresh", "apiKey"]) assert(collections.includes(name), name);
});

Deno.test("an app's name is one plain line", async () => {
  await using t = await testService();
  const app = new HandMadeApp(t);
  const register = (client_name: string) =>
    app.register({ client_name, redirect_uris: [REDIRECT] });
  const { json } = await register("Good\u202e\n<b>agent</b> " + "x".repeat(100));
  assertMatch(String(json["client_name"]), /^Good <b>agent<\/b> x{42}$/);
  app.id = String(json["client_id"]);
  const person = await studioPerson(t);
  const { pathname, search } = new URL(await app.address());
  assertStringIncludes((await person.open(pathname + search)).text, "&lt;b&gt;agent&lt;/b&gt;");
});
