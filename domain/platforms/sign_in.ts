/** The dialogue by which a person connects accounts: begun in a session, ended in the same one. */
import { MINUTE } from "../calendar.ts";
import { readBrand } from "../brands.ts";
import { noSuch, ServiceError } from "../errors.ts";
import { transact } from "../kv.ts";
import type { Platform } from "../posts/shape.ts";
import type { Service } from "../service.ts";
import type { Session } from "../sessions.ts";
import { connectAccount, type SocialAccount } from "../social.ts";
import { sentence } from "../text.ts";
import { appOf, signInFor } from "./connectors.ts";
import { PlatformError } from "./wire.ts";

/** What the dialogue's `state` stands for; it works once, in its session, for a while. */
interface Dialogue {
  sessionId: string;
  brandId: string;
  platform: Platform;
  /** LinkedIn: oneself rather than one's organizations. */
  asMember: boolean;
  /** Instant, ms. */
  expiresAt: number;
}

const LIVES = 15 * MINUTE;
const STATE_BYTES = 24;

const dialogueKey = (state: string): Deno.KvKey => ["signIn", state];

export function redirectUriOf({ settings }: Pick<Service, "settings">, platform: Platform): string {
  return `${settings.BASE_URL}/connect/${platform}/callback`;
}

/**
 * Where the browser goes to sign in.
 * @throws ServiceError `notFound` for a brand that isn't the session's, `conflict` without an app
 */
export async function beginSignIn(
  service: Service,
  session: Session,
  wanted: { brandId: string; platform: Platform; asMember: boolean },
): Promise<string> {
  const { platform, asMember, brandId } = wanted;
  const brand = await readBrand(service.kv, brandId);
  if (brand.accountId !== session.accountId) throw noSuch("brand");
  if (appOf(service.settings, platform) === null) {
    const name = platform.toUpperCase();
    throw new ServiceError(
      "conflict",
      `Set ${name}_CLIENT_ID and ${name}_CLIENT_SECRET to connect ${platform} accounts.`,
    );
  }
  const nonce = crypto.getRandomValues(new Uint8Array(STATE_BYTES))
    .toBase64({ alphabet: "base64url", omitPadding: true });
  const dialogue: Dialogue = {
    sessionId: session.id,
    brandId,
    platform,
    asMember,
    expiresAt: service.now() + LIVES,
  };
  await transact(service.kv, (commit) => {
    commit.set(dialogueKey(nonce), dialogue, { expireIn: LIVES });
  });
  const state = `${nonce}.${await service.secrets.sign(`state ${nonce} ${session.id}`)}`;
  return signInFor(service, platform, asMember)
    .authorizeUrl(redirectUriOf(service, platform), state);
}

/** What the platform sent the browser back with. */
export interface Callback {
  state: string | undefined;
  code: string | undefined;
  /** `access_denied`, `user_cancelled_login`, ... */
  error: string | undefined;
}

/**
 * Ends the dialogue: code → tokens → accounts.
 * @throws ServiceError in words for the person
 */
export async function finishSignIn(
  service: Service,
  session: Session,
  platform: Platform,
  { state, code, error }: Callback,
): Promise<SocialAccount[]> {
  const dialogue = await redeem(service, session, platform, state ?? "");
  if (error !== undefined) {
    throw new ServiceError("conflict", `The sign-in was cancelled at ${platform} (${error}).`);
  }
  if (code === undefined || code === "") {
    throw new ServiceError("validationError", `${platform} sent no code. Please begin again.`);
  }
  try {
    const signIn = signInFor(service, platform, dialogue.asMember);
    const { tokens, granted } = await signIn.exchange(code, redirectUriOf(service, platform));
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
      `${sentence(fault.message)} Please begin again.`,
    );
  }
}

/** The state works once, and only in the session that began. */
async function redeem(
  { kv, now, secrets }: Service,
  session: Session,
  platform: Platform,
  state: string,
): Promise<Dialogue> {
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
  if (valid) return dialogue;
  throw new ServiceError(
    "forbidden",
    "This sign-in was begun elsewhere, was used before, or took too long. Please begin again.",
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
    `${platform} did not grant ${missing.join(", ")}. Please begin again and allow everything ` +
      "that is asked for.",
  );
}
