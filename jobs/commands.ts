/** The calls of `deno task admin`: noun and verb → flags → one JSON value. */
import { resolve } from "node:path";
import { z } from "zod";
import { createApiKey, listApiKeys, revokeApiKey, Scope } from "../domain/access.ts";
import { createAccount, Email, Password } from "../domain/accounts.ts";
import { BrandName, createBrand, listBrands, readBrand, updateBrand } from "../domain/brands.ts";
import { grantCredits } from "../domain/credits.ts";
import { JobState } from "../domain/jobs.ts";
import { readKit } from "../domain/kit.ts";
import type { PassName } from "../domain/passes.ts";
import { firstProblem } from "../domain/operation.ts";
import { Plan } from "../domain/plans.ts";
import { connectSandboxAccount } from "../domain/platforms/sandbox_account.ts";
import { importPosts } from "../domain/posts/importer.ts";
import { Platform } from "../domain/posts/shape.ts";
import { mayWork, requireSameSecret } from "../domain/running.ts";
import type { Service } from "../domain/service.ts";
import { listSocialAccounts } from "../domain/social.ts";
import { HANDLERS } from "./handlers.ts";
import { runPass } from "./passes.ts";
import { Worker } from "./worker.ts";

export type Flags = Record<string, string>;
export type Command = (service: Service, flags: Flags) => Promise<unknown>;

/** A call that names no command, or flags it does not take. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

function command<Shape extends z.ZodObject>(
  flags: Shape,
  run: (service: Service, flags: z.output<Shape>) => Promise<unknown>,
): Command {
  return (service, given) => {
    const stray = Object.keys(given).find((name) => !Object.hasOwn(flags.shape, name));
    if (stray !== undefined) throw new UsageError(`--${stray}: is no flag of this command`);
    const parsed = flags.safeParse(given, { reportInput: true });
    if (parsed.success) return run(service, parsed.data);
    throw new UsageError(`--${firstProblem(parsed.error)}`);
  };
}

const list = z.string().transform((value) => value.split(",").map((item) => item.trim()));

const count = z.string().regex(/^[1-9][0-9]{0,6}$/, "must be a whole number from 1 to 9999999")
  .transform(Number);

export const COMMANDS: Record<string, Command> = {
  "account create": command(
    z.object({ email: Email, password: Password }),
    async ({ kv, now }, flags) => {
      const { id, email } = await createAccount(kv, now, flags);
      return { id, email };
    },
  ),

  "brand create": command(
    z.object({ name: BrandName, plan: Plan, account: z.string().optional() }),
    async ({ kv, now }, { name, plan, account }) => {
      const brand = await createBrand(kv, now, { name, plan, accountId: account });
      return { id: brand.id, name: brand.name, plan: brand.plan, accountId: brand.accountId };
    },
  ),
  "brand update": command(
    z.object({ id: z.string(), name: BrandName.optional(), plan: Plan.optional() }),
    ({ kv }, { id, ...change }) => updateBrand(kv, id, change),
  ),
  "brand list": command(z.object({}), async ({ kv }) => {
    const shown = (await listBrands(kv)).map(async (brand) => {
      const { discordWebhookUrl, webhookStatus } = await readKit(kv, brand.id);
      return { ...brand, webhookStatus: discordWebhookUrl === null ? null : webhookStatus };
    });
    return await Promise.all(shown);
  }),

  "key create": command(
    z.object({
      brand: z.string(),
      scopes: list.pipe(z.array(Scope).min(1)),
      name: BrandName.default("admin"),
    }),
    async ({ kv, now }, { brand, scopes, name }) => {
      const { key, secret } = await createApiKey(kv, now, { brandId: brand, scopes, name });
      return { id: key.id, secret, brandId: key.brandId, scopes: key.scopes };
    },
  ),
  "key list": command(
    z.object({ brand: z.string() }),
    async ({ kv }, { brand }) => listApiKeys(kv, (await readBrand(kv, brand)).id),
  ),
  "key revoke": command(
    z.object({ id: z.string() }),
    ({ kv, now }, { id }) => revokeApiKey(kv, now, id),
  ),

  "posts import": command(
    z.object({ brand: z.string(), file: z.string() }),
    async (service, { brand, file }) =>
      importPosts(service, (await readBrand(service.kv, brand)).id, await pathOf(file)),
  ),

  "social connect": command(
    z.object({ brand: z.string(), platform: Platform, sandbox: z.string().min(1) }),
    async (service, { brand, platform, sandbox }) => {
      await requireSameSecret(service);
      const { id: brandId } = await readBrand(service.kv, brand);
      const account = await connectSandboxAccount(service, brandId, platform, sandbox);
      const { id, handle, status } = account;
      return { id, platform, handle, status };
    },
  ),
  "social list": command(
    z.object({ brand: z.string() }),
    async ({ kv }, { brand }) => listSocialAccounts(kv, (await readBrand(kv, brand)).id),
  ),

  "pass run metrics": passCommand("metrics"),
  "pass run series": passCommand("series"),
  "pass run digest": passCommand("digest"),

  "credits grant": command(
    z.object({ brand: z.string(), amount: count }),
    async ({ kv, now }, { brand, amount }) =>
      grantCredits(kv, await readBrand(kv, brand), now(), amount),
  ),

  "jobs list": command(
    z.object({ state: JobState.optional() }),
    ({ jobs }, { state }) => jobs.list(state),
  ),
  "jobs retry": command(z.object({ id: z.string() }), ({ jobs }, { id }) => jobs.retry(id)),
};

/** A path as the caller means it: `deno task` moves to the project, and says from where. */
async function pathOf(file: string): Promise<string> {
  const meant = resolve(Deno.env.get("INIT_CWD") ?? ".", file);
  const isThere = await Deno.stat(meant).then(() => true, () => false);
  return isThere ? meant : file;
}

/**
 * Runs a pass and waits for its work: with a worker of its own where it was started as the service
 * was, else by the service's.
 */
function passCommand(name: PassName): Command {
  return command(z.object({ brand: z.string().optional() }), async (service, { brand }) => {
    const brandId = brand === undefined ? undefined : (await readBrand(service.kv, brand)).id;
    if (!(await mayWork(service))) {
      return await runPass(service, null, name, { brandId, byHand: true });
    }
    const worker = new Worker(service, HANDLERS);
    worker.start();
    try {
      return await runPass(service, worker, name, { brandId, byHand: true });
    } finally {
      await worker.stop(0);
    }
  });
}
