/** Studio's door: who is signed in, which brand, what a refusal looks like. */
import type { Hono } from "hono";
import type { z } from "zod";
import type { JSX } from "hono/jsx/jsx-runtime";
import { explain, noSuch, ServiceError } from "../../domain/foundation/errors.ts";
import { ROLE_SCOPES } from "../../domain/brands/roles.ts";
import { getBrand } from "../../domain/operations/brand.ts";
import { mayPerform, notWithRole } from "../../domain/operations/gate.ts";
import {
  type AnyOperation,
  mediaTypeOf,
  type Operation,
  Streamed,
} from "../../domain/operations/operation.ts";
import { getPostsVersion } from "../../domain/operations/live.ts";
import { compressedIfWorth, streamedResponse } from "../../domain/operations/representation.ts";
import { retryHeader } from "../../domain/operations/http.ts";
import type { Service } from "../../domain/service/service.ts";
import { basePath } from "../base_path.ts";
import { addBrandAs, callAs, isKnownBrowser, type Person, personOf } from "../person.ts";
import type { AppContext, AppEnv } from "../request.ts";
import { hasTextOnly, readFields, textOf } from "./form.ts";
import { keptPicture, pageHeaders } from "./headers.ts";
import { Alone } from "./parts/frame.tsx";
import { NewBrandPage } from "./pages/brands.tsx";
import { SignInPage } from "./pages/sign_in.tsx";
import { LiveStreams } from "./live.ts";
import { queryOf, type Shown, STUDIO, type Studio } from "./studio.ts";
import { plain } from "./words.ts";

type Element = JSX.Element;
/** The operation for which a page is there, or which a form performs. */
type For = Pick<AnyOperation, "scopes">;

const REFUSED: Record<number, string> = { 403: "Not yours to do", 404: "Not here" };

const NEW_BRAND = `${STUDIO}/brands/new`;

/** A page of a brand: reads what it shows by operations, and renders it. */
export type PageOf = (studio: Studio, shown: Shown) => Promise<Element>;
/** What a form does. Returns the path of the brand to go on to, or a page. */
export type Act = (studio: Studio, fields: FormData) => Promise<string | Element>;

export class Door {
  readonly #service: Service;
  readonly #app: Hono<AppEnv>;
  readonly #base: string;
  readonly #streams = new LiveStreams();

  constructor(service: Service, app: Hono<AppEnv>) {
    this.#service = service;
    this.#app = app;
    this.#base = basePath(service.settings);
  }

