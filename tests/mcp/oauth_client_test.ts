/** The official client signs in by OAuth: registration, consent, tokens, refresh, revocation. */
import { assert, assertEquals, assertRejects } from "@std/assert";
// @ts-types="@modelcontextprotocol/sdk/client/auth"
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { listApiKeys, revokeApiKey } from "../../domain/brands/keys.ts";
import { HOUR } from "../../domain/foundation/calendar.ts";
import { appClient, AppStore, codeOf, decide, formOf, REDIRECT, served } from "../support/oauth.ts";
import { testService } from "../support/service.ts";
import { studioPerson } from "../support/studio.ts";

Deno.test("an app registers, is let in, lists its tools, refreshes, and is revoked at once", async () => {
  await using s = await served();
  const person = await studioPerson(s.t);
  const store = new AppStore();
  const first = appClient(s, store);
  await assertRejects(() => first.connect(), UnauthorizedError);
  assert(store.sentTo !== undefined);
  assertEquals(store.sentTo.searchParams.get("resource"), `${s.url}/mcp`);

  const limits = { publishesPerDay: "2", creditsPerDay: "" };
  const { status, next } = await decide(person, store.sentTo, limits);
  assertEquals(status, 303);
  const back = new URL(next);
  assertEquals(next.split("?")[0], REDIRECT);
  assertEquals(back.searchParams.get("state"), "state of the app");
  assertEquals(back.searchParams.get("iss"), s.url);
  await first.transport.finishAuth(codeOf(next));
  assertEquals(store.kept?.scope, "postsRead createRead");

  const { client, connect } = appClient(s, store);
  await connect();
  const names = (await client.listTools()).tools.map(({ name }) => name);
  assert(names.includes("list_posts"));
  assert(!names.includes("publish_item") && !names.includes("generate_image"));
  const key = await client.callTool({ name: "get_key", arguments: {} });
  const shown = key.structuredContent as Record<string, Record<string, unknown>>;
  assertEquals([shown["name"], shown["budgets"]?.["publishesPerDay"]], ["Test agent", 2]);

  const before = store.kept;
  s.t.turn(HOUR);
  await client.listTools();
  assert(store.kept?.access_token !== before?.access_token, "it was refreshed");
  assert(store.kept?.refresh_token !== before?.refresh_token, "the refresh token was, too");

  const [record, ...others] = await listApiKeys(s.t.service.kv, person.brand.id);
  assertEquals([record?.name, record?.app?.clientId, others], [
    "Test agent",
    store.client?.client_id,
    [],
  ]);
  await revokeApiKey(s.t.service, record!.id);
  store.sentTo = undefined;
  await assertRejects(() => client.listTools(), UnauthorizedError);
  assert(store.sentTo !== undefined, "a person has to let it in again");
  await client.close();
});

Deno.test("an app whose id is a document signs in behind a proxy that forwards one path only", async () => {
  const site = "https://acme.example";
  const BASE_URL = `${site}/tools/marquee`;
  const id = "https://agent.example/client.json";
  const document = JSON.stringify({ client_id: id, redirect_uris: [REDIRECT] });
  const fetchPublic = () => Promise.resolve(new TextEncoder().encode(document));
  await using t = await testService({
    environ: { BASE_URL, SANDBOX: "off" },
    dependencies: { fetchPublic },
  });
  const send: typeof fetch = async (input, init) => {
    t.turn(1_000);
    const request = new Request(input, init);
    if (!request.url.startsWith(`${BASE_URL}/`)) return new Response("not here", { status: 404 });
    return await t.app.request(
      new Request(request.url.replace(BASE_URL, "http://inside"), request),
    );
  };
  const person = await studioPerson(t);
  const cookie = person.cookie.replace("marquee", "__Secure-marquee");
  const store = new AppStore(id);
  const first = appClient({ url: BASE_URL }, store, send);
  await assertRejects(() => first.connect(), UnauthorizedError);
  assert(store.sentTo !== undefined);
  assertEquals(store.sentTo.searchParams.get("client_id"), id);
  const page = await (await send(store.sentTo, { headers: { cookie } })).text();
  const { action, proof } = formOf(page);
  const decided = { brand: person.brand.id, until: "day", scopes: "postsRead", decision: "allow" };
  const answer = await send(site + action, {
    method: "POST",
    headers: { cookie, origin: site },
    body: new URLSearchParams({ ...decided, proof }),
  });
  await first.transport.finishAuth(codeOf(answer.headers.get("location") ?? ""));
  const { client, connect } = appClient({ url: BASE_URL }, store, send);
  await connect();
  assert((await client.listTools()).tools.length > 0);
  await client.close();
});
