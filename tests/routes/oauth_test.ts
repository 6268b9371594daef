/** Connecting by OAuth: the state belongs to one session, scopes are checked, people can cancel. */
import { createHash } from "node:crypto";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { auditRows } from "../../domain/kv/audit.ts";
import { MINUTE } from "../../domain/foundation/calendar.ts";
import { Platform } from "../../domain/posts/shape.ts";
import { listSocialAccounts } from "../../domain/platforms/accounts.ts";
import { type Rehearsal, rehearse, signedIn } from "../support/rehearsal.ts";

function visit(r: Rehearsal, url: string, cookie: string | null): Promise<Response> {
  const path = url.replace(r.service.settings.BASE_URL, "");
  return r.t.request(null, path, { headers: cookie === null ? {} : { cookie } });
}

/** The address of a link on the brand's page. */
async function linkOf(r: Rehearsal, cookie: string, words: string): Promise<string> {
  const page = await (await visit(r, `/studio/${r.brand.brand.id}/settings/accounts`, cookie))
    .text();
  const address = new RegExp(
    `href="([^"]+)">(?:<svg[^/]*<path[^>]*></path></svg>)?\\s*${words}\\s*</a>`,
  ).exec(page)
    ?.[1];
  assert(address, `no link says ${words}`);
  return address.replaceAll("&amp;", "&");
}

