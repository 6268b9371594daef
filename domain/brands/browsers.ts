/** Browsers that have signed in before: they keep a signed value that names the account. */
import type { Secrets } from "../foundation/secrets.ts";

/** How long a browser is remembered after its last sign-in, in days. */
export const REMEMBERED_DAYS = 400;
const NONCE_BYTES = 12;

/** A browser that has signed in to an account. */
export interface KnownBrowser {
  accountId: string;
  /** Identifies the browser; random. */
  id: string;
}

const signedText = ({ accountId, id }: KnownBrowser) => `browser ${accountId} ${id}`;

/** The value for a browser that has just signed in. */
export async function rememberBrowser(secrets: Secrets, accountId: string): Promise<string> {
  const id = crypto.getRandomValues(new Uint8Array(NONCE_BYTES)).toHex();
  const signature = await secrets.sign(signedText({ accountId, id }));
  return `${accountId}.${id}.${signature}`;
}

/** The browser that a value belongs to, or null if the service did not sign it. */
export async function knownBrowser(
  secrets: Secrets,
  value: string | null,
): Promise<KnownBrowser | null> {
  const [accountId = "", id = "", signature = ""] = value?.split(".") ?? [];
  const browser = { accountId, id };
  return await secrets.verify(signedText(browser), signature) ? browser : null;
}
