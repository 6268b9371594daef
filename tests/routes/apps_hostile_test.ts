/** Apps and strangers that mean harm: codes, tokens, redirects and forms. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { HOUR, MINUTE } from "../../domain/foundation/calendar.ts";
import { auditRows } from "../../domain/kv/audit.ts";
import {
  codeOf,
  decide,
  DECISION,
  formOf,
  HandMadeApp,
  opened,
  REDIRECT,
} from "../support/oauth.ts";
import { testService } from "../support/service.ts";
import { studioPerson } from "../support/studio.ts";

Deno.test("a code is for its app, redirect, verifier and resource, and for five minutes", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const app = await HandMadeApp.registered(t);
  const other = await HandMadeApp.registered(t);
  const code = await app.code(person);
  const wrong: [Record<string, string>, string][] = [
    [{ code_verifier: other.verifier }, "invalid_grant"],
    [{ code_verifier: "short" }, "invalid_request"],
    [{ code_verifier: "" }, "invalid_request"],
    [{ redirect_uri: `${REDIRECT}/x` }, "invalid_grant"],
    [{ redirect_uri: REDIRECT.replace("7777", "7778") }, "invalid_grant"],
    [{ client_id: other.id }, "invalid_grant"],
    [{ client_id: "" }, "invalid_client"],
    [{ resource: "https://other.example/mcp" }, "invalid_target"],
    [{ resource: t.service.settings.BASE_URL }, "invalid_target"],
    [{ grant_type: "password" }, "unsupported_grant_type"],
    [{ code: "made-up" }, "invalid_grant"],
  ];
  for (const [over, error] of wrong) {
    const { status, json, headers } = await app.exchange(code, over);
    assertEquals(json["error"], error, JSON.stringify(over));
    assertEquals(status, error === "invalid_client" ? 401 : 400);
    assertEquals(headers.get("cache-control"), "no-store");
  }
  const late = await app.code(person);
  assertEquals((await app.exchange(code)).status, 200);
  t.turn(5 * MINUTE);
  assertEquals((await app.exchange(late)).json["error"], "invalid_grant");
});

Deno.test("a code that is sent twice revokes what it was exchanged for", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const app = await HandMadeApp.registered(t);
  const code = await app.code(person);
  const { json } = await app.exchange(code);
  assertEquals(await app.status(String(json["access_token"])), 200);
  assertEquals((await app.exchange(code)).json["error"], "invalid_grant");
  assertEquals(await app.status(String(json["access_token"])), 401);
  assertEquals((await app.refresh(String(json["refresh_token"]))).status, 400);
  const rows = await Array.fromAsync(auditRows(t.service, [person.brand.id]));
  assertEquals(rows.at(-1)?.details?.["why"], "its code was sent twice");
});

Deno.test("of two exchanges at once one gets tokens, and they are revoked", async () => {
  await using t = await testService();
  const app = await HandMadeApp.registered(t);
  const code = await app.code(await studioPerson(t));
  const answers = await Promise.all([app.exchange(code), app.exchange(code)]);
  const [ok, ...more] = answers.filter(({ status }) => status === 200);
  assertEquals(more, []);
  assertEquals(await app.status(String(ok?.json["access_token"])), 401);
});

Deno.test("a refresh token that is sent again revokes the whole family", async () => {
  await using t = await testService();
  const app = await HandMadeApp.registered(t);
  const other = await HandMadeApp.registered(t);
  const { json: first } = await app.exchange(await app.code(await studioPerson(t)));
  const stolen = String(first["refresh_token"]);
  assertEquals((await other.refresh(stolen)).json["error"], "invalid_grant");
  const forged = stolen.replace(/\.0\./, ".7.");
  assertEquals((await app.refresh(forged)).json["error"], "invalid_grant");
  assertEquals((await app.refresh(stolen, { resource: "https://x.example/mcp" })).status, 400);
  const { json: second } = await app.refresh(stolen);
  const { json: third } = await app.refresh(String(second["refresh_token"]));
  // Ids of keys are no secrets, so a token that only looks like an old one must end nothing.
  const madeUp = stolen.replace(/\.0\..{5}/, ".0.xxxxx");
  assertEquals((await app.refresh(madeUp)).json["error"], "invalid_grant");
  assertEquals((await app.send("revoke", { token: madeUp })).status, 200);
  assertEquals(await app.status(String(third["access_token"])), 200);
  assertEquals((await app.refresh(stolen)).json["error"], "invalid_grant");
  assertEquals(await app.status(String(third["access_token"])), 401);
  assertEquals((await app.refresh(String(third["refresh_token"]))).status, 400);
});

Deno.test("after a restore, a token that the store does not know yet ends nothing", async () => {
  await using t = await testService();
  const { kv } = t.service;
  const app = await HandMadeApp.registered(t);
  const { json: first } = await app.exchange(await app.code(await studioPerson(t)));
  const backup = await Array.fromAsync(kv.list({ prefix: [] }));
  const { json: second } = await app.refresh(String(first["refresh_token"]));
  for await (const { key } of kv.list({ prefix: [] })) await kv.delete(key);
  for (const { key, value } of backup) await kv.set(key, value);
  assertEquals((await app.refresh(String(second["refresh_token"]))).json["error"], "invalid_grant");
  assertEquals((await app.refresh(String(first["refresh_token"]))).status, 200);
});

Deno.test("what one process ends, another refuses at once", async () => {
  const dir = await Deno.makeTempDir({ prefix: "marquee-test-" });
  const path = `${dir}/kv.sqlite3`;
  {
    await using t = await testService({ kv: await Deno.openKv(path) });
    await using other = await testService({ kv: await Deno.openKv(path) });
    const app = await HandMadeApp.registered(t);
    const there = new HandMadeApp(other);
    const { json: first } = await app.exchange(await app.code(await studioPerson(t)));
    assertEquals(await there.status(String(first["access_token"])), 200);
    const { json: second } = await app.refresh(String(first["refresh_token"]));
    assertEquals(await there.status(String(first["access_token"])), 401);
    const token = String(second["access_token"]);
    assertEquals(await there.status(token), 200);
    await app.send("revoke", { token });
    assertEquals(await there.status(token), 401);
  }
  await Deno.remove(dir, { recursive: true });
});

Deno.test("an app refreshes at most 60 times an hour, and loses nothing by trying", async () => {
  await using t = await testService();
  const app = await HandMadeApp.registered(t);
  let { json } = await app.exchange(await app.code(await studioPerson(t)));
  const next = () => app.refresh(String(json["refresh_token"]));
  for (let made = 0; made < 60; made++) json = (await next()).json;
  const refused = await next();
  assertEquals([refused.status, refused.headers.get("retry-after")], [429, "3600"]);
  t.turn(HOUR);
  assertEquals((await next()).status, 200);
});

Deno.test("an access token works at /mcp only, and as long as an hour", async () => {
  await using t = await testService();
  const app = await HandMadeApp.registered(t);
  const { json } = await app.exchange(await app.code(await studioPerson(t)));
  const access = String(json["access_token"]);
  for (const path of ["/v1/posts", "/v1/key", "/v1/brand"]) {
    const answer = await t.call(access, path);
    assertEquals([answer.status, (await answer.json()).error.code], [403, "forbidden"], path);
  }
  assertEquals(await app.status(access), 200);
  assertEquals(await app.status(String(json["refresh_token"])), 401);
  t.turn(HOUR);
  assertEquals(await app.status(access), 401);
});

Deno.test("revocation leaves alone what is not the app's", async () => {
  await using t = await testService();
  const app = await HandMadeApp.registered(t);
  const other = await HandMadeApp.registered(t);
  const { json } = await app.exchange(await app.code(await studioPerson(t)));
  const token = String(json["access_token"]);
  assertEquals((await other.send("revoke", { token })).json["error"], "unauthorized_client");
  const { secret } = await t.brand();
  assertEquals((await app.send("revoke", { token: secret })).status, 200);
  assertEquals((await app.send("revoke", { token: "nothing" })).status, 200);
  assertEquals([await app.status(token), await app.status(secret)], [200, 200]);
});

Deno.test("nobody is sent to an address that the app has not registered", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const app = await HandMadeApp.registered(t, [REDIRECT, "https://agent.example/cb"]);
  const wrong = [
    "https://evil.example/cb",
    "https://agent.example/cb/../other",
    "https://agent.example/cb?x=1",
    "https://agent.example:8443/cb",
    "http://agent.example/cb",
    "http://127.0.0.1:7777@evil.example/callback",
    "http://127.0.0.1:7777/callback#x",
    "http://localhost:7777/callback",
    "http://127.0.0.2:7777/callback",
    "https://127.0.0.1:7777/callback",
    "//evil.example",
  ];
  for (const redirect_uri of [...wrong, ""]) {
    const { status, text } = await opened(person, await app.address({ redirect_uri }));
    assertEquals(status, 400, redirect_uri);
    assert(!text.includes('href="http'), redirect_uri);
  }
  const twice = `${await app.address()}&redirect_uri=https://agent.example/cb`;
  assertEquals((await opened(person, twice)).status, 400);
  const anyPort = await app.address({ redirect_uri: "http://127.0.0.1:50001/callback" });
  assertEquals((await opened(person, anyPort)).status, 200);
});

Deno.test("what is wrong with a request is told to the app only when the person wants it", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const app = await HandMadeApp.registered(t);
  const cases: [Record<string, string>, string][] = [
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ code_challenge_method: "plain" }, "invalid_request"],
    [{ code_challenge_method: "" }, "invalid_request"],
    [{ code_challenge: "" }, "invalid_request"],
    [{ code_challenge: "short" }, "invalid_request"],
    [{ resource: "https://other.example/mcp" }, "invalid_target"],
  ];
  for (const [over, error] of cases) {
    const { status, text } = await opened(person, await app.address(over));
    assertEquals(status, 400);
    const [, href = ""] = /href="(http:[^"]+)"/.exec(text) ?? [];
    const back = new URL(href.replaceAll("&amp;", "&"));
    assertEquals(back.origin + back.pathname, REDIRECT);
    assertEquals([back.searchParams.get("error"), back.searchParams.get("state")], [error, "s"]);
    assertEquals(back.searchParams.get("iss"), t.service.settings.BASE_URL);
  }
  const unknown = await opened(person, await app.address({ client_id: "app_nobody" }));
  assertEquals(unknown.status, 400);
  const long = await opened(person, await app.address({ state: "x".repeat(7_000) }));
  assertEquals(long.status, 400);
});

Deno.test("the consent form works for its session and its request only", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const stranger = await studioPerson(t, { email: "eve@example.com" });
  const app = await HandMadeApp.registered(t);
  const path = (address: string) => address.replace(/^https?:\/\/[^/]+/, "");
  const address = path(await app.address());
  const { proof } = formOf((await person.open(address)).text);
  const { proof: strangers } = formOf((await stranger.open(address)).text);
  const fields = { ...DECISION, brand: person.brand.id, scopes: "postsRead" };
  for (const sent of ["", "x", strangers]) {
    const { status, next, text } = await person.send(address, { ...fields, proof: sent });
    assertEquals([status, next], [403, ""], sent);
    assertStringIncludes(text, "look again");
  }
  const more = path(await app.address({ scope: "publishWrite postsRead" }));
  assertEquals((await person.send(more, { ...fields, proof })).status, 403);
  const evil = { origin: "https://evil.example" };
  assertEquals((await person.send(address, { ...fields, proof }, evil)).status, 403);
  assertEquals((await person.send(address, { ...fields, proof })).status, 303);
});

Deno.test("nobody allows a foreign brand, a scope that was not asked for, or nothing at all", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const stranger = await studioPerson(t, { email: "eve@example.com" });
  const app = await HandMadeApp.registered(t);
  const refused = async (fields: Record<string, string>, scopes?: string[]) => {
    const { status, next } = await decide(person, await app.address(), fields, scopes);
    assert(status >= 400 && status < 500, `${status}`);
    assertEquals(next, "");
  };
  await refused({ brand: stranger.brand.id });
  await refused({ brand: "" });
  await refused({}, []);
  await refused({}, ["publishWrite"]);
  await refused({ until: "constructor" });
  await refused({ publishesPerDay: "-1" });
  await refused({ decision: "" });
  const { next } = await decide(person, await app.address(), {}, ["postsRead", "publishWrite"]);
  assertEquals((await app.exchange(codeOf(next))).json["scope"], "postsRead");
});
