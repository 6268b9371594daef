/** Apps whose id is the https address of a document about them (OAuth Client ID Metadata Document). */
import { MINUTE } from "../../foundation/calendar.ts";
import type { Now } from "../../foundation/calendar.ts";
import { LruCache } from "../../foundation/lru.ts";
import { type AppClient, readMetadata } from "./client.ts";
import { AppRefusal } from "./refusal.ts";

/** The guarded fetch, as far as this needs it. */
interface Parts {
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

/** Whether the id can be the address of a document. */
export function isDocumentId(id: string): boolean {
  const url = id.length <= LONGEST_ID ? URL.parse(id) : null;
  // The address must be written as it is fetched, so that one app has one id.
  return url?.protocol === "https:" && url.href === id && url.pathname !== "/" &&
    url.hash === "" && !id.includes("#") && url.username === "" && url.password === "";
}

export class Documents {
  readonly #parts: Parts;
  readonly #read = new LruCache<string, { client: AppClient; until: number }>(CACHED);

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * The app that the document describes.
   * @throws AppRefusal when the document does not describe the app with this id
   * @throws ServiceError when the document can't be fetched
   */
  async read(id: string): Promise<AppClient> {
    const at = this.#parts.now();
    const known = this.#read.get(id);
    if (known !== undefined && known.until > at) return known.client;
    const json = parse(await this.#parts.fetchPublic(id, LIMITS));
    if (json["client_id"] !== id) {
      throw new AppRefusal("invalid_client", "The app's document has another client_id.");
    }
    const method = json["token_endpoint_auth_method"] ?? "none";
    if (method !== "none") {
      throw new AppRefusal("invalid_client", "The app must have no secret: method “none”.");
    }
    const client: AppClient = { id, ...readMetadata(json) };
    this.#read.set(id, { client, until: at + FRESH_MS });
    return client;
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
