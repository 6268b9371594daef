/** A path in BASE_URL. A proxy removes it, so every address for a browser must include it. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createAccount } from "../../domain/brands/accounts.ts";
import { createBrand } from "../../domain/brands/brands.ts";
import { listSocialAccounts } from "../../domain/platforms/accounts.ts";
import { picture } from "../support/pictures.ts";
import { type TestService, testService } from "../support/service.ts";

const BASE = "https://acme.example/tools/marquee";
const PERSON = { email: "a@example.com", password: "correct horse" };

/** The proxy in front of the service: it removes the path. */
function behindProxy(t: TestService): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    assert(request.url.startsWith(`${BASE}/`), `${request.url} is not below ${BASE}`);
    return await t.app.request(new Request(request.url.replace(BASE, "http://inside"), request));
  };
}

const site = () => testService({ environ: { BASE_URL: BASE, SANDBOX_PUBLIC: "on" } });

/** A browser without scripts: keeps the cookie, sends it where its path allows. */
class Browser {
  readonly #fetch: typeof fetch;
  #cookie = "";
  #cookiePath = "";

  constructor(t: TestService) {
    this.#fetch = behindProxy(t);
  }

  /** Returns the page at the end of all redirects. */
  async visit(url: string, form?: Record<string, string>): Promise<{ url: string; page: string }> {
    const sent = new URL(url).pathname.startsWith(this.#cookiePath) ? this.#cookie : "";
    const answer = await this.#fetch(url, {
      method: form === undefined ? "GET" : "POST",
      headers: { origin: new URL(BASE).origin, cookie: sent },
      body: form === undefined ? null : new URLSearchParams(form),
    });
    const set = /^([^;]+);.* ?Path=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "");
    if (set !== null) [this.#cookie, this.#cookiePath] = [set[1]!, set[2]!];
    const page = await answer.text();
    const location = answer.headers.get("location");
    if (location !== null) return await this.visit(new URL(location, url).href);
    assertEquals(answer.status, 200, `${url}: ${page}`);
    return { url, page };
  }
}

/** The addresses in an HTML page, made absolute. */
function addresses({ url, page }: { url: string; page: string }, attribute: string): string[] {
  if (!/^\s*<!doctype html>/.test(page)) return [];
  return [...page.matchAll(new RegExp(` ${attribute}="([^"]+)"`, "g"))]
    .map(([, address]) => new URL(address!.replaceAll("&amp;", "&"), url).href);
}

Deno.test("pages, forms, redirects and the cookie work below a path", async () => {
  await using t = await site();
  const { kv } = t.service;
  const account = await createAccount(t.service, PERSON);
  const { id } = await createBrand(t.service, {
    name: "A",
    plan: "studio",
    accountId: account.id,
  });
  const browser = new Browser(t);
  const seen = new Set<string>();
  const walk = async (from: { url: string; page: string }) => {
    for (const attribute of ["href", "src"]) {
      for (const address of addresses(from, attribute)) {
        // Links of the guide to other sites have nothing to do with the path.
        // The calendar leads from month to month without an end.
        if (address.includes("/calendar?")) continue;
        // A place on the page itself: no browser asks for the page again.
        if (address.endsWith("#main")) continue;
        if (seen.has(address) || new URL(address).origin !== new URL(BASE).origin) continue;
        seen.add(address);
        await walk(await browser.visit(address));
      }
    }
    for (const action of addresses(from, "action")) assert(action.startsWith(`${BASE}/`), action);
  };
  await walk(await browser.visit(`${BASE}/docs`));
  const door = await browser.visit(`${BASE}/dashboard`);
  const home = await browser.visit(addresses(door, "action")[0]!, PERSON);
  assertEquals(home.url, `${BASE}/studio/${id}`);
  await walk(home);
  for (const path of ["/studio/assets/studio.css", `/studio/${id}/library`, "/docs/start.js"]) {
    assert(seen.has(BASE + path), path);
  }

  const made = await browser.visit(`${BASE}/studio/brands/new`, { name: "B" });
  assertStringIncludes(made.url, `${BASE}/studio/brd_`);
  const accounts = await browser.visit(`${made.url}/settings/accounts`);
  const connect = addresses(accounts, "href").find((href) => href.includes("/connect/instagram"))!;
  const consent = await browser.visit(connect);
  const connected = await browser.visit(`${consent.url}&handle=acme&decision=allow`);
  assertStringIncludes(connected.page, "acme");
  assertEquals((await listSocialAccounts(kv, null)).length, 1);
  await walk(connected);
  await browser.visit(`${BASE}/dashboard/sign-out`, {});
  assertStringIncludes((await browser.visit(`${BASE}/dashboard`)).page, "password");
});

Deno.test("the cookie is for the service's path only", async () => {
  await using t = await site();
  await createAccount(t.service, PERSON);
  const body = new URLSearchParams(PERSON);
  const answer = await behindProxy(t)(`${BASE}/dashboard/sign-in`, { method: "POST", body });
  assertStringIncludes(answer.headers.get("set-cookie")!, "; Path=/tools/marquee/; ");
});

Deno.test("addresses for programs work below a path: description, upload links, files", async () => {
  await using t = await site();
  const { secret } = await t.brand();
  const fetchBelow = behindProxy(t);
  const description = await (await fetchBelow(`${BASE}/v1/openapi.json`)).json();
  assertEquals(description.servers, [{ url: BASE }]);
  assertStringIncludes(await (await fetchBelow(`${BASE}/docs.md`)).text(), `\`${BASE}\``);
  const bytes = await picture("png");
  const post = async (path: string, body: unknown) => {
    t.turn(1_000);
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const call = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetchBelow(BASE + path, call);
    assertEquals(answer.status, 201, await answer.clone().text());
    return await answer.json();
  };
  const image = { kind: "logo", name: "Logo", contentType: "image/png", size: bytes.length };
  const { uploadUrl, key, url } = await post("/v1/assets/uploads", image);
  const headers = { "content-type": "image/png" };
  const put = await fetchBelow(uploadUrl, { method: "PUT", headers, body: bytes });
  assertEquals(put.status, 200);
  const asset = await post("/v1/assets", { key, url });
  assertEquals(await (await fetchBelow(asset.url)).bytes(), bytes);
});
