/** `deno task dev` on a fresh store: a demo brand with sandbox accounts and their posts. */
import { createApiKey, Scope } from "../domain/access.ts";
import { accountIdOf, addAccount, hashPassword } from "../domain/accounts.ts";
import { addBrand } from "../domain/brands.ts";
import { transact } from "../domain/kv.ts";
import { connectSandboxAccount } from "../domain/platforms/sandbox_account.ts";
import type { Platform } from "../domain/posts/shape.ts";
import type { Service } from "../domain/service.ts";
import { runPass } from "./passes.ts";
import type { Worker } from "./worker.ts";

/** How far the seeding came. A process may end at any moment; the next start goes on from here. */
interface Demo {
  brandId: string;
  email: string;
  /** Of the key that was shown, whose secret is not kept; null until one was. */
  keyPrefix: string | null;
  /** Sealed, until it was shown; none where the account was there before. */
  password?: string;
}

const DEMO_KEY = ["demo"];
const EMAIL = "demo@marquee.example";
const HANDLES: Record<Platform, string> = {
  instagram: "harbour.coffee",
  linkedin: "harbour-coffee",
  // A channel of the real sample.
  youtube: "SMii7Y",
};

/** Seeds what is still missing, then says what to do with it; a later start only says it again. */
export async function demo(
  service: Service,
  worker: Worker,
  say: (text: string) => Promise<void>,
): Promise<void> {
  const { kv, now, settings } = service;
  const { brandId, email, keyPrefix, password } = await begin(service);
  if (keyPrefix !== null) return await say(greeting(service, brandId, email, { keyPrefix }));
  for (const [platform, handle] of settings.SANDBOX ? Object.entries(HANDLES) : []) {
    await connectSandboxAccount(service, brandId, platform as Platform, handle);
  }
  await runPass(service, worker, "metrics", { brandId });
  const scopes = [...Scope.options];
  const { key, secret } = await createApiKey(kv, now, { brandId, name: "demo", scopes });
  const opened = password === undefined ? null : await open(service, password);
  await say(greeting(service, brandId, email, { secret, password: opened }));
  // Noted when it was said: a key that nobody has seen is followed by another.
  const record: Demo = { brandId, email, keyPrefix: key.prefix };
  await transact(kv, (commit) => commit.set(DEMO_KEY, record));
}

/** The record of the seeding; its account and its brand come into being with it. */
async function begin({ kv, now, secrets }: Service): Promise<Demo> {
  const known = (await kv.get<Demo>(DEMO_KEY)).value;
  if (known !== null) return known;
  const password = crypto.getRandomValues(new Uint8Array(9)).toBase64({ alphabet: "base64url" });
  const [hashed, sealed] = await Promise.all([
    hashPassword(password),
    secrets.seal(password, EMAIL),
  ]);
  return await transact(kv, async (commit) => {
    const begun = await commit.get<Demo>(DEMO_KEY);
    if (begun !== null) return begun;
    const owner = await accountIdOf(commit, EMAIL);
    const accountId = owner ?? addAccount(commit, now(), EMAIL, hashed).id;
    const brand = addBrand(commit, now(), { name: "Harbour Coffee", plan: "studio", accountId });
    const record: Demo = {
      brandId: brand.id,
      email: EMAIL,
      keyPrefix: null,
      ...(owner === null ? { password: sealed } : {}),
    };
    commit.set(DEMO_KEY, record);
    return record;
  });
}

/** Null under another secret than the one of the start that was cut short. */
function open({ secrets }: Service, password: string): Promise<string | null> {
  return secrets.open(password, EMAIL).catch(() => null);
}

/** What can be shown: secrets once, later what tells them apart. */
type Shown = { secret: string; password: string | null } | { keyPrefix: string };

function greeting(
  { settings }: Service,
  brandId: string,
  email: string,
  shown: Shown,
): string {
  const base = settings.BASE_URL;
  const isFirst = "secret" in shown;
  const key = isFirst ? shown.secret : "$KEY";
  const password = isFirst && shown.password !== null ? `, ${shown.password}` : "";
  const auth = `-H "Authorization: Bearer ${key}"`;
  const body =
    `'{"prompt":"A quiet harbour at dawn, warm light","idea":"harbour","aspectRatio":"portrait"}'`;
  return `
Marquee runs at ${base}

  demo brand   Harbour Coffee (${brandId})
  demo key     ${isFirst ? key : `begins with ${shown.keyPrefix}; it was shown at the first start`}
  dashboard    ${base}/dashboard  (${email}${password})
  reference    ${base}/docs

Three commands to paste${isFirst ? "" : " (with your key in $KEY)"}:

curl -s ${auth} "${base}/v1/posts?sort=views&perPage=3"
curl -s ${auth} -H "Content-Type: application/json" -d ${body} ${base}/v1/creations
curl -s ${auth} "${base}/v1/creations?perPage=1"

`;
}
