/** Authorization codes: what a person allowed an app, until the app exchanges it for tokens, once. */
import { iso, MINUTE } from "../../foundation/calendar.ts";
import { base64url, newToken, type Secrets, sha256 } from "../../foundation/secrets.ts";
import { type Acting, type Actor, SYSTEM } from "../../kv/audit.ts";
import { reader, transact } from "../../kv/transact.ts";
import type { Brand } from "../brands.ts";
import { type Budgets, isOver } from "../budgets.ts";
import { addApiKey, listApiKeys, requireRoomForKey, revokeApiKey, type Scope } from "../keys.ts";
import { type AppClient, keepClient } from "./client.ts";
import { AppRefusal } from "./refusal.ts";
import { accessEnd, isLapsed, newRefreshToken, type Tokens, tokensOf } from "./tokens.ts";

/** What a person allows. */
export interface Consent {
  client: Pick<AppClient, "id" | "name">;
  redirectUri: string;
  /** Base64url of the verifier's SHA-256 (RFC 7636). */
  challenge: string;
  scopes: Scope[];
  budgets: Budgets | null;
  /** ISO 8601; null: until somebody revokes it. */
  expiresAt: string | null;
}

interface Code extends Consent {
  brandId: string;
  /** Who allowed it: the key is theirs. */
  actor: Actor;
  /** Instant, ms. */
  codeExpiresAt: number;
  /** The key that it was exchanged for. */
  keyId: string | null;
}

const LIVES_MS = 5 * MINUTE;
export const APP_CODES = "appCode";
const codeKey = (hash: string): Deno.KvKey => [APP_CODES, hash];

/**
 * A code for what the person allows.
 * @throws ServiceError `conflict` if the brand has as many active keys as its plan allows
 */
export async function allow(acting: Acting, brand: Brand, consent: Consent): Promise<string> {
  const { kv, now, by: { actor } } = acting;
  await endLapsed(acting, brand.id);
  await requireRoomForKey(reader(kv), brand);
  await keepClient(acting, consent.client.id);
  const code = newToken();
  const key = codeKey(await sha256(code));
  const { client: { id, name } } = consent;
  const stored: Code = {
    ...{ ...consent, client: { id, name } },
    ...{ brandId: brand.id, actor, codeExpiresAt: now() + LIVES_MS, keyId: null },
  };
  await transact(kv, (commit) => commit.set(key, stored, { expireIn: LIVES_MS }));
  return code;
}

/** Frees the places of apps that can't come back without a person, because no plan has many. */
async function endLapsed(acting: Acting, brandId: string): Promise<void> {
  const { kv, now } = acting;
  const lapsed = (await listApiKeys(kv, brandId)).filter((key) =>
    key.app && key.revokedAt === null && (isOver(key, now()) || isLapsed(key, now()))
  );
  for (const { id } of lapsed) await revokeApiKey({ ...acting, by: SYSTEM }, id, "it had ended");
}

/** What an app sends to get tokens for its code. */
export interface Exchange {
  code: string;
  clientId: string;
  /** Null where it was left out; the verifier says as much. */
  redirectUri: string | null;
  verifier: string;
}

/**
 * Makes the key that the person allowed, and its first tokens.
 * @throws AppRefusal `invalid_grant`; a code that is sent twice revokes what it was exchanged for
 * @throws ServiceError `conflict` like `allow`
 */
export async function exchange(
  acting: Acting & { secrets: Secrets },
  { code, clientId, redirectUri, verifier }: Exchange,
): Promise<Tokens> {
  const { kv, now, by, secrets } = acting;
  const rowKey = codeKey(await sha256(code));
  const challenge = base64url(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)),
  );
  const done = await transact(kv, async (commit): Promise<Tokens | { usedFor: string }> => {
    const found = await commit.get<Code>(rowKey);
    if (found === null || found.codeExpiresAt <= now()) throw wrongCode();
    if (found.keyId !== null) return { usedFor: found.keyId };
    const isTheirs = found.client.id === clientId && found.challenge === challenge &&
      (redirectUri === null || found.redirectUri === redirectUri);
    if (!isTheirs) throw wrongCode();
    const { brandId, client, scopes, budgets, expiresAt, actor } = found;
    const wanted = {
      ...{ brandId, name: client.name, scopes, budgets, expiresAt },
      ...{ app: { clientId }, accessUntil: iso(accessEnd(expiresAt, now())) },
    };
    const made = await addApiKey(commit, { now, by: { ...by, actor } }, wanted);
    commit.set(rowKey, { ...found, keyId: made.key.id }, { expireIn: LIVES_MS });
    const first = { generation: 0, since: now(), count: 0 };
    return tokensOf(made, await newRefreshToken(commit, secrets, made.key, first), now());
  });
  if (!("usedFor" in done)) return done;
  // Somebody else has the code, and nobody knows which of the two was the app.
  await revokeApiKey({ ...acting, by: SYSTEM }, done.usedFor, "its code was sent twice");
  throw wrongCode();
}

function wrongCode(): AppRefusal {
  return new AppRefusal(
    "invalid_grant",
    "This code is not known, has expired, was used already, or is another app's.",
  );
}
