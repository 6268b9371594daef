/**
 * Tokens of an app that a person let in. Its access is a key: the access token is the key's secret, for
 * an hour. A refresh token gets the next one and works once; one that is sent again revokes the key.
 */
import { DAY, HOUR, iso, SECOND } from "../../foundation/calendar.ts";
import { ServiceError } from "../../foundation/errors.ts";
import { newToken, type Secrets, sha256 } from "../../foundation/secrets.ts";
import { type Acting, SYSTEM } from "../../kv/audit.ts";
import { type Commit, reader, transact } from "../../kv/transact.ts";
import { type Brand, brandKey } from "../brands.ts";
import { isOver } from "../budgets.ts";
import {
  type ApiKey,
  apiKeyKey,
  hashSecret,
  keyOfId,
  type KeyWithSecret,
  renewSecret,
  revokeApiKey,
} from "../keys.ts";
import { AppRefusal } from "./refusal.ts";

/** What an app gets (RFC 6749, 5.1). */
export interface Tokens {
  access_token: string;
  token_type: "Bearer";
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** The newest refresh token of a key. */
interface Refresh {
  /** How many there were before it. */
  generation: number;
  hash: string;
  /** The hour in which refreshes are counted began then, instant in ms; and how many there were. */
  since: number;
  count: number;
}

/** How long an access token works. */
const ACCESS_MS = HOUR;
/** How long the app may stay away after its last access token has ended. */
const IDLE_MS = 30 * DAY;
/** Refreshes of one key an hour: each makes every process read its brand again. */
const MOST_REFRESHES = 60;

const refreshKey = ({ brandId, id }: ApiKey): Deno.KvKey => ["appRefresh", brandId, id];

/** When an access token that is made now ends, ms: never after the key itself. */
export function accessEnd(expiresAt: string | null | undefined, at: number): number {
  const end = at + ACCESS_MS;
  return typeof expiresAt === "string" ? Math.min(end, Date.parse(expiresAt)) : end;
}

/** Whether the app has stayed away for so long that a person has to let it in again. */
export function isLapsed({ accessUntil }: ApiKey, at: number): boolean {
  return typeof accessUntil === "string" && Date.parse(accessUntil) + IDLE_MS <= at;
}

export function tokensOf({ key, secret }: KeyWithSecret, refresh: string, at: number): Tokens {
  const until = Date.parse(key.accessUntil ?? iso(at));
  return {
    access_token: secret,
    token_type: "Bearer",
    expires_in: Math.floor((until - at) / SECOND),
    refresh_token: refresh,
    scope: key.scopes.join(" "),
  };
}

const signedText = (keyId: string, generation: string, nonce: string) =>
  `app refresh ${keyId} ${generation} ${nonce}`;

/**
 * A refresh token of that generation. It names its key and is signed, so an earlier one is recognized
 * without a row for each: only the hash of the newest is stored.
 */
export async function newRefreshToken(
  commit: Commit,
  secrets: Secrets,
  key: ApiKey,
  { generation, since, count }: Omit<Refresh, "hash">,
): Promise<string> {
  const nonce = newToken();
  const signature = await secrets.sign(signedText(key.id, `${generation}`, nonce));
  const token = `mqr_${key.id}.${generation}.${nonce}.${signature}`;
  const row: Refresh = { generation, hash: await sha256(token), since, count };
  commit.set(refreshKey(key), row);
  return token;
}

/** The key and the generation of a refresh token that the service has signed, or null. */
async function openRefresh(
  secrets: Secrets,
  token: string,
): Promise<{ keyId: string; generation: number } | null> {
  const [, keyId = "", generation = "", nonce = "", signature = ""] =
    /^mqr_(key_\w{26})\.(\d{1,9})\.([\w-]{43})\.([\w-]{43})$/.exec(token) ?? [];
  if (!await secrets.verify(signedText(keyId, generation, nonce), signature)) return null;
  return { keyId, generation: Number(generation) };
}

type Parts = Acting & { secrets: Secrets };

export class Refreshes {
  readonly #parts: Omit<Parts, "by">;
  readonly #inFlight = new Map<string, Promise<Tokens>>();

