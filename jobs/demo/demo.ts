/** `deno task dev` on a fresh store: an invented brand with sandbox accounts, their posts and a past. */
import { apiKeyKey, createApiKey, hashSecret, Scope } from "../../domain/brands/keys.ts";
import type { ApiKey } from "../../domain/brands/keys.ts";
import { accountIdOf, addAccount, readAccount } from "../../domain/brands/accounts.ts";
import { addBrand, requireBrand } from "../../domain/brands/brands.ts";
import { writeKit } from "../../domain/brands/kit.ts";
import { signInLink } from "../../domain/brands/links.ts";
import { reader, transact } from "../../domain/kv/transact.ts";
import { listSocialAccounts } from "../../domain/platforms/accounts.ts";
import { connectSandboxAccount } from "../../domain/platforms/sandbox_account.ts";
import type { Platform } from "../../domain/posts/shape.ts";
import type { Service } from "../../domain/service/service.ts";
import { runPass } from "../passes.ts";
import type { Worker } from "../worker.ts";
import { EMAIL, HANDLES, KIT, NAME, STAGE, STYLE } from "./brand.ts";
import { greeting } from "./greeting.ts";
import { keepPosts, rowsOfPast, writeRows } from "./keep_past.ts";
import { type Face, livePast } from "./past.ts";
import { fillShelf } from "./shelf.ts";

/** How far the seeding came: a process may end at any moment, and the next start resumes here. */
interface Demo {
  brandId: string;
  email: string;
  /** The key that every start shows, encrypted; absent until the brand's posts are read. */
  key?: string;
  /** Encrypted, until it was shown; absent when the account existed before. */
  password?: string;
  /** Whether the brand still lacks its images and its past. Absent in demos of earlier versions: no. */
  lacksPast?: boolean;
}

const DEMO_KEY = ["demo"];

/**
 * Seeds what must be there to greet, and greets: with a key that works, and a link that signs in once.
 */
export async function demo(
  service: Service,
  worker: Worker,
  say: (text: string) => Promise<void>,
): Promise<void> {
  const begun = await begin(service);
  if (begun.key === undefined) await connect(service, worker, begun.brandId);
  const key = await workingKey(service, begun);
  const { brandId, password, lacksPast = false } = begun;
  const brand = await requireBrand(reader(service.kv), brandId);
  const account = await readAccount(reader(service.kv), brand.accountId);
  await say(greeting({
    base: service.settings.BASE_URL,
    brand,
    key,
    link: account === null ? null : await signInLink(service, account),
    email: account?.email ?? begun.email,
    password: password === undefined ? null : await open(service, password),
    isBeingSeeded: lacksPast && service.settings.SANDBOX,
  }));
  // Forgotten only once shown: if nobody has seen the password, the next start shows it.
  if (password !== undefined) {
    await change(service, ({ password: _, ...shown }) => shown);
  }
}

const WEEKS = 8;

/** Gives the brand its images and a past, which takes a minute. Needs the sandbox. */
export async function seedPast(service: Service, face: Face, weeks = WEEKS): Promise<void> {
  const { kv, settings } = service;
  const begun = (await kv.get<Demo>(DEMO_KEY)).value;
  if (!begun?.lacksPast || !settings.SANDBOX) return;
  const { brandId } = begun;
  await fillShelf(service, brandId);
  const brand = await requireBrand(reader(kv), brandId);
  const accounts = await listSocialAccounts(kv, brandId);
  const account = accounts.find(({ platform }) => platform === STAGE);
  if (account === undefined) return;
  const past = await livePast(service, face, { brand, accountId: account.id, weeks });
  try {
    const posts = await keepPosts(service, brandId, past);
    const rows = await rowsOfPast(past, brandId, posts);
    await transact(kv, async (commit) => {
      const stored = await commit.get<Demo>(DEMO_KEY);
      if (!stored?.lacksPast) return;
      await writeRows(commit, rows);
      commit.set(DEMO_KEY, { ...stored, lacksPast: false } satisfies Demo);
    });
  } finally {
    past.close();
  }
}

/** The record of the seeding, created in one commit with its account and its brand. */
async function begin({ kv, now, secrets, passwords }: Service): Promise<Demo> {
  const known = (await kv.get<Demo>(DEMO_KEY)).value;
  if (known !== null) return known;
  const password = crypto.getRandomValues(new Uint8Array(9)).toBase64({ alphabet: "base64url" });
  const [hashed, sealed] = await Promise.all([
    passwords.hash(password),
    secrets.seal(password, EMAIL),
  ]);
  return await transact(kv, async (commit) => {
    const begun = await commit.get<Demo>(DEMO_KEY);
    if (begun !== null) return begun;
    const owner = await accountIdOf(commit, EMAIL);
    const accountId = owner ?? addAccount(commit, now(), EMAIL, hashed).id;
    const brand = addBrand(commit, now(), { name: NAME, plan: "studio", accountId });
    const record: Demo = {
      brandId: brand.id,
      email: EMAIL,
      lacksPast: true,
      ...(owner === null ? { password: sealed } : {}),
    };
    commit.set(DEMO_KEY, record);
    return record;
  });
}

/** The brand's style, its accounts and their posts as they are today. */
async function connect(service: Service, worker: Worker, brandId: string): Promise<void> {
  await writeKit(service, brandId, { ...KIT, baseStylePrompt: STYLE, discordWebhookUrl: null });
  for (const [platform, handle] of service.settings.SANDBOX ? Object.entries(HANDLES) : []) {
    await connectSandboxAccount(service, brandId, platform as Platform, handle);
  }
  await runPass(service, worker, "metrics", { brandId });
}

/** The key that earlier starts showed; another one when that was revoked or can't be read any more. */
async function workingKey(service: Service, { brandId, key }: Demo): Promise<string> {
  const known = key === undefined ? null : await open(service, key);
  if (known !== null && await isLive(service, known)) return known;
  const scopes = [...Scope.options];
  const { secret } = await createApiKey(service, { brandId, name: "demo", scopes });
  const sealed = await service.secrets.seal(secret, EMAIL);
  await change(service, (record) => ({ ...record, key: sealed }));
  return secret;
}

async function isLive({ kv }: Service, secret: string): Promise<boolean> {
  const hash = await hashSecret(secret);
  const key = hash === null ? null : (await kv.get<ApiKey>(apiKeyKey(hash))).value;
  return key !== null && key.revokedAt === null;
}

function change({ kv }: Service, to: (record: Demo) => Demo): Promise<void> {
  return transact(kv, async (commit) => {
    const record = await commit.get<Demo>(DEMO_KEY);
    if (record !== null) commit.set(DEMO_KEY, to(record));
  });
}

/** Null when SECRET_KEY has changed since it was sealed. */
function open({ secrets }: Service, sealed: string): Promise<string | null> {
  return secrets.open(sealed, EMAIL).catch(() => null);
}
