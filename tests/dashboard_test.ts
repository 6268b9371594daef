/** The dashboard's promises: what people see, and that nobody else sees it. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createAccount } from "../domain/accounts.ts";
import { createBrand } from "../domain/brands.ts";
import { type TestService, testService } from "./service.ts";

type Fields = Record<string, string> | [string, string][];

/** Sends a form as a browser on our own page would. */
async function submit(
  t: TestService,
  path: string,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<Response> {
  return await t.app.request(path, {
    method: "POST",
    headers: { origin: t.service.settings.BASE_URL, ...headers },
    body: new URLSearchParams(fields),
  });
}

/** An account with one brand, signed in. */
async function person(t: TestService, email: string) {
  const { kv, now } = t.service;
  const account = await createAccount(kv, now, { email, password: "correct horse" });
  const brand = await createBrand(kv, now, {
    name: `<b>${email}</b>`,
    plan: "creator",
    accountId: account.id,
  });
  const answer = await submit(t, "/dashboard/sign-in", { email, password: "correct horse" });
  assertEquals(answer.status, 303);
  const cookie = answer.headers.get("set-cookie")!;
  assertMatch(cookie, /HttpOnly; SameSite=Lax$/);
  return { brand, headers: { cookie: cookie.split(";")[0]! } };
}

Deno.test("a key made in the dashboard is shown once, works, and stops when revoked there", async () => {
  await using t = await testService();
  const { brand, headers } = await person(t, "a@example.com");
  const path = `/dashboard/brands/${brand.id}`;
  const made = await submit(
    t,
    `${path}/keys`,
    [["name", "site"], ["scopes", "postsRead"]],
    headers,
  );
  const secret = /mq_[0-9A-Za-z]{49}/.exec(await made.text())?.[0] ?? "";
  assertEquals((await t.call(secret, "/v1/posts")).status, 200);
  const page = await (await t.request(null, path, { headers })).text();
  assert(!page.includes(secret));
  assertStringIncludes(page, secret.slice(0, 8));
  const revoke = /action="([^"]+\/revoke)"/.exec(page)![1]!;
  assertEquals((await submit(t, revoke, {}, headers)).status, 303);
  assertEquals((await t.call(secret, "/v1/posts")).status, 401);
});

Deno.test("another account's brand is as unknown as none, and values are escaped", async () => {
  await using t = await testService();
  const mine = await person(t, "a@example.com");
  const other = await person(t, "b@example.com");
  const peek = await t.request(null, `/dashboard/brands/${other.brand.id}`, mine);
  assertEquals(peek.status, 404);
  assert(!(await peek.text()).includes("b@example.com"));
  const own = await (await t.request(null, "/dashboard", mine)).text();
  assertStringIncludes(own, "&lt;b&gt;a@example.com&lt;/b&gt;");
  const signedOut = await t.request(null, `/dashboard/brands/${mine.brand.id}`);
  assertEquals(signedOut.status, 303);
});

Deno.test("forms from elsewhere are refused, and a session ends with sign-out", async () => {
  await using t = await testService();
  const { brand, headers } = await person(t, "a@example.com");
  const kit = { baseStylePrompt: "film grain", discordWebhookUrl: "" };
  const path = `/dashboard/brands/${brand.id}/kit`;
  const foreign = { ...headers, origin: "https://evil.example" };
  assertEquals((await submit(t, path, kit, foreign)).status, 403);
  assertEquals((await submit(t, path, kit, headers)).status, 303);
  const page = await (await t.request(null, `/dashboard/brands/${brand.id}`, { headers })).text();
  assertStringIncludes(page, "film grain");
  const wrong = { ...kit, discordWebhookUrl: "https://example.com/hook" };
  assertEquals((await submit(t, path, wrong, headers)).status, 400);
  await submit(t, "/dashboard/sign-out", {}, headers);
  assertEquals((await t.request(null, `/dashboard/brands/${brand.id}`, { headers })).status, 303);
});

