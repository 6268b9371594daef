/** `deno task dev` on a fresh store: a demo brand with sandbox accounts and their posts. */
import { createApiKey, Scope } from "../domain/access.ts";
import { createAccount } from "../domain/accounts.ts";
import { createBrand } from "../domain/brands.ts";
import { transact } from "../domain/kv.ts";
import { connectSandboxAccount } from "../domain/platforms/sandbox_account.ts";
import type { Platform } from "../domain/posts/shape.ts";
import type { Service } from "../domain/service.ts";
import { runPass } from "./passes.ts";
import type { Worker } from "./worker.ts";

/** What a later start may still tell: the key's secret is not kept. */
interface Demo {
  brandId: string;
  keyPrefix: string;
  email: string;
}

const DEMO_KEY = ["demo"];
const EMAIL = "demo@marquee.example";
const HANDLES: Record<Platform, string> = {
  instagram: "harbour.coffee",
  linkedin: "harbour-coffee",
  // A channel of the real sample.
  youtube: "SMii7Y",
};

/** Seeds once; answers what to print. A second start changes nothing. */
export async function demo(service: Service, worker: Worker): Promise<string> {
  const seeded = (await service.kv.get<Demo>(DEMO_KEY)).value;
  if (seeded !== null) return greeting(service, seeded, null, null);
  const { kv, now } = service;
  const password = crypto.getRandomValues(new Uint8Array(9)).toBase64({ alphabet: "base64url" });
  const account = await createAccount(kv, now, { email: EMAIL, password });
  const brand = await createBrand(kv, now, {
    name: "Harbour Coffee",
    plan: "studio",
    accountId: account.id,
  });
  for (const [platform, handle] of service.settings.SANDBOX ? Object.entries(HANDLES) : []) {
    await connectSandboxAccount(service, brand.id, platform as Platform, handle);
  }
  await runPass(service, worker, "metrics", { brandId: brand.id });
  const { key, secret } = await createApiKey(kv, now, {
    brandId: brand.id,
    name: "demo",
    scopes: [...Scope.options],
  });
  const record: Demo = { brandId: brand.id, keyPrefix: key.prefix, email: EMAIL };
  await transact(kv, (commit) => commit.set(DEMO_KEY, record));
  return greeting(service, record, secret, password);
}

function greeting(
  { settings }: Service,
  { keyPrefix, email, brandId }: Demo,
  secret: string | null,
  password: string | null,
): string {
  const base = settings.BASE_URL;
  const key = secret ?? "$KEY";
  const auth = `-H "Authorization: Bearer ${key}"`;
  const body =
    `'{"prompt":"A quiet harbour at dawn, warm light","idea":"harbour","aspectRatio":"portrait"}'`;
  return `
Marquee runs at ${base}

  demo brand   Harbour Coffee (${brandId})
  demo key     ${secret ?? `begins with ${keyPrefix}; it was shown at the first start`}
  dashboard    ${base}/dashboard  (${email}${password === null ? "" : `, ${password}`})
  reference    ${base}/docs

Three commands to paste${secret === null ? " (with your key in $KEY)" : ""}:

curl -s ${auth} "${base}/v1/posts?sort=views&perPage=3"
curl -s ${auth} -H "Content-Type: application/json" -d ${body} ${base}/v1/creations
curl -s ${auth} "${base}/v1/creations?perPage=1"

`;
}
