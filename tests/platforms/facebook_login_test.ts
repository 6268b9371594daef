/** Instagram by Facebook Login: its hosts, its sign-in, and accounts that Pages link to (PLATFORMS A). */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DAY, iso, SECOND } from "../../domain/foundation/calendar.ts";
import { publishPost } from "../../domain/platforms/publish.ts";
import { refreshAccount } from "../../domain/platforms/refresh.ts";
import {
  listSocialAccounts,
  readTokens,
  type SocialAccount,
} from "../../domain/platforms/accounts.ts";
import { Recorded, type Recording } from "../support/recordings.ts";
import { type Rehearsal, rehearse, signedIn } from "../support/rehearsal.ts";
import { NOON } from "../support/service.ts";

const GRAPH = "https://graph.facebook.com";
const ACCOUNT = "17841400000000001";
const GRANTED = [
  "instagram_basic",
  "instagram_manage_insights",
  "instagram_content_publish",
  "pages_show_list",
  "pages_read_engagement",
];
const LIFE = 5_183_944;

const grant = (token: string, seconds: number) => ({
  access_token: token,
  token_type: "bearer",
  expires_in: seconds,
});
const page = (id: string, username: string) => ({
  id: `page-${id}`,
  instagram_business_account: { id, username },
});
const permissions = (declined: string[] = []): Recording => ({
  path: "/v26.0/me/permissions",
  body: {
    data: GRANTED.map((permission) => ({
      permission,
      status: declined.includes(permission) ? "declined" : "granted",
    })),
  },
});
const PAGES: Recording[] = [
  {
    path: "after=QVFI2",
    body: { data: [{ id: "page-without" }, page("17841400000000002", "acme.cafe")] },
  },
  {
    path: "/v26.0/me/accounts?fields=instagram_business_account{id,username}",
    body: {
      data: [page(ACCOUNT, "acme")],
      paging: { cursors: { before: "QVFI1", after: "QVFI2" }, next: `${GRAPH}/next` },
    },
  },
];
const EXCHANGE = { path: "/v26.0/oauth/access_token", method: "POST" };
const SIGN_IN: Recording[] = [{ ...EXCHANGE, body: grant("user-token", LIFE) }, permissions()];

class Facebook implements AsyncDisposable {
  readonly r: Rehearsal;
  readonly server: Recorded;

  constructor(r: Rehearsal, server: Recorded) {
    this.r = r;
    this.server = server;
    // Calls to Facebook go to the recordings; the service may call nobody else.
    const http: typeof fetch = async (input, init) => {
      const url = String(input);
      assert(url.startsWith(`${GRAPH}/v26.0/`), url);
      return await fetch(url.replace(GRAPH, server.url), init);
    };
    Object.assign(r.service, { http });
  }

  /** Follows a person from the dashboard to Facebook and back with `code`. */
  async signIn(code = "the-code"): Promise<{ status: number; text: string; authorize: URL }> {
    const { r } = this;
    const headers = { cookie: await signedIn(r) };
    const begun = await r.t.request(null, `/connect/instagram?brand=${r.brand.brand.id}`, {
      headers,
    });
    const authorize = new URL(begun.headers.get("location")!);
    const state = encodeURIComponent(authorize.searchParams.get("state")!);
    const back = `/connect/instagram/callback?code=${code}&state=${state}`;
    const answer = await r.t.request(null, back, { headers });
    return { status: answer.status, text: await answer.text(), authorize };
  }

  accounts(): Promise<SocialAccount[]> {
    return listSocialAccounts(this.r.service.kv, this.r.brand.brand.id);
  }

