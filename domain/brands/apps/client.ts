/**
 * Apps that may ask a person for access. An app registers itself (RFC 7591), or its id is the https
 * address of a document that says who it is. Anybody may write either, so both are claims.
 */
import { z } from "zod";
import { DAY, HOUR } from "../../foundation/calendar.ts";
import { idsFrom, isId, newId } from "../../foundation/ids.ts";
import { reader, transact } from "../../kv/transact.ts";
import type { Acting } from "../../kv/audit.ts";
import { Tries, type TryLimits } from "../tries.ts";
import { AppRefusal } from "./refusal.ts";
import { redirectProblem } from "./redirects.ts";

export interface AppClient {
  id: string;
  /** As it calls itself. */
  name: string;
  redirectUris: string[];
}

interface StoredClient extends AppClient {
  /** Instant, ms. */
  createdAt: number;
  expiresAt: number;
}

/** A registration that nobody has let in, and one that somebody has, is kept for this long. */
const UNUSED_MS = DAY;
const USED_MS = 400 * DAY;
/** Registrations of one network, and of the larger network around it. */
const EACH: TryLimits = { collection: "appRegistrations", most: 20, windowMs: HOUR };
const AROUND: TryLimits = { ...EACH, most: 100 };
/** Unused registrations that are kept, of all networks. */
const MOST_UNUSED = 1_000;
/** A process looks after so many registrations whether there are too many. */
const LOOKS_EACH = 100;

const LONGEST_NAME = 60;

const clientKey = (id: string): Deno.KvKey => ["appClient", id];
/** Names the clients that nobody has let in; their ids have the order of their registrations. */
const unusedKey = (id: string): Deno.KvKey => ["appClientUnused", id];

/** What an app says of itself; other members are ignored. */
const Metadata = z.object({
  client_name: z.string().max(500).optional(),
  redirect_uris: z.array(z.string()).min(1).max(10),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
});

/** @throws AppRefusal */
export function readMetadata(json: unknown): Omit<AppClient, "id"> {
  const { data, error } = Metadata.safeParse(json);
  if (error !== undefined) {
    const [issue] = error.issues;
    const isRedirect = issue?.path[0] === "redirect_uris";
    throw new AppRefusal(
      isRedirect ? "invalid_redirect_uri" : "invalid_client_metadata",
      isRedirect
        ? "redirect_uris must be a list of 1 to 10 addresses."
        : `${issue?.path.join(".") || "The body"} has the wrong form.`,
    );
  }
  for (const uri of data.redirect_uris) {
    const problem = redirectProblem(uri);
    if (problem !== null) {
      throw new AppRefusal("invalid_redirect_uri", `redirect_uris: ${problem}.`);
    }
  }
  const { grant_types: grants, response_types: responses } = data;
  if (grants?.includes("authorization_code") === false || responses?.includes("code") === false) {
    throw new AppRefusal(
      "invalid_client_metadata",
      "Only the authorization code grant is offered.",
    );
  }
  return { name: plainName(data.client_name), redirectUris: [...new Set(data.redirect_uris)] };
}

/** One line without control or direction characters, which could make it look like another name. */
function plainName(name = ""): string {
  const plain = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, " ").replaceAll(/\s+/g, " ").trim();
  return [...plain].slice(0, LONGEST_NAME).join("") || "An app without a name";
}

type Clocked = Pick<Acting, "kv" | "now">;

/**
 * Takes registrations. They need no sign-in, so one network may make only so many an hour. All networks
 * together have no bound, because whoever reached it would lock everybody else out. Instead, only the
 * newest registrations are kept of those that nobody has let in.
 */
export class Registrations {
  readonly #parts: Clocked;
  readonly #each: Tries;
  readonly #around: Tries;
  #sinceLook = 0;

  constructor(parts: Clocked) {
    this.#parts = parts;
    this.#each = new Tries(parts, EACH);
    this.#around = new Tries(parts, AROUND);
  }

  /**
   * How long (ms) a network must wait before it may register another app; 0: it may now.
   * @param networks the network and those around it, the smallest first
   */
  async take([network, ...around]: string[]): Promise<number> {
    const wait = await this.#each.take(`network ${network}`);
    if (wait > 0) return wait;
    const waits = await Promise.all(around.map((one) => this.#around.take(`network ${one}`)));
    return Math.max(0, ...waits);
  }

  /** @throws AppRefusal for metadata that can't be registered */
  async register(json: unknown): Promise<{ client: AppClient; createdAt: number }> {
    const { kv, now } = this.#parts;
    const createdAt = now();
    const client: AppClient = { id: newId("app", createdAt), ...readMetadata(json) };
    const stored: StoredClient = { ...client, createdAt, expiresAt: createdAt + UNUSED_MS };
    await transact(kv, (commit) => {
      commit.set(clientKey(client.id), stored, { expireIn: UNUSED_MS });
      commit.set(unusedKey(client.id), true, { expireIn: UNUSED_MS });
    });
    if (++this.#sinceLook >= LOOKS_EACH) {
      this.#sinceLook = 0;
      await this.#dropOldest();
    }
    return { client, createdAt };
  }

  /** Deletes the oldest unused registrations beyond the bound. Expired ones do not count. */
  async #dropOldest(): Promise<void> {
    const { kv, now } = this.#parts;
    const expired = unusedKey(idsFrom("app", now() - UNUSED_MS));
    const ids: string[] = [];
    for await (const { key } of kv.list({ prefix: unusedKey("").slice(0, -1), start: expired })) {
      ids.push(String(key.at(-1)));
    }
    for (const id of ids.slice(0, -MOST_UNUSED)) {
      await transact(kv, async (commit) => {
        // A person may have let it in meanwhile.
        if (await commit.get<true>(unusedKey(id)) === null) return;
        commit.delete(unusedKey(id));
        commit.delete(clientKey(id));
      });
    }
  }
}

/** The registered app, or null if there is none or it was not used for too long. */
export async function readClient({ kv, now }: Clocked, id: string): Promise<AppClient | null> {
  const client = isId("app", id) ? await reader(kv).get<StoredClient>(clientKey(id)) : null;
  return client !== null && client.expiresAt > now() ? client : null;
}

/** Keeps the registration of an app that somebody has let in. */
export async function keepClient({ kv, now }: Clocked, id: string): Promise<void> {
  if (!isId("app", id)) return;
  await transact(kv, async (commit) => {
    const client = await commit.get<StoredClient>(clientKey(id));
    if (client === null) return;
    const kept: StoredClient = { ...client, expiresAt: now() + USED_MS };
    commit.set(clientKey(id), kept, { expireIn: USED_MS });
    commit.delete(unusedKey(id));
  });
}