  constructor(parts: Omit<Parts, "by">) {
    this.#parts = parts;
  }

  /**
   * New tokens for a refresh token, which then works no more. Calls of one app that arrive at the same
   * time share the answer: its requests find out together that the access token has ended.
   * @throws AppRefusal `invalid_grant`
   * @throws ServiceError `rateLimitExceeded` after 60 in an hour
   */
  refresh(token: string, clientId: string): Promise<Tokens> {
    const call = `${clientId} ${token}`;
    const known = this.#inFlight.get(call);
    if (known !== undefined) return known;
    const tokens = this.#refresh(token, clientId).finally(() => this.#inFlight.delete(call));
    this.#inFlight.set(call, tokens);
    return tokens;
  }

  async #refresh(token: string, clientId: string): Promise<Tokens> {
    const { kv, now, secrets } = this.#parts;
    const opened = await openRefresh(secrets, token);
    if (opened === null) throw wrongToken();
    const hash = await sha256(token);
    const tokens = await transact(kv, async (commit) => {
      const at = now();
      const found = await keyOfId(commit, opened.keyId);
      if (found === null || found.key.app?.clientId !== clientId) throw wrongToken();
      const { key } = found;
      const hasEnded = key.revokedAt !== null || isOver(key, at) || isLapsed(key, at);
      if (hasEnded || await commit.get<Brand>(brandKey(key.brandId)) === null) throw wrongToken();
      const newest = await commit.get<Refresh>(refreshKey(key));
      if (newest?.hash !== hash) {
        // After a restore the store may be behind: that token was never sent twice.
        if (opened.generation > (newest?.generation ?? -1)) throw wrongToken();
        return null;
      }
      const counted = countRefresh(newest, at);
      const renewed = await renewSecret(commit, found, iso(accessEnd(key.expiresAt, at)));
      const generation = newest.generation + 1;
      const next = await newRefreshToken(commit, secrets, key, { generation, ...counted });
      return tokensOf(renewed, next, at);
    });
    if (tokens !== null) return tokens;
    const why = "a refresh token was sent twice";
    await revokeApiKey({ ...this.#parts, by: SYSTEM }, opened.keyId, why);
    throw wrongToken();
  }
}

/**
 * Revokes the key of an access or refresh token (RFC 7009). A token that is not known, and a key that
 * a person made by hand, are left alone.
 * @throws AppRefusal `unauthorized_client` for another app's token
 */
export async function revokeToken(acting: Parts, token: string, clientId: string): Promise<void> {
  const key = await keyOfToken(acting, token);
  if (key === null || !key.app) return;
  if (key.app.clientId !== clientId) {
    throw new AppRefusal("unauthorized_client", "This token is another app's.");
  }
  const actor = { kind: "key", id: key.id, name: key.name } as const;
  await revokeApiKey({ ...acting, by: { ...acting.by, actor } }, key.id);
}

async function keyOfToken({ kv, secrets }: Parts, token: string): Promise<ApiKey | null> {
  const hash = await hashSecret(token);
  if (hash !== null) return await reader(kv).get<ApiKey>(apiKeyKey(hash));
  const opened = await openRefresh(secrets, token);
  return opened === null ? null : (await keyOfId(reader(kv), opened.keyId))?.key ?? null;
}

/** The count with one more. A window from ahead of the clock, as a corrected clock leaves it, is over. */
function countRefresh({ since, count }: Refresh, at: number): Pick<Refresh, "since" | "count"> {
  const left = since + HOUR - at;
  if (left <= 0 || left > HOUR) return { since: at, count: 1 };
  if (count < MOST_REFRESHES) return { since, count: count + 1 };
  const words = `An app may refresh ${MOST_REFRESHES} times an hour. Use each access token longer.`;
  const retryAfter = Math.ceil(left / SECOND);
  throw new ServiceError("rateLimitExceeded", words, { retryAfter });
}

function wrongToken(): AppRefusal {
  return new AppRefusal(
    "invalid_grant",
    "This refresh token is not known, was used already, or its access has ended.",
  );
}
