/** The OAuth dialogue by which a person connects accounts; it begins and ends in one session. */
import { MINUTE } from "../foundation/calendar.ts";
import { requireBrand } from "../brands/brands.ts";
import { roleIn } from "../brands/members.ts";
import { noSuch, ServiceError } from "../foundation/errors.ts";
import { reader, transact } from "../kv/transact.ts";
import type { Platform } from "../posts/shape.ts";
import type { Service } from "../service/service.ts";
import type { Session } from "../brands/sessions.ts";
import { connectAccount, type SocialAccount } from "./accounts.ts";
import { base64url } from "../foundation/secrets.ts";
import { sentence } from "../foundation/text.ts";
import { appOf, signInFor } from "./connectors/connectors.ts";
import { TRAITS } from "./contract/traits.ts";
import { PlatformError } from "./contract/wire.ts";

/** A dialogue that has begun, stored under its `state`. It can be finished once, in its session. */
interface Dialogue {
  sessionId: string;
  brandId: string;
  platform: Platform;
  /** LinkedIn: connects the person and not the organizations that the person administers. */
  asMember: boolean;
  /** PKCE's verifier, sealed: only the service may redeem the code that comes back. */
  verifier: string;
  /** Instant, ms. */
  expiresAt: number;
}

const LIVES = 15 * MINUTE;
const STATE_BYTES = 24;
const VERIFIER_BYTES = 32;
const BEGIN_AGAIN = "Begin the sign-in again.";

const dialogueKey = (state: string): Deno.KvKey => ["signIn", state];

function redirectUriOf({ settings }: Pick<Service, "settings">, platform: Platform): string {
  return `${settings.BASE_URL}/connect/${platform}/callback`;
}

/**
 * Returns the address at which the person signs in.
 * @throws ServiceError `notFound` for a brand of others, `forbidden` for somebody who is no owner of it,
 *   `conflict` without an app
 */
export async function beginSignIn(
  service: Service,
  session: Session,
  wanted: { brandId: string; platform: Platform; asMember: boolean },
): Promise<string> {
  const { platform, asMember, brandId } = wanted;
  await requireOwner(service, session, brandId);
  if (appOf(service.settings, platform) === null) {
    const name = platform.toUpperCase();
    throw new ServiceError(
      "conflict",
      `To connect ${
        TRAITS[platform].name
      } accounts, set ${name}_CLIENT_ID and ${name}_CLIENT_SECRET.`,
    );
  }
  const nonce = base64url(crypto.getRandomValues(new Uint8Array(STATE_BYTES)));
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(VERIFIER_BYTES)));
  const dialogue: Dialogue = {
    sessionId: session.id,
    brandId,
    platform,
    asMember,
    verifier: await service.secrets.seal(verifier, nonce),
    expiresAt: service.now() + LIVES,
  };
  await transact(service.kv, (commit) => {
    commit.set(dialogueKey(nonce), dialogue, { expireIn: LIVES });
  });
  const state = `${nonce}.${await service.secrets.sign(`state ${nonce} ${session.id}`)}`;
  return signInFor(service, platform, asMember)
    .authorizeUrl(redirectUriOf(service, platform), state, await challengeOf(verifier));
}

async function requireOwner(
  { kv }: Pick<Service, "kv">,
  { accountId }: Session,
  brandId: string,
): Promise<void> {
  const brand = await requireBrand(reader(kv), brandId);
  const role = await roleIn(reader(kv), brand, accountId);
  if (role === null) throw noSuch("brand");
  if (role === "owner") return;
  throw new ServiceError(
    "forbidden",
    "Only owners of the brand connect accounts. Ask one of them.",
  );
}

/** PKCE's method S256 (RFC 7636, 4.2). */
async function challengeOf(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return base64url(hash);
}

/** The parameters with which the platform sends the browser back. */
interface Callback {
  state: string | undefined;
  code: string | undefined;
  /** `access_denied`, `user_cancelled_login`, ... */
  error: string | undefined;
}

/**
 * Finishes the dialogue: exchanges the code for tokens and connects the accounts they open.
 * @throws ServiceError with a message for the person
 */
export async function finishSignIn(
  service: Service,
  session: Session,
  platform: Platform,
  { state, code, error }: Callback,
): Promise<SocialAccount[]> {
  const { dialogue, verifier } = await redeem(service, session, platform, state ?? "");
  // The person may have been removed from the brand meanwhile.
  await requireOwner(service, session, dialogue.brandId);
  const { name } = TRAITS[platform];
  if (error !== undefined) {
    throw new ServiceError(
      "conflict",
      `The sign-in was cancelled at ${name} (${error}). ${BEGIN_AGAIN}`,
    );
  }
  if (code === undefined || code === "") {
    throw new ServiceError("validationError", `${name} sent no sign-in code. ${BEGIN_AGAIN}`);
  }
  try {
    const signIn = signInFor(service, platform, dialogue.asMember);
    const { tokens, granted } = await signIn.exchange(
      code,
      redirectUriOf(service, platform),
      verifier,
    );
    requireScopes(platform, signIn.scopes, granted);
    const accounts: SocialAccount[] = [];
    for (const grant of await signIn.identify(tokens)) {
      const { brandId } = dialogue;
      accounts.push(await connectAccount(service, brandId, grant.identity, grant.tokens));
    }
    return accounts;
  } catch (fault) {
    if (!(fault instanceof PlatformError)) throw fault;
    service.log.warn("platform.signIn", { platform, code: fault.code, message: fault.message });
    const busy = fault.fault === "transient" || fault.fault === "malformed" ||
      fault.fault === "rateLimited";
    throw new ServiceError(
      busy ? "serviceUnavailable" : "conflict",
      `${sentence(fault.message)} ${BEGIN_AGAIN}`,
    );
  }
}

/** Returns the dialogue of `state` with its verifier, and forgets it, so that a state works once. */
async function redeem(
  { kv, now, secrets }: Service,
  session: Session,
  platform: Platform,
  state: string,
): Promise<{ dialogue: Dialogue; verifier: string }> {
  const [nonce = "", signature = ""] = state.split(".");
  const signed = await secrets.verify(`state ${nonce} ${session.id}`, signature);
  const dialogue = signed
    ? await transact(kv, async (commit) => {
      const stored = await commit.get<Dialogue>(dialogueKey(nonce));
      commit.delete(dialogueKey(nonce));
      return stored;
    })
    : null;
  const valid = dialogue !== null && dialogue.sessionId === session.id &&
    dialogue.platform === platform && dialogue.expiresAt > now();
  // No verifier: SECRET_KEY was changed meanwhile, or an earlier version began the dialogue.
  const verifier = valid ? await secrets.open(dialogue.verifier, nonce).catch(() => null) : null;
  if (valid && verifier !== null) return { dialogue, verifier };
  throw new ServiceError(
    "forbidden",
    "This sign-in was begun in another browser, was finished before, or took too long. " +
      BEGIN_AGAIN,
  );
}

function requireScopes(
  platform: Platform,
  needed: readonly string[],
  granted: readonly string[],
): void {
  const missing = needed.filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return;
  throw new ServiceError(
    "forbidden",
    `${TRAITS[platform].name} did not grant ${missing.join(", ")}. Begin the sign-in again and ` +
      "allow everything it asks for.",
  );
}