  /** Adds the address that leads to the first brand, and the page that makes another. */
  home(): void {
    const base = this.#base;
    this.#app.get(STUDIO, async (c) => {
      const person = await personOf(this.#service, c.req.raw);
      const [first] = person?.brands ?? [];
      if (person !== null && first === undefined) return c.redirect(`${base}${NEW_BRAND}`, 303);
      if (first !== undefined) return c.redirect(`${base}${STUDIO}/${first.id}`, 303);
      return this.#show(c, <SignInPage base={base} />);
    });
    this.#app.get(NEW_BRAND, (c) =>
      this.#signedIn(c, (person) => {
        const hasBrands = person.brands.length > 0;
        return this.#show(c, <NewBrandPage base={base} hasBrands={hasBrands} />);
      }));
    this.#app.post(NEW_BRAND, (c) =>
      this.#signedIn(c, async (person, fields) => {
        const name = textOf(fields, "name");
        try {
          const { id } = await addBrandAs(this.#service, c, person, name);
          return c.redirect(`${base}${STUDIO}/${id}`, 303);
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          const words = { error: plain(error.message), name };
          const hasBrands = person.brands.length > 0;
          const page = <NewBrandPage base={base} hasBrands={hasBrands} {...words} />;
          return this.#show(c, page, error.status);
        }
      }));
  }

  /** Adds a page at a path of a brand. Without `of`, everybody in the brand may see it. */
  page(path: string, page: PageOf, of?: For): void {
    this.#app.get(`${STUDIO}/:brand${path}`, (c) =>
      this.#within(c, async (studio) => {
        return this.#show(c, await page(studio, {}));
      }, of));
  }

  /** Adds a file of a brand: what an operation streams, for saving. */
  file<Input extends z.ZodObject, Output extends z.ZodType>(
    path: string,
    operation: Operation<Input, Output>,
    inputOf: (studio: Studio) => z.input<Input>,
  ): void {
    const [name] = path.split("/").slice(-1);
    this.#app.get(`${STUDIO}/:brand${path}`, (c) =>
      this.#within(c, async (studio) => {
        const value = await studio.call(operation, inputOf(studio));
        if (!(value instanceof Streamed)) throw new Error(`${path} is no file`);
        const day = new Date(studio.now).toISOString().slice(0, 10);
        return streamedResponse(c.req.raw, value, mediaTypeOf(operation.output), {
          "cache-control": "no-store",
          "content-disposition": `attachment; filename="${day}-${name}"`,
          "x-content-type-options": "nosniff",
        });
      }));
  }

  /**
   * Adds a picture, a JPEG that the person's browser keeps: its address says all that it shows.
   * @param isFixed whether it never changes; a picture with the brand's look, for one, does
   */
  picture(
    path: string,
    read: (studio: Studio) => Promise<Uint8Array>,
    { isFixed }: { isFixed: boolean },
  ): void {
    this.#app.get(`${STUDIO}/:brand${path}`, (c) =>
      this.#within(c, async (studio) => {
        return await keptPicture(c.req.raw, await read(studio), isFixed);
      }));
  }

  /**
   * Adds a form, for those whose role includes the operation that it performs. What is refused is shown
   * on `page`, with the fields as they were given.
   */
  form(path: string, page: PageOf, act: Act, of: For): void {
    this.#app.post(`${STUDIO}/:brand${path}`, (c) =>
      this.#within(c, async (studio, fields) => {
        try {
          const next = await act(studio, fields);
          if (typeof next !== "string") return this.#show(c, next);
          // A path of another place is left as it is: whoever has left a brand can't go back to it.
          return c.redirect(next === STUDIO ? this.#base + STUDIO : studio.at(next), 303);
        } catch (error) {
          if (!(error instanceof ServiceError) || error.code === "notFound") throw error;
          for (const [name, value] of Object.entries(retryHeader(error))) c.header(name, value);
          const shown = { error: plain(error.message), given: fields };
          return this.#show(c, await page(studio, shown), error.status);
        }
      }, of));
  }

  /** Adds the stream that says when the brand's posts have changed. */
  live(path: string): void {
    this.#app.get(
      `${STUDIO}/:brand${path}`,
      (c) =>
        this.#within(c, (studio, _fields, { session }) => {
          if (c.get("isHead")) return c.body(null, 200);
          const { raw } = c.req;
          // The request itself is closed once the answer has begun.
          const asked = new Request(raw.url, { headers: new Headers(raw.headers) });
          const isIn = (person: Person | null) => person?.roles.has(studio.brand.id) ?? false;
          return this.#streams.answer({
            sessionId: session.id,
            since: raw.headers.get("last-event-id") ?? queryOf(studio, "since"),
            version: async () => (await studio.call(getPostsVersion, {})).version,
            stillMay: async () => isIn(await personOf(this.#service, asked)),
            signal: AbortSignal.any([raw.signal, this.#service.stopping]),
          });
        }),
    );
  }

  /**
   * Answers people who are signed in; shows the others the way in. Of a browser that has signed in
   * before, the texts of its form are kept until it has again. A stranger's body is not read.
   */
  async #signedIn(
    c: AppContext,
    answer: (person: Person, fields: FormData) => Promise<Response> | Response,
  ): Promise<Response> {
    const service = this.#service;
    const request = c.req.raw;
    const isForm = request.method === "POST";
    try {
      const person = await personOf(service, request);
      if (person !== null) {
        return await answer(person, isForm ? await readFields(request) : new FormData());
      }
      const keeps = isForm && hasTextOnly(request) && await isKnownBrowser(service, request);
      const fields = keeps ? await readFields(request) : undefined;
      const query = isForm ? "" : new URL(c.req.url).search;
      const next = `${this.#base}${c.req.path}${query}`;
      const page = <SignInPage base={this.#base} next={next} fields={fields} />;
      return await this.#show(c, page, 401);
    } catch (error) {
      return await this.#refused(c, error);
    }
  }

  #within(
    c: AppContext,
    answer: (
      studio: Studio,
      fields: FormData,
      person: Person,
    ) => Promise<Response> | Response,
    of?: For,
  ): Promise<Response> {
    const service = this.#service;
    return this.#signedIn(c, async (person, fields) => {
      const brand = person.brands.find(({ id }) => id === c.req.param("brand"));
      const role = person.roles.get(brand?.id ?? "");
      if (brand === undefined || role === undefined) throw noSuch("brand");
      const may = (one: For) => mayPerform(ROLE_SCOPES[role], one);
      if (of !== undefined && !may(of)) throw notWithRole(role);
      const call = callAs(service, c, person, brand);
      const about = await call(getBrand, {});
      const { session: { email }, brands } = person;
      const at = (path: string) => `${this.#base}${STUDIO}/${brand.id}${path}`;
      const studio = {
        ...{ c, base: this.#base, email, brand, brands, about, call, role, may, at },
        ...{ zone: about.timeZone, now: service.now(), address: service.settings.BASE_URL },
      };
      return await answer(studio, fields, person);
    });
  }

  async #refused(c: AppContext, error: unknown): Promise<Response> {
    const { status, message } = explain(error, c.get("requestId"), this.#service.log);
    const page = (
      <Alone base={this.#base} title={REFUSED[status] ?? "Something went wrong"}>
        <p>{plain(message)}</p>
        <p>
          <a class="button" href={`${this.#base}${STUDIO}`}>Back to Studio</a>
        </p>
      </Alone>
    );
    return await this.#show(c, page, status);
  }

  async #show(c: AppContext, page: Element, status = 200): Promise<Response> {
    const headers = { ...pageHeaders(this.#service.settings), vary: "accept-encoding" };
    const answer = await c.html(<>{page}</>, status as 200, headers);
    // A form's answer may show a key or an invitation beside words that somebody else has chosen; its
    // length when compressed would tell of the secret (BREACH). So only pages that are read are.
    if (c.req.method !== "GET") return answer;
    return await compressedIfWorth(await answer.bytes(), c.req.header("accept-encoding") ?? "", {
      status,
      headers: Object.fromEntries(answer.headers),
    });
  }
}
