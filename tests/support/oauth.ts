/** An app that signs in: the official client's OAuth, and a person who decides in Studio. */
import { assert, assertEquals } from "@std/assert";
import { Client } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/client/auth"
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
// @ts-types="@modelcontextprotocol/sdk/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
// @ts-types="@modelcontextprotocol/sdk/shared/auth"
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import { base64url } from "../../domain/foundation/secrets.ts";
import { freePort } from "./process.ts";
import { type TestOptions, type TestService, testService } from "./service.ts";
import type { StudioPerson } from "./studio.ts";

/** The service at a real address; the clock moves on a second with each request. */
export class Served implements AsyncDisposable {
  readonly t: TestService;
  readonly url: string;
  readonly #server: Deno.HttpServer;

  constructor(t: TestService, port: number) {
    this.t = t;
    this.url = t.service.settings.BASE_URL;
    this.#server = Deno.serve({ port, hostname: "127.0.0.1", onListen() {} }, (request, info) => {
      t.turn(1_000);
      return t.app.fetch(request, { info });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
    await this.t[Symbol.asyncDispose]();
  }
}

export async function served(options: TestOptions = {}): Promise<Served> {
  const port = freePort();
  const environ = { PORT: String(port), ...options.environ };
  return new Served(await testService({ ...options, environ }), port);
}

export const REDIRECT = "http://127.0.0.1:7777/callback";

/** What the official client keeps of an app, in memory. */
export class AppStore implements OAuthClientProvider {
  readonly clientMetadataUrl?: string;
  client: OAuthClientInformationMixed | undefined;
  kept: OAuthTokens | undefined;
  verifier = "";
  /** Where the person was sent. */
  sentTo: URL | undefined;

  constructor(clientMetadataUrl?: string) {
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }

  get redirectUrl() {
    return REDIRECT;
  }
  get clientMetadata(): OAuthClientMetadata {
    return { client_name: "Test agent", redirect_uris: ["http://127.0.0.1:1/callback"] };
  }
  state() {
    return "state of the app";
  }
  clientInformation() {
    return this.client;
  }
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.client = client;
  }
  tokens() {
    return this.kept;
  }
  saveTokens(tokens: OAuthTokens) {
    this.kept = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url;
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
  invalidateCredentials(scope: string) {
    if (scope === "tokens" || scope === "all") this.kept = undefined;
    if (scope === "all") this.client = undefined;
  }
}

/** The official client and its transport. */
export function appClient(
  { url }: Pick<Served, "url">,
  store: AppStore,
  send: typeof fetch = fetch,
) {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    authProvider: store,
    fetch: send,
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  const connect = () => client.connect(transport as Parameters<Client["connect"]>[0]);
  return { client, transport, connect };
}

/** The consent form of a page, without what a person fills in. */
export function formOf(page: string): { action: string; proof: string } {
  const [, action = ""] = /<form class="form card" method="post" action="([^"]+)"/.exec(page) ?? [];
  const [, proof = ""] = /name="proof" value="([^"]+)"/.exec(page) ?? [];
  return { action: action.replaceAll("&amp;", "&"), proof };
}

/** What a person fills in, unless a test says otherwise. */
export const DECISION = { decision: "allow", until: "month" };

/** Opens the consent page and sends its form; returns where the person is led. */
export async function decide(
  person: StudioPerson,
  url: URL | string,
  fields: Record<string, string> = {},
  scopes = ["postsRead", "createRead"],
): Promise<{ status: number; text: string; next: string }> {
  const { pathname, search } = new URL(url);
  const page = await person.open(pathname + search);
  assertEquals(page.status, 200, page.text);
  const { action, proof } = formOf(page.text);
  assert(action !== "", page.text);
  const given = { ...DECISION, brand: person.brand.id, proof, ...fields };
  return await person.send(action, [
    ...Object.entries(given),
    ...scopes.map((scope): [string, string] => ["scopes", scope]),
  ]);
}

/** What the consent page answers to that address; no answer may lead anywhere by itself. */
export async function opened(person: StudioPerson, address: string) {
  const { pathname, search } = new URL(address);
  const { status, text, headers } = await person.open(pathname + search);
  assertEquals(headers.get("location"), null);
  assert(!/http-equiv/i.test(text));
  return { status, text };
}

/** The code in an address that leads back to the app. */
export function codeOf(next: string): string {
  const code = new URL(next).searchParams.get("code");
  assert(code !== null, next);
  return code;
}

/** An app that sends each request by hand. */
export class HandMadeApp {
  readonly #t: TestService;
  id = "";
  readonly verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));

  constructor(t: TestService) {
    this.#t = t;
  }

  static async registered(t: TestService, redirectUris = [REDIRECT]): Promise<HandMadeApp> {
    const app = new HandMadeApp(t);
    const { status, json } = await app.register({ redirect_uris: redirectUris });
    assertEquals(status, 201);
    app.id = String(json["client_id"]);
    return app;
  }

  async register(metadata: unknown) {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify(metadata);
    return await answerOf(
      await this.#t.app.request("/oauth/register", { method: "POST", headers, body }),
    );
  }

  /** The address to which the app sends a person; an empty parameter is left out. */
  async address(over: Record<string, string> = {}): Promise<string> {
    const { BASE_URL } = this.#t.service.settings;
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(this.verifier));
    const query = new URLSearchParams({
      ...{ response_type: "code", client_id: this.id, redirect_uri: REDIRECT, state: "s" },
      ...{ code_challenge: base64url(digest), code_challenge_method: "S256" },
      ...{ resource: `${BASE_URL}/mcp`, scope: "postsRead createRead" },
      ...over,
    });
    for (const [name, value] of [...query]) if (value === "") query.delete(name);
    return `${BASE_URL}/studio/authorize?${query}`;
  }

  /** A code that the person has allowed. */
  async code(person: StudioPerson, fields: Record<string, string> = {}, scopes?: string[]) {
    const { next, text } = await decide(person, await this.address(), fields, scopes);
    assert(next !== "", text);
    return codeOf(next);
  }

  async send(path: "token" | "revoke", fields: Record<string, string>) {
    const body = new URLSearchParams({ client_id: this.id, ...fields });
    for (const [name, value] of [...body]) if (value === "") body.delete(name);
    return await answerOf(await this.#t.app.request(`/oauth/${path}`, { method: "POST", body }));
  }

  exchange(code: string, over: Record<string, string> = {}) {
    const grant = { grant_type: "authorization_code", redirect_uri: REDIRECT };
    return this.send("token", { ...grant, code, code_verifier: this.verifier, ...over });
  }

  refresh(token: string, over: Record<string, string> = {}) {
    return this.send("token", { grant_type: "refresh_token", refresh_token: token, ...over });
  }

  /** The status of a call to `/mcp` with that access token. */
  async status(access: string): Promise<number> {
    const answer = await this.#t.call(access, "/mcp", {
      method: "POST",
      body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    });
    await answer.body?.cancel();
    return answer.status;
  }
}

async function answerOf(answer: Response) {
  const text = await answer.text();
  const json: Record<string, unknown> = text === "" ? {} : JSON.parse(text);
  return { status: answer.status, json, headers: answer.headers };
}
