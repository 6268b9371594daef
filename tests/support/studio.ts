/** Studio as a signed-in person uses it: pages, forms, and a brand with something in it. */
import { createAccount } from "../../domain/brands/accounts.ts";
import { type Brand, createBrand } from "../../domain/brands/brands.ts";
import type { Plan } from "../../domain/brands/plans.ts";
import { openSession } from "../../domain/brands/sessions.ts";
import type { Json } from "./json.ts";
import type { TestService } from "./service.ts";

type Fields = Record<string, string> | [string, string][] | FormData;

/** A person with a session and a brand. */
export class StudioPerson {
  readonly #t: TestService;
  readonly brand: Brand;
  readonly cookie: string;

  constructor(t: TestService, brand: Brand, token: string) {
    this.#t = t;
    this.brand = brand;
    this.cookie = `marquee_session=${token}`;
  }

  /** The address of a path of the brand. */
  at(path: string): string {
    return /^\/(studio|dashboard)/.test(path) ? path : `/studio/${this.brand.id}${path}`;
  }

  async open(path: string): Promise<{ status: number; text: string; headers: Headers }> {
    const answer = await this.#t.app.request(this.at(path), { headers: { cookie: this.cookie } });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  }

  /** A file that a page shows. */
  async take(path: string, headers: Record<string, string> = {}) {
    const answer = await this.#t.app.request(this.at(path), {
      headers: { cookie: this.cookie, ...headers },
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return { status: answer.status, headers: answer.headers, bytes };
  }

  /** Sends a form as the browser does. */
  async send(
    path: string,
    fields: Fields = {},
    headers: Record<string, string> = {},
  ): Promise<{ status: number; text: string; next: string }> {
    const answer = await this.#t.app.request(this.at(path), {
      method: "POST",
      headers: { cookie: this.cookie, origin: this.#origin, ...headers },
      body: fields instanceof FormData ? fields : new URLSearchParams(fields),
    });
    const next = answer.headers.get("location") ?? "";
    return { status: answer.status, text: await answer.text(), next };
  }

  get #origin(): string {
    return new URL(this.#t.service.settings.BASE_URL).origin;
  }
}

export async function studioPerson(
  t: TestService,
  { email = "ana@example.com", plan = "studio" as Plan, name = "Harbour Coffee" } = {},
): Promise<StudioPerson> {
  const account = await createAccount(t.service, { email, password: "correct horse" });
  const brand = await createBrand(t.service, { name, plan, accountId: account.id });
  return new StudioPerson(t, brand, await openSession(t.service, account));
}

/** The post as programs read it. */
export async function itemOf(t: TestService, { brand }: StudioPerson, id: string): Promise<Json> {
  const { secret } = await t.key(brand.id, ["createRead"]);
  return await (await t.call(secret, `/v1/items/${id}`)).json();
}
