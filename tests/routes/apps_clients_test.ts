/** What apps say of themselves, which anybody may: registrations and documents. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { readClient, Registrations } from "../../domain/brands/apps/client.ts";
import { Documents } from "../../domain/brands/apps/document.ts";
import { DAY, HOUR } from "../../domain/foundation/calendar.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { HandMadeApp, opened, REDIRECT } from "../support/oauth.ts";
import { type TestService, testService } from "../support/service.ts";
import { studioPerson } from "../support/studio.ts";

Deno.test("registrations are bounded: by network, by size, by what they hold, by time", async () => {
  await using t = await testService({ environ: { TRUST_PROXY: "on" } });
  const send = (from: string, body: string) =>
    t.app.request("/oauth/register", {
      method: "POST",
      headers: { "x-forwarded-for": from, "content-type": "application/json" },
      body,
    });
  const good = JSON.stringify({ redirect_uris: [REDIRECT] });
  for (let sent = 0; sent < 20; sent++) {
    assertEquals((await send("192.0.2.1", good)).status, 201);
  }
  for (const neighbour of ["192.0.2.1", "192.0.2.200"]) {
    const refused = await send(neighbour, good);
    assertEquals([refused.status, refused.headers.get("retry-after")], [429, "3600"]);
    await refused.body?.cancel();
  }
  const bad: [unknown, string][] = [
    [{}, "invalid_redirect_uri"],
    [{ redirect_uris: [] }, "invalid_redirect_uri"],
    [{ redirect_uris: Array(11).fill(REDIRECT) }, "invalid_redirect_uri"],
    ...[
      ...["http://agent.example/cb", "javascript:alert(1)", "data:text/html,x", "https://a.b/#c"],
      ...[
        "https://u:p@a.example/",
        "file:///etc/passwd",
        "https://a.example/ b",
        "cb",
        "ws://a.b/",
        "https:a.example/cb",
      ],
      `https://a.example/${"x".repeat(500)}`,
    ].map((uri): [unknown, string] => [{ redirect_uris: [uri] }, "invalid_redirect_uri"]),
    [{ redirect_uris: [REDIRECT], grant_types: ["password"] }, "invalid_client_metadata"],
    [{ redirect_uris: [REDIRECT], client_name: 5 }, "invalid_client_metadata"],
    [null, "invalid_client_metadata"],
    [{ redirect_uris: [REDIRECT], pad: "x".repeat(20_000) }, "invalid_request"],
  ];
  for (const [at, [body, error]] of bad.entries()) {
    const answer = await send(`198.51.${at + 10}.1`, JSON.stringify(body));
    const json = await answer.json();
    assertEquals([answer.status, json.error], [400, error], JSON.stringify(body).slice(0, 80));
  }
});

Deno.test("whoever has a whole IPv6 block registers as one, and locks nobody else out", async () => {
  await using t = await testService({ environ: { TRUST_PROXY: "on" } });
  const register = async (from: string) => {
    const answer = await t.app.request("/oauth/register", {
      method: "POST",
      headers: { "x-forwarded-for": from, "content-type": "application/json" },
      body: JSON.stringify({ redirect_uris: [REDIRECT] }),
    });
    await answer.body?.cancel();
    return answer.status;
  };
  const statuses: number[] = [];
  for (let n = 0; n < 120; n++) statuses.push(await register(`2001:db8:7:${n.toString(16)}::1`));
  assertEquals(statuses.filter((status) => status === 201).length, 100);
  assertEquals(statuses.lastIndexOf(201), 99);
  assertEquals(await register("2001:db8:8::1"), 201);
  // More networks than any bound over all of them would have let in.
  for (let n = 0; n < 600; n++) {
    assertEquals(await register(`100.${100 + Math.floor(n / 200)}.${n % 200}.1`), 201);
  }
});

Deno.test("of registrations that nobody has let in the newest 1,000 are kept, and all others", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const [used, unused] = [await HandMadeApp.registered(t), await HandMadeApp.registered(t)];
  await used.code(person);
  const registrations = new Registrations(t.service);
  const ids: string[] = [];
  for (let n = 0; n < 1_200; n++) {
    ids.push((await registrations.register({ redirect_uris: [REDIRECT] })).client.id);
  }
  const isKept = async (id: string) => await readClient(t.service, id) !== null;
  assertEquals(await isKept(used.id), true);
  assertEquals(await isKept(unused.id), false);
  assertEquals(await isKept(ids[0]!), false);
  assertEquals(await Promise.all(ids.slice(-1_000).map(isKept)), Array(1_000).fill(true));
  t.turn(DAY);
  const { client } = await registrations.register({ redirect_uris: [REDIRECT] });
  assertEquals(await isKept(ids.at(-1)!), false, "a day without use is the end");
  for (let n = 0; n < 150; n++) await registrations.register({ redirect_uris: [REDIRECT] });
  assertEquals(await isKept(client.id), true, "those that have ended take no place");
});

Deno.test("a registration that nobody uses ends after a day; one that is used stays", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const [used, unused] = [await HandMadeApp.registered(t), await HandMadeApp.registered(t)];
  await used.code(person);
  t.turn(DAY);
  assertEquals((await opened(person, await used.address())).status, 200);
  const { status, text } = await opened(person, await unused.address());
  assertEquals(status, 400);
  assertStringIncludes(text, "not registered here");
});

const ID = "https://agent.example/oauth/client.json";

function withDocuments(documents: Record<string, unknown>, asked: string[]) {
  const fetchPublic: TestService["service"]["fetchPublic"] = (url) => {
    asked.push(url);
    return Promise.resolve(new TextEncoder().encode(JSON.stringify(documents[url])));
  };
  return testService({ dependencies: { fetchPublic } });
}

Deno.test("an app whose id is a document's address needs no registration", async () => {
  const asked: string[] = [];
  const document = { client_id: ID, client_name: "Agent", redirect_uris: [REDIRECT] };
  await using t = await withDocuments({ [ID]: document }, asked);
  const person = await studioPerson(t);
  const app = new HandMadeApp(t);
  app.id = ID;
  assertEquals((await t.app.request(await app.address())).status, 401);
  assertEquals(asked, [], "for a stranger nothing is fetched");
  assertStringIncludes((await opened(person, await app.address())).text, "agent.example");
  const { status } = await app.exchange(await app.code(person));
  assertEquals(status, 200);
  assertEquals(asked, [ID], "it is kept for five minutes");
});

Deno.test("a person has 30 documents fetched an hour, and the same one is fetched once", async () => {
  const asked: string[] = [];
  const documents: Record<string, unknown> = {};
  const idOf = (n: number) => `https://agent.example/${n}.json`;
  for (let n = 0; n < 40; n++) {
    documents[idOf(n)] = { client_id: idOf(n), redirect_uris: [REDIRECT] };
  }
  await using t = await withDocuments(documents, asked);
  const person = await studioPerson(t);
  const open = async (id: string, who = person) => {
    const app = new HandMadeApp(t);
    app.id = id;
    return await opened(who, await app.address());
  };
  const missing = "https://agent.example/missing.json";
  for (let n = 0; n < 5; n++) assertEquals((await open(missing)).status, 400);
  assertEquals(asked, [missing], "an address without a document is not asked again at once");
  for (let n = 0; n < 29; n++) assertEquals((await open(idOf(n))).status, 200);
  const { status, text } = await open(idOf(30));
  assertEquals(status, 429);
  assertStringIncludes(text, "too many apps that are new here");
  assertEquals(asked.length, 30);
  assertEquals((await open(idOf(28))).status, 200, "what is known costs nothing");
  const other = await studioPerson(t, { email: "ben@example.com" });
  assertEquals((await open(idOf(30), other)).status, 200, "each person has their own bound");
  assertEquals((await open(idOf(30))).status, 200);
  t.turn(HOUR);
  assertEquals((await open(idOf(31))).status, 200);
});

Deno.test("one person has 2 documents fetched at a time, so hosts that hang hold up nobody else", async () => {
  const asked: string[] = [];
  const hanging = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const fetchPublic: TestService["service"]["fetchPublic"] = (url) => {
    asked.push(url);
    if (url.includes("hangs")) return hanging.promise;
    const document = { client_id: url, redirect_uris: [REDIRECT] };
    return Promise.resolve(new TextEncoder().encode(JSON.stringify(document)));
  };
  await using t = await testService({ dependencies: { fetchPublic } });
  const documents = new Documents(t.service);
  const ended: string[] = [];
  const reads = Array.from({ length: 20 }, async (_, n) => {
    const read = documents.read(`https://agent.example/hangs/${n}`, "ana");
    ended.push(
      await read.then(
        () => "read",
        (error) => error instanceof ServiceError ? error.code : "fault",
      ),
    );
  });
  // Two are fetched and two wait; which ones is not said.
  while (ended.length < 16) await new Promise((done) => setTimeout(done, 5));
  assertEquals(ended, Array(16).fill("serviceUnavailable"));
  assertEquals(asked.length, 2);
  const quick = "https://agent.example/quick";
  assertEquals((await documents.read(quick, "ben")).id, quick);
  hanging.reject(new ServiceError("serviceUnavailable", "too slow"));
  await Promise.all(reads);
});

Deno.test("a document that is not the app's own, or has a secret, lets nobody in", async () => {
  const fine = { client_id: ID, redirect_uris: [REDIRECT] };
  const bad = [
    { ...fine, client_id: `${ID}?x` },
    { ...fine, token_endpoint_auth_method: "client_secret_post" },
    { client_id: ID },
    { ...fine, redirect_uris: ["https://other.example/cb"] },
    [],
    null,
  ];
  for (const document of bad) {
    await using t = await withDocuments({ [ID]: document }, []);
    const app = new HandMadeApp(t);
    app.id = ID;
    const { status } = await opened(await studioPerson(t), await app.address());
    assertEquals(status, 400, JSON.stringify(document));
  }
});

Deno.test("a document is fetched from public https addresses only", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const app = new HandMadeApp(t);
  const ids = [
    ...["https://127.0.0.1/c.json", "https://[::1]/c.json", "https://169.254.169.254/c.json"],
    ...["http://agent.example/c.json", "https://agent.example/", "https://a.example/c#x"],
    ...["https://u@a.example/c", "https://a.example/x/../c", "HTTPS://a.example/c"],
  ];
  for (const id of ids) {
    app.id = id;
    assertEquals((await opened(person, await app.address())).status, 400, id);
  }
});