  async connect(): Promise<SocialAccount> {
    assertEquals((await this.signIn()).status, 200);
    return (await this.accounts()).find(({ externalId }) => externalId === ACCOUNT)!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.r[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
  }
}

async function facebook(recordings: Recording[]): Promise<Facebook> {
  const environ = {
    INSTAGRAM_API_URL: GRAPH,
    INSTAGRAM_CLIENT_ID: "our-app",
    INSTAGRAM_CLIENT_SECRET: "our-secret",
  };
  return new Facebook(await rehearse({ environ }), new Recorded(recordings));
}

Deno.test("signing in by Facebook connects the accounts that all of the person's Pages link to", async () => {
  await using f = await facebook([...SIGN_IN, ...PAGES]);
  const { status, text, authorize } = await f.signIn();
  assertEquals([status, authorize.origin + authorize.pathname], [
    200,
    "https://www.facebook.com/v26.0/dialog/oauth",
  ]);
  assertEquals(authorize.searchParams.get("client_id"), "our-app");
  assertEquals(authorize.searchParams.get("response_type"), "code");
  assertEquals(authorize.searchParams.get("scope"), GRANTED.join(","));
  assertStringIncludes(text, "Instagram: acme, Instagram: acme.cafe");
  for (const account of await f.accounts()) {
    assertEquals([account.platform, account.kind, account.status], [
      "instagram",
      "professional",
      "connected",
    ]);
    const tokens = (await readTokens(f.r.service, account))!;
    assertEquals([tokens.access, tokens.refresh], ["user-token", null]);
    assertEquals(tokens.accessExpiresAt! - tokens.issuedAt, LIFE * SECOND);
  }
  const [short, long] = f.server.asked.map(({ body }) => new URLSearchParams(body));
  assertEquals(Object.fromEntries(short!), {
    client_id: "our-app",
    client_secret: "our-secret",
    redirect_uri: `${f.r.service.settings.BASE_URL}/connect/instagram/callback`,
    code: "the-code",
  });
  assertEquals(long!.get("grant_type"), "fb_exchange_token");
  assertEquals(long!.get("fb_exchange_token"), "user-token");
  for (const { url } of f.server.asked) assert(!/our-secret|user-token|the-code/.test(url), url);
});

Deno.test("the code exchange falls back to the documented GET where Facebook takes nothing else", async () => {
  const unsupported = {
    message: "Unsupported post request. Object with ID 'oauth' does not support this operation.",
    type: "GraphMethodException",
    code: 100,
    error_subcode: 33,
  };
  await using f = await facebook([
    { ...EXCHANGE, status: 400, body: { error: unsupported } },
    { path: "grant_type=fb_exchange_token", method: "GET", body: grant("user-token", LIFE) },
    { path: "&code=the-code", method: "GET", body: grant("short-token", 5_000) },
    permissions(),
    ...PAGES,
  ]);
  const account = await f.connect();
  assertEquals((await readTokens(f.r.service, account))!.access, "user-token");
});

Deno.test("an expired code, a declined permission or no linked account is explained and connects nothing", async () => {
  const expired = {
    message: "This authorization code has been used.",
    code: 100,
    error_subcode: 36009,
  };
  const cases: [Recording[], number, string][] = [
    [[{ ...EXCHANGE, status: 400, body: { error: expired } }], 409, "has been used"],
    [[SIGN_IN[0]!, permissions(["pages_show_list"]), ...PAGES], 403, "pages_show_list"],
    [[...SIGN_IN, { path: "/me/accounts", body: { data: [{ id: "1" }] } }], 409, "linked"],
  ];
  for (const [recordings, expected, words] of cases) {
    await using f = await facebook(recordings);
    const { status, text } = await f.signIn();
    assertEquals(status, expected);
    assertStringIncludes(text, words);
    assertEquals(await f.accounts(), []);
    for (const { url } of f.server.asked) assert(!url.includes("our-secret"), url);
  }
});

Deno.test("posts are read through Facebook's Graph, and a token near its end asks for a new sign-in", async () => {
  const medium = {
    id: "17895695668004550",
    caption: "Fresh #Bread",
    media_type: "IMAGE",
    media_product_type: "FEED",
    media_url: "https://scontent.example/1.jpg",
    permalink: "https://www.instagram.com/p/ABC/",
    timestamp: "2026-11-01T07:56:32+0000",
  };
  const views = { name: "views", period: "lifetime", values: [{ value: 120 }] };
  await using f = await facebook([
    ...SIGN_IN,
    ...PAGES,
    { path: `/v26.0/${ACCOUNT}/stories?`, body: { data: [] } },
    { path: `/v26.0/${ACCOUNT}/media?`, body: { data: [medium] } },
    { path: `/v26.0/${medium.id}/insights?`, body: { data: [views] } },
  ]);
  const account = await f.connect();
  const read = () => refreshAccount(f.r.service, account, new AbortController().signal);
  assertEquals((await read()).failed, 0);
  const [post] = await f.r.posts("instagram");
  assertEquals([post!.caption, post!.metrics.views], ["Fresh #Bread", 120]);
  const asked = f.server.asked.length;
  f.r.t.turnTo(iso(NOON + 55 * DAY));
  assertEquals((await read()).failed, 0);
  assertEquals((await f.r.again(account)).status, "expiring");
  for (const { url, headers } of f.server.asked.slice(asked)) {
    assertEquals(headers.get("authorization"), "Bearer user-token");
    assert(!/oauth|refresh|user-token/.test(url), "Facebook's tokens have no renewal");
  }
  assertEquals((await f.connect()).status, "connected");
});

Deno.test("a token that Facebook calls invalid moves the account to `reconnect`", async () => {
  const dead = {
    message: "Session has expired",
    type: "OAuthException",
    code: 190,
    error_subcode: 463,
  };
  await using f = await facebook([
    ...SIGN_IN,
    ...PAGES,
    { path: "/stories", status: 400, body: { error: dead } },
  ]);
  const account = await f.connect();
  const { failed } = await refreshAccount(f.r.service, account, new AbortController().signal);
  const met = await f.r.again(account);
  assertEquals([failed, met.status], [1, "reconnect"]);
  assertStringIncludes(met.error!, "Connect the account again.");
});

Deno.test("a post is published through Facebook's Graph: container, status, publication, address", async () => {
  const permalink = "https://www.instagram.com/p/NEW/";
  const limit = { quota_usage: 2, config: { quota_total: 50, quota_duration: 86_400 } };
  await using f = await facebook([
    ...SIGN_IN,
    ...PAGES,
    { path: `/${ACCOUNT}/content_publishing_limit?`, body: { data: [limit] } },
    { path: `/${ACCOUNT}/media_publish`, method: "POST", body: { id: "180" } },
    { path: `/${ACCOUNT}/media`, method: "POST", body: { id: "179" } },
    { path: "/179?fields=status_code", body: { id: "179", status_code: "FINISHED" } },
    { path: "/180?fields=permalink", body: { permalink, timestamp: "2026-11-20T12:00:01+0000" } },
  ]);
  const account = await f.connect();
  const attempt = await f.r.attempt(account);
  const before = f.server.asked.length;
  assertEquals(await publishPost(f.r.service, attempt), {
    state: "published",
    externalPostId: "180",
    url: permalink,
    publishedAt: "2026-11-20T12:00:01.000Z",
  });
  const sent = f.server.asked.slice(before);
  assertEquals(sent.map(({ method, url }) => `${method} ${url.split("?")[0]}`), [
    `GET /v26.0/${ACCOUNT}/content_publishing_limit`,
    `POST /v26.0/${ACCOUNT}/media`,
    "GET /v26.0/179",
    `POST /v26.0/${ACCOUNT}/media_publish`,
    "GET /v26.0/180",
  ]);
  const container = new URLSearchParams(sent[1]!.body);
  assertEquals(container.get("caption"), attempt.text);
  assertEquals(container.get("is_ai_generated"), "true");
  assertEquals(container.get("access_token"), "user-token");
  assertEquals(new URLSearchParams(sent[3]!.body).get("creation_id"), "179");
});
