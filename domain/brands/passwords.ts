/** Password hashes: scrypt, stored with its parameters, so that a later version can raise them. */

export interface ScryptCost {
  /** log2 of scrypt's N: memory and time double with each step. */
  log2N: number;
  r: number;
  p: number;
}

/** OWASP's recommendation: 128 MB and about half a second of one core for each hash. */
export const SCRYPT_COST: ScryptCost = { log2N: 17, r: 8, p: 1 };
/** How earlier versions hashed, without storing it: `salt:hash`. */
const FORMER_COST: ScryptCost = { log2N: 14, r: 8, p: 1 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;

interface Stored {
  cost: ScryptCost;
  salt: Uint8Array;
  hash: Uint8Array;
}

/** What a check of a password found. */
export interface Checked {
  matches: boolean;
  /** Whether the stored hash has other parameters than a new one would have. */
  isOutdated: boolean;
}

export class Passwords {
  readonly #cost: ScryptCost;

  /** @param cost of new hashes; tests take a low one */
  constructor(cost: ScryptCost = SCRYPT_COST) {
    this.#cost = cost;
  }

  /** `scrypt:log2N:r:p:salt:hash`, salt and hash in hex. */
  async hash(password: string): Promise<string> {
    const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
    const { log2N, r, p } = this.#cost;
    const hash = await derive(password, salt, this.#cost);
    return ["scrypt", log2N, r, p, salt.toHex(), hash.toHex()].join(":");
  }

  /**
   * Compares a password with a stored hash. Without one (null) it takes equally long, so the time
   * doesn't tell which emails have accounts.
   */
  async check(password: string, stored: string | null): Promise<Checked> {
    const { cost, salt, hash } = stored === null ? this.#nothing() : parsed(stored);
    const { timingSafeEqual } = await import("node:crypto");
    const isSame = timingSafeEqual(await derive(password, salt, cost), hash);
    const isOutdated = cost.log2N !== this.#cost.log2N || cost.r !== this.#cost.r ||
      cost.p !== this.#cost.p;
    // A failure takes as long as with an unknown email, although the former hash was cheaper.
    if (isOutdated && !isSame) await derive(password, salt, this.#cost);
    return { matches: isSame && stored !== null, isOutdated };
  }

  #nothing(): Stored {
    return {
      cost: this.#cost,
      salt: new Uint8Array(SALT_BYTES),
      hash: new Uint8Array(HASH_BYTES),
    };
  }
}

function parsed(stored: string): Stored {
  const parts = stored.split(":");
  const [hash = "", salt = ""] = parts.slice(-2).reverse();
  const bytes = { salt: Uint8Array.fromHex(salt), hash: Uint8Array.fromHex(hash) };
  if (parts.length === 2) return { cost: FORMER_COST, ...bytes };
  const [log2N = NaN, r = NaN, p = NaN] = parts.slice(1, 4).map(Number);
  return { cost: { log2N, r, p }, ...bytes };
}

async function derive(
  password: string,
  salt: Uint8Array,
  { log2N, r, p }: ScryptCost,
): Promise<Uint8Array> {
  // Loaded at the first sign-in, so that no other request waits for it.
  const { scrypt } = await import("node:crypto");
  const N = 2 ** log2N;
  const options = { N, r, p, maxmem: 256 * N * r };
  return await new Promise((resolve, reject) =>
    scrypt(
      password.normalize("NFKC"),
      salt,
      HASH_BYTES,
      options,
      (error, key) => error ? reject(error) : resolve(new Uint8Array(key)),
    )
  );
}
