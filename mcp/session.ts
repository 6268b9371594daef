/**
 * Sessions. A client is given an id at its handshake and sends it with each message. The id is signed
 * and says whose it is and what the client can do. So every process knows it, and nothing is stored
 * until the session subscribes to something or ends.
 */
import type { ApiKey } from "../domain/brands/keys.ts";
import { DAY, SECOND } from "../domain/foundation/calendar.ts";
import { newToken } from "../domain/foundation/secrets.ts";
import type { Service } from "../domain/service/service.ts";

export const SESSION_HEADER = "mcp-session-id";

export interface Session {
  /** Random; names what is stored of the session. */
  id: string;
  keyId: string;
  brandId: string;
  /** Whether the client can ask its person to fill in a form. */
  elicits: boolean;
  /** Instant, ms. */
  expiresAt: number;
}

/** As long as events are kept: many clients can't begin again without being started again. */
const LIVES_MS = 30 * DAY;

const signedText = (words: string) => `mcp session ${words}`;

/** What a client sends back. It opens nothing without the key that it names. */
export async function newSessionId(
  { secrets, now }: Pick<Service, "secrets" | "now">,
  { id: keyId, brandId }: ApiKey,
  elicits: boolean,
): Promise<string> {
  const until = Math.floor((now() + LIVES_MS) / SECOND);
  const words = [brandId, keyId, elicits ? "form" : "none", until, newToken()].join(".");
  return `${words}.${await secrets.sign(signedText(words))}`;
}

const FORM = /^(brd_\w{26})\.(key_\w{26})\.(form|none)\.(\d{1,12})\.([\w-]{43})\.([\w-]{43})$/;

/** The session of an id that the service has signed and that has not expired, or null. */
export async function openSessionId(
  { secrets, now }: Pick<Service, "secrets" | "now">,
  text: string,
): Promise<Session | null> {
  const [, brandId = "", keyId = "", asks, until, id = "", signature = ""] = FORM.exec(text) ?? [];
  if (id === "") return null;
  const words = text.slice(0, -signature.length - 1);
  if (!await secrets.verify(signedText(words), signature)) return null;
  const expiresAt = Number(until) * SECOND;
  return expiresAt <= now() ? null : { id, keyId, brandId, elicits: asks === "form", expiresAt };
}
