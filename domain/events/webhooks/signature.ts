/** Standard Webhooks (standardwebhooks.com): secrets, and the headers by which receivers know us. */

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
const encoder = new TextEncoder();

export function newSigningSecret(): string {
  return PREFIX + crypto.getRandomValues(new Uint8Array(SECRET_BYTES)).toBase64();
}

/**
 * The headers of a message. Each secret signs, so receivers with either one accept it.
 * @param at instant of this try, ms
 */
export async function signedHeaders(
  secrets: readonly string[],
  id: string,
  at: number,
  body: string,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1_000));
  const content = `${id}.${timestamp}.${body}`;
  const signatures = await Promise.all(secrets.map((secret) => sign(secret, content)));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

async function sign(secret: string, content: string): Promise<string> {
  const bytes = Uint8Array.fromBase64(secret.slice(PREFIX.length));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(content));
  return `v1,${new Uint8Array(signature).toBase64()}`;
}
