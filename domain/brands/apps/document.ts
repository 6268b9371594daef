/** Apps whose id is the https address of a document about them (OAuth Client ID Metadata Document). */
import { HOUR, MINUTE, type Now, SECOND } from "../../foundation/calendar.ts";
import { ServiceError } from "../../foundation/errors.ts";
import { LruCache } from "../../foundation/lru.ts";
import { Turns } from "../../foundation/turns.ts";
import { Tries, type TryLimits } from "../tries.ts";
import { type AppClient, readMetadata } from "./client.ts";
import { AppRefusal } from "./refusal.ts";

/** The guarded fetch, as far as this needs it. */
interface Parts {
  kv: Deno.Kv;
  now: Now;
  fetchPublic: (
    url: string,
    limits: { maxBytes: number; field: string; accept: string; redirects: number },
  ) => Promise<Uint8Array>;
}

const LIMITS = {
  maxBytes: 8 * 1024,
  field: "appAddress",
  accept: "application/json",
  redirects: 0,
};
const LONGEST_ID = 500;
/** Documents that are kept, and how long they count. */
const CACHED = 200;
const FRESH_MS = 5 * MINUTE;
/** How long an address without such a document is not asked again. */
const REFUSED_MS = MINUTE;
/** Documents that one person may have fetched. */
const EACH: TryLimits = { collection: "appDocuments", most: 30, windowMs: HOUR };

/** What is known of an address: its app, or why it has none. */
interface Known {
  client: AppClient | Error;
  until: number;
}

/** Whether the id can be the address of a document. */
export function isDocumentId(id: string): boolean {
  const url = id.length <= LONGEST_ID ? URL.parse(id) : null;
  // The address must be written as it is fetched, so that one app has one id.
  return url?.protocol === "https:" && url.href === id && url.pathname !== "/" &&
    url.hash === "" && !id.includes("#") && url.username === "" && url.password === "";
}

export class Documents {
  readonly #parts: Parts;
  readonly #tries: Tries;
  readonly #known = new LruCache<string, Known>(CACHED);
  /** A host that hangs takes 15 seconds, and a person can name any number of them. */
  readonly #turns = new Turns<string>({
    ...{ running: 16, runningEach: 2, waiting: 32, waitingEach: 2 },
    refusal: "Too many apps ask for access at the same time. Try again shortly.",
  });

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#tries = new Tries(parts, EACH);
  }

  /**
   * The app that the document describes.
   * @param accountId whose request it is: so many documents are fetched for each person
   * @throws AppRefusal when the document does not describe the app with this id
   * @throws ServiceError when the document can't be fetched; `rateLimitExceeded` after 30 in an hour
   */
  async read(id: string, accountId: string): Promise<AppClient> {
    const known = this.#cached(id);
    if (known !== null) return known;
    const wait = await this.#tries.take(`account ${accountId}`);
    if (wait > 0) {
      const words = "You have opened too many apps that are new here. Try again later.";
      throw new ServiceError("rateLimitExceeded", words, { retryAfter: Math.ceil(wait / SECOND) });
    }
    return await this.#turns.run(
      accountId,
      // Another request may have fetched it while this one waited.
      async () => this.#cached(id) ?? await this.#fetchAndKeep(id),
    );
  }

  /** The app, or null if nothing is known of the address. @throws why it has none, if that is known */
  #cached(id: string): AppClient | null {
    const known = this.#known.get(id);
    if (known === undefined || known.until <= this.#parts.now()) return null;
    if (known.client instanceof Error) throw known.client;
    return known.client;
  }

  async #fetchAndKeep(id: string): Promise<AppClient> {
    const keep = (client: Known["client"], forMs: number) =>
      this.#known.set(id, { client, until: this.#parts.now() + forMs });
    try {
      const client = await this.#fetch(id);
      keep(client, FRESH_MS);
      return client;
    } catch (error) {
      if (error instanceof Error) keep(error, REFUSED_MS);
      throw error;
    }
  }

  async #fetch(id: string): Promise<AppClient> {
    const json = parse(await this.#parts.fetchPublic(id, LIMITS));
    if (json["client_id"] !== id) {
      throw new AppRefusal("invalid_client", "The app's document has another client_id.");
    }
    const method = json["token_endpoint_auth_method"] ?? "none";
    if (method !== "none") {
      throw new AppRefusal("invalid_client", "The app must have no secret: method “none”.");
    }
    return { id, ...readMetadata(json) };
  }
}

function parse(bytes: Uint8Array): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof json === "object" && json !== null) return { ...json };
  } catch {
    // Refused below.
  }
  throw new AppRefusal("invalid_client", "The app's document is no JSON object.");
}
