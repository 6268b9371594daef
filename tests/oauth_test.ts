/** Connecting by OAuth: the state belongs to one session, scopes are checked, a cancel is heard. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { MINUTE } from "../domain/calendar.ts";
import { Platform } from "../domain/posts/shape.ts";
import { listSocialAccounts } from "../domain/social.ts";
import { type Rehearsal, rehearse, signedIn } from "./rehearsal.ts";

function visit(r: Rehearsal, url: string, cookie: string | null): Promise<Response> {
  const path = url.replace(r.service.settings.BASE_URL, "");
  return r.t.request(null, path, { headers: cookie === null ? {} : { cookie } });
}

/** The address behind a link of the brand's page. */
async function linkOf(r: Rehearsal, cookie: string, words: string): Promise<string> {
  const page = await (await visit(r, `/dashboard/brands/${r.brand.brand.id}`, cookie)).text();
  const address = new RegExp(`href="([^"]+)">\\s*${words}\\s*</a>`).exec(page)?.[1];
  assert(address, `no link says ${words}`);
  return address.replaceAll("&amp;", "&");
}

/** To the platform's consent page and back: the address of our callback. */
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
  Deno.test(`${words}: the dashboard leads to consent, it connects, and posts can be read`, async () => {
    await using r = await rehearse();
    const cookie = await signedIn(r);
    const start = await linkOf(r, cookie, `Connect ${words}`);
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
    const report = await r.pass();
    assertEquals(report["failed"], 0);
    assert(kind === "member" || report["posts"] > 0);
    assertStringIncludes(
      await (await visit(r, `/dashboard/brands/${r.brand.brand.id}`, cookie)).text(),
      `<small>${words}</small>`,
    );

    // The state has been used: a second visit of the same address connects nothing.
    assertEquals((await visit(r, callback, cookie)).status, 403);
    // The same handle by the other door is the same account.
    const again = await r.connect(platform, handle);
    assertEquals(again.id, account!.id);
  });
}

Deno.test("a state that another session began, or that is old or forged, connects nothing", async () => {
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
