/** The service's secret: seals tokens at rest (AES-GCM) and signs what clients bring back (HMAC). */

export interface Secrets {
  /** Encrypts `text`; `about` (an id, say) must be the same to open it. */
  seal(text: string, about: string): Promise<string>;
  /** @throws when the text was changed, or sealed about something else or by another secret */
  open(sealed: string, about: string): Promise<string>;
  /** A signature, base64url. */
  sign(text: string): Promise<string>;
  verify(text: string, signature: string): Promise<boolean>;
}

const encoder = new TextEncoder();
const NONCE_BYTES = 12;

/** The hash of a text, in hex. */
export async function sha256(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text))).toHex();
}

export async function createSecrets(secret: string): Promise<Secrets> {
  const root = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, [
    "deriveKey",
  ]);
  const derive = (info: string) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: encoder.encode(info),
  });
  const aes = await crypto.subtle.deriveKey(
    derive("marquee seal"),
    root,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
  const hmac = await crypto.subtle.deriveKey(
    derive("marquee sign"),
    root,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign", "verify"],
  );
  return {
    async seal(text, about) {
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const cipher = { name: "AES-GCM", iv, additionalData: encoder.encode(about) };
      const sealed = await crypto.subtle.encrypt(cipher, aes, encoder.encode(text));
      return `${iv.toHex()}.${new Uint8Array(sealed).toBase64()}`;
    },
    async open(sealed, about) {
      const [iv = "", data = ""] = sealed.split(".");
      const cipher = {
        name: "AES-GCM",
        iv: Uint8Array.fromHex(iv),
        additionalData: encoder.encode(about),
      };
      const text = await crypto.subtle.decrypt(cipher, aes, Uint8Array.fromBase64(data));
      return new TextDecoder().decode(text);
    },
    async sign(text) {
      const signature = await crypto.subtle.sign("HMAC", hmac, encoder.encode(text));
      return new Uint8Array(signature).toBase64({ alphabet: "base64url", omitPadding: true });
    },
    async verify(text, signature) {
      try {
        const bytes = Uint8Array.fromBase64(signature, { alphabet: "base64url" });
        return await crypto.subtle.verify("HMAC", hmac, bytes, encoder.encode(text));
      } catch {
        return false;
      }
    },
  };
}