/** Visits the platform's consent page and returns the address of the callback. */
async function consent(
  r: Rehearsal,
  cookie: string,
  platform: Platform,
  change: Record<string, string> = {},
  start = `/connect/${platform}?brand=${r.brand.brand.id}`,
): Promise<string> {
  const begun = await visit(r, start, cookie);
  assertEquals(begun.status, 302, await begun.clone().text());
  const authorize = new URL(begun.headers.get("location")!);
  for (const [name, value] of Object.entries(change)) authorize.searchParams.set(name, value);
  const back = await visit(r, authorize.href, null);
  assertEquals(back.status, 302, await back.clone().text());
  return back.headers.get("location")!.replace(/#.*$/, "");
}

const HANDLES = [
  ["instagram", "acme", "Instagram", "professional"],
  ["linkedin", "acme", "LinkedIn Page", "organization"],
  ["linkedin", "member-jane", "LinkedIn profile", "member"],
  ["youtube", "acme", "YouTube", "channel"],
] as const;

for (const [platform, handle, words, kind] of HANDLES) {
  Deno.test(`${words}: Studio leads to consent, it connects, and posts can be read`, async () => {
    await using r = await rehearse();
    const cookie = await signedIn(r);
    const start = await linkOf(r, cookie, words);
    const callback = await consent(r, cookie, platform, { handle }, start);
    const page = await visit(r, callback, cookie);
    assertEquals(page.status, 200, await page.clone().text());
    assertMatch(await page.text(), new RegExp(`${words}: @?${handle}`));
    const [account] = await listSocialAccounts(r.service.kv, r.brand.brand.id);
    assertEquals([account?.platform, account?.kind, account?.status], [
      platform,
      kind,
      "connected",
    ]);
    const trail = await Array.fromAsync(auditRows(r.service, [r.brand.brand.id]));
    assertEquals(
      trail.slice(2).map(({ action, actor, subject }) => [action, actor.kind, subject]),
      [
        ["social.connected", "account", account!.id],
      ],
    );
    const report = await r.pass();
    assertEquals(report["failed"], 0);
    assert(kind === "member" || report["posts"] > 0);
    assertStringIncludes(
      await (await visit(r, `/studio/${r.brand.brand.id}/settings/accounts`, cookie)).text(),
      `<div class="soft small">${words},`,
    );

    // The state is used up, so a second visit of the same address connects nothing.
    assertEquals((await visit(r, callback, cookie)).status, 403);
    // The same handle by the other way of signing in is the same account.
    const again = await r.connect(platform, handle);
    assertEquals(again.id, account!.id);
  });
}

Deno.test("a state of another session, or an old or forged one, connects nothing", async () => {
  await using r = await rehearse();
  const cookie = await signedIn(r);
  const other = await signedIn(r);
  for (const platform of Platform.options) {
    const callback = await consent(r, cookie, platform, { handle: "acme" });
    assertEquals((await visit(r, callback, null)).status, 401);
    assertEquals((await visit(r, callback, other)).status, 403);
    const forged = callback.replace(/state=[^&.]+/, "state=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    assertEquals((await visit(r, forged, cookie)).status, 403);
    r.t.turn(16 * MINUTE);
    assertEquals((await visit(r, callback, cookie)).status, 403);
  }
  assertEquals(await listSocialAccounts(r.service.kv, null), []);
});

Deno.test("a scope that was not granted is named, and nothing is connected", async () => {
  await using r = await rehearse();
  const cookie = await signedIn(r);
  const cases = [
    ["instagram", "instagram_business_basic", "instagram_business_content_publish"],
    ["linkedin", "r_organization_social", "rw_organization_admin"],
    ["youtube", "https://www.googleapis.com/auth/youtube.readonly", "yt-analytics.readonly"],
  ] as const;
  for (const [platform, scope, missing] of cases) {
    const callback = await consent(r, cookie, platform, { handle: "acme", scope });
    const page = await visit(r, callback, cookie);
    assertEquals(page.status, 403);
    assertStringIncludes(await page.text(), missing);
  }
  assertEquals(await listSocialAccounts(r.service.kv, null), []);
});

Deno.test("a cancelled sign-in says so, and another brand's owner can't begin one", async () => {
  await using r = await rehearse();
  const cookie = await signedIn(r);
  for (const platform of Platform.options) {
    const callback = await consent(r, cookie, platform, { decision: "cancel" });
    const page = await visit(r, callback, cookie);
    assertEquals(page.status, 409);
    assertStringIncludes(await page.text(), "cancelled");
  }
  const { brand } = await r.t.brand();
  assertEquals((await visit(r, `/connect/youtube?brand=${brand.id}`, cookie)).status, 404);
  assertEquals((await visit(r, `/connect/myspace?brand=${brand.id}`, cookie)).status, 404);
});

Deno.test("Google gets a PKCE challenge whose verifier is kept sealed; a code for another is refused", async () => {
  await using r = await rehearse();
  const cookie = await signedIn(r);
  const begin = async (platform: Platform) => {
    const begun = await visit(r, `/connect/${platform}?brand=${r.brand.brand.id}`, cookie);
    return new URL(begun.headers.get("location")!).searchParams;
  };
  for (const platform of ["instagram", "linkedin"] as const) {
    assertEquals((await begin(platform)).get("code_challenge"), null, "not documented there");
  }
  const sent = await begin("youtube");
  assertEquals(sent.get("code_challenge_method"), "S256");
  const challenge = sent.get("code_challenge") ?? "";
  assertMatch(challenge, /^[\w-]{43}$/);
  const nonce = sent.get("state")!.split(".")[0]!;
  const { kv, secrets } = r.service;
  const { value } = await kv.get<{ verifier: string }>(["signIn", nonce]);
  const verifier = await secrets.open(value!.verifier, nonce);
  assertMatch(verifier, /^[\w-]{43}$/);
  assert(!value!.verifier.includes(verifier), "the store has no plain verifier");
  assertEquals(createHash("sha256").update(verifier).digest("base64url"), challenge);

  // Somebody's code is slipped into the person's dialogue: it was made for another challenge.
  const stolen = { handle: "acme", code_challenge: "A".repeat(43) };
  const page = await visit(r, await consent(r, cookie, "youtube", stolen), cookie);
  assertEquals(page.status, 409);
  assertStringIncludes(await page.text(), "Invalid code verifier");
  assertEquals(await listSocialAccounts(kv, null), []);

  const callback = new URL(await consent(r, cookie, "youtube", { handle: "acme" }));
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code: callback.searchParams.get("code")!,
    client_id: "marquee",
    client_secret: "secret",
    redirect_uri: callback.origin + callback.pathname,
  });
  const init = { method: "POST", body: form };
  const answer = await r.t.app.request("/sandbox/youtube/token", init);
  assertEquals(await answer.json(), {
    error: "invalid_grant",
    error_description: "Missing code verifier.",
  });
});