Deno.test("a refusal is announced first, in the label's words, and what was typed stays", async () => {
  await using t = await testService();
  const { brand, headers } = await person(t, "a@example.com");
  const path = `/dashboard/brands/${brand.id}`;
  const refused = async (form: string, fields: Fields) => {
    const answer = await submit(t, `${path}/${form}`, fields, headers);
    assertEquals(answer.status, 400);
    const page = await answer.text();
    assertMatch(page, /<title>Error: /);
    return { page, said: /role="alert"[^>]*>([^<]+)</.exec(page)?.[1] };
  };
  const key = await refused("keys", [["name", "our site"]]);
  assertEquals(key.said, "What it may do: choose at least one scope");
  assertStringIncludes(key.page, 'value="our site"');
  const kit = await refused("kit", { baseStylePrompt: "film grain", discordWebhookUrl: "x" });
  assertStringIncludes(kit.said ?? "", "Discord webhook: must be");
  assertStringIncludes(kit.page, ">film grain</textarea>");
  const brands = await submit(t, "/dashboard/brands", { name: " " }, headers);
  assertStringIncludes(await brands.text(), "Name: must hold");
});

Deno.test("a body that is no form is the sender's fault, and a huge one is not read", async () => {
  await using t = await testService();
  const send = (body: BodyInit | null, type?: string) =>
    t.app.request("/dashboard/sign-in", {
      method: "POST",
      headers: type === undefined ? {} : { "content-type": type },
      body,
    });
  const form = new FormData();
  form.set("email", "a@example.com");
  form.set("password", "guess");
  assertEquals((await send(form)).status, 401, "a program may send either encoding");
  const broken: [BodyInit | null, string?][] = [
    [null],
    ["{}", "application/json"],
    ["email=a", "multipart/form-data"],
    ["--x\r\nbroken", "multipart/form-data; boundary=x"],
    [new Uint8Array([0x61, 0x3d, 0xff]), "application/x-www-form-urlencoded"],
    [`email=${"a".repeat(300_000)}`, "application/x-www-form-urlencoded"],
  ];
  for (const [body, type] of broken) {
    const answer = await send(body, type);
    assertEquals(answer.status, 400, type);
    assertEquals((await answer.json()).error.code, "validationError");
  }
});

Deno.test("a wrong password never signs in, and after ten of them the right one must wait", async () => {
  await using t = await testService();
  const { kv, now } = t.service;
  await createAccount(kv, now, { email: "a@example.com", password: "correct horse" });
  const attempt = (password: string) =>
    submit(t, "/dashboard/sign-in", { email: "a@example.com", password });
  for (let n = 0; n < 10; n++) assertEquals((await attempt("guess")).status, 401);
  assertEquals((await attempt("correct horse")).status, 401);
  t.turn(16 * 60_000);
  assertEquals((await attempt("correct horse")).status, 303);
});

Deno.test("guesses that come at once are held to ten as well", async () => {
  await using t = await testService();
  const { kv, now } = t.service;
  await createAccount(kv, now, { email: "a@example.com", password: "correct horse" });
  const attempt = (password: string) =>
    submit(t, "/dashboard/sign-in", { email: "a@example.com", password });
  const passwords = [...Array.from({ length: 60 }, (_, n) => `guess ${n}`), "correct horse"];
  const answers = await Promise.all(passwords.map(attempt));
  for (const answer of answers) assertEquals(answer.status, 401);
  assertStringIncludes(await answers.at(-1)!.text(), "Too many tries");
});

Deno.test("who signs in again and again is never held back", async () => {
  await using t = await testService();
  const { kv, now } = t.service;
  await createAccount(kv, now, { email: "a@example.com", password: "correct horse" });
  const attempt = (password: string) =>
    submit(t, "/dashboard/sign-in", { email: "A@example.com", password });
  for (let n = 0; n < 9; n++) assertEquals((await attempt("guess")).status, 401);
  for (let n = 0; n < 3; n++) assertEquals((await attempt("correct horse")).status, 303);
  assertEquals((await attempt("guess")).status, 401);
  assertEquals((await attempt("correct horse")).status, 401, "their own guesses still count");
});
