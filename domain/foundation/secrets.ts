/**
 * Uses of SECRET_KEY: encrypts what is stored (AES-GCM), signs values that clients send back (HMAC),
 * and prints settings without telling them. A previous secret still opens and verifies.
 */
import { joined } from "./bytes.ts";

export interface Secrets {
  /** Names the secret without telling it. */
  readonly keyId: string;
  /** Names SECRET_KEY_PREVIOUS; null when there is none. */
  readonly previousKeyId: string | null;
  /** Encrypts `text`. `about`, an id for example, must be the same when it is opened. */
  seal(text: string, about: string): Promise<string>;
  /** @throws when the text was changed, or `about` differs, or neither secret sealed it */
  open(sealed: string, about: string): Promise<string>;
  /** Encrypts bytes that can be made again, so that nothing seals them anew after a change of secret. */
  sealBytes(bytes: Bytes, about: string): Promise<Bytes>;
  /** @throws as `open` does */
  openBytes(sealed: Bytes, about: string): Promise<Bytes>;
  /** Whether it is sealed with SECRET_KEY and names it, as everything is that is sealed today. */
  isCurrent(sealed: string): boolean;
  /** A signature, base64url. */
  sign(text: string): Promise<string>;
  verify(text: string, signature: string): Promise<boolean>;
  /** A hash of `text` that only holders of the secret can compare with others. */
  print(text: string): Promise<string>;
}

type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
const NONCE_BYTES = 12;
const KEY_ID_DIGITS = 12;

const TOKEN_BYTES = 32;

/** A random token for a link or a cookie. Whoever has it may use it, so the store keeps its hash. */
export function newToken(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
}

/** The hash of a text, in hex. */
export async function sha256(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text))).toHex();
}

/** @param previous the secret before, whose values are being sealed again */
export async function createSecrets(secret: string, previous?: string): Promise<Secrets> {
  const current = await deriveKeys(secret);
  const former = previous === undefined ? null : await deriveKeys(previous);
  const all = former === null ? [current] : [current, former];
  return {
    keyId: current.id,
    previousKeyId: former?.id ?? null,
    async seal(text, about) {
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const cipher = { name: "AES-GCM", iv, additionalData: encoder.encode(about) };
      const sealed = await crypto.subtle.encrypt(cipher, current.aes, encoder.encode(text));
      return `${current.id}.${iv.toHex()}.${new Uint8Array(sealed).toBase64()}`;
    },
    async open(sealed, about) {
      const parts = sealed.split(".");
      const [iv = "", data = ""] = parts.slice(-2);
      const cipher = {
        name: "AES-GCM",
        iv: Uint8Array.fromHex(iv),
        additionalData: encoder.encode(about),
      };
      // Earlier versions did not write which secret sealed a text.
      const keys = parts.length === 2 ? all : all.filter(({ id }) => id === parts[0]);
      const bytes = Uint8Array.fromBase64(data);
      const text = await Promise.any(
        keys.map(({ aes }) => crypto.subtle.decrypt(cipher, aes, bytes)),
      );
      return new TextDecoder().decode(text);
    },
    async sealBytes(bytes, about) {
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const cipher = { name: "AES-GCM", iv, additionalData: encoder.encode(about) };
      const sealed = await crypto.subtle.encrypt(cipher, current.files, bytes);
      return joined([iv, new Uint8Array(sealed)]);
    },
    async openBytes(sealed, about) {
      const [iv, data] = [sealed.subarray(0, NONCE_BYTES), sealed.subarray(NONCE_BYTES)];
      const cipher = { name: "AES-GCM", iv, additionalData: encoder.encode(about) };
      const opened = await Promise.any(
        all.map(({ files }) => crypto.subtle.decrypt(cipher, files, data)),
      );
      return new Uint8Array(opened);
    },
    isCurrent: (sealed) => sealed.startsWith(`${current.id}.`),
    async sign(text) {
      return base64url(await crypto.subtle.sign("HMAC", current.hmac, encoder.encode(text)));
    },
    async verify(text, signature) {
      try {
        const bytes = Uint8Array.fromBase64(signature, { alphabet: "base64url" });
        const signed = all.map(({ hmac }) =>
          crypto.subtle.verify("HMAC", hmac, bytes, encoder.encode(text))
        );
        return (await Promise.all(signed)).includes(true);
      } catch {
        return false;
      }
    },
    async print(text) {
      return base64url(await crypto.subtle.sign("HMAC", current.print, encoder.encode(text)));
    },
  };
}

interface Keys {
  id: string;
  aes: CryptoKey;
  files: CryptoKey;
  hmac: CryptoKey;
  print: CryptoKey;
}

/** One key for each use, so that no use tells anything about another. */
async function deriveKeys(secret: string): Promise<Keys> {
  const root = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, [
    "deriveKey",
  ]);
  const derive = (
    use: string,
    algorithm: AesKeyGenParams | HmacKeyGenParams,
    usages: KeyUsage[],
  ) => {
    const info = encoder.encode(`marquee ${use}`);
    const params = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
    return crypto.subtle.deriveKey(params, root, algorithm, false, usages);
  };
  const aes = { name: "AES-GCM", length: 256 };
  const hmac = { name: "HMAC", hash: "SHA-256", length: 256 };
  const print = await derive("print", hmac, ["sign"]);
  const id = await crypto.subtle.sign("HMAC", print, encoder.encode("key id"));
  return {
    id: new Uint8Array(id).toHex().slice(0, KEY_ID_DIGITS),
    aes: await derive("seal", aes, ["encrypt", "decrypt"]),
    files: await derive("files", aes, ["encrypt", "decrypt"]),
    hmac: await derive("sign", hmac, ["sign", "verify"]),
    print,
  };
}

/** Without padding (RFC 4648 §5). */
export function base64url(bytes: ArrayBuffer | Uint8Array): string {
  return new Uint8Array(bytes).toBase64({ alphabet: "base64url", omitPadding: true });
}
