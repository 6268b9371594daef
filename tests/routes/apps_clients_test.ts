/** What apps say of themselves, which anybody may: registrations and documents. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { DAY } from "../../domain/foundation/calendar.ts";
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
  const refused = await send("192.0.2.1", good);
  assertEquals([refused.status, refused.headers.get("retry-after")], [429, "3600"]);
  await refused.body?.cancel();
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
    const answer = await send(`192.0.2.${at + 10}`, JSON.stringify(body));
    const json = await answer.json();
    assertEquals([answer.status, json.error], [400, error], JSON.stringify(body).slice(0, 80));
  }
});

Deno.test("a registration that nobody uses ends after a week; one that is used stays", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const [used, unused] = [await HandMadeApp.registered(t), await HandMadeApp.registered(t)];
  await used.code(person);
  t.turn(8 * DAY);
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
