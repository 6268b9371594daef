/** The calls of `deno task admin`: noun and verb → flags → one JSON value. */
import { z } from "zod";
import { iso, SECOND } from "../domain/foundation/calendar.ts";
import { invalid } from "../domain/foundation/errors.ts";
import { Budgets } from "../domain/brands/budgets.ts";
import { createApiKey, listApiKeys, revokeApiKey, Scope } from "../domain/brands/keys.ts";
import {
  BrandName,
  createBrand,
  listBrands,
  requireBrand,
  updateBrand,
} from "../domain/brands/brands.ts";
import { grantCredits } from "../domain/brands/credits.ts";
import { auditAlone, SYSTEM } from "../domain/kv/audit.ts";
import { JobState } from "../domain/kv/jobs/job.ts";
import { readKit } from "../domain/brands/kit.ts";
import type { PassName } from "../domain/kv/passes.ts";
import { within } from "../domain/foundation/within.ts";
import { Plan } from "../domain/brands/plans.ts";
import { connectSandboxAccount } from "../domain/platforms/sandbox_account.ts";
import { importPosts } from "../domain/posts/importer.ts";
import { Platform } from "../domain/posts/shape.ts";
import { mayWork, requireSameSecret } from "../domain/service/running.ts";
import { listSocialAccounts } from "../domain/platforms/accounts.ts";
import { secretStatus } from "../domain/platforms/sealed.ts";
import { ACCOUNT } from "./commands/account.ts";
import { AUDIT } from "./commands/audit.ts";
import { BACKUP } from "./commands/backup.ts";
import { type Command, command, pathOf } from "./commands/command.ts";
import { LEAVING } from "./commands/leaving.ts";
import { HANDLERS } from "./handlers.ts";
import { runPass } from "./passes.ts";
import { Worker } from "./worker.ts";
import { reader } from "../domain/kv/transact.ts";

/** How long jobs may take to notice that they are aborted. */
const ABORT_MS = 2 * SECOND;

const list = z.string().transform((value) => value.split(",").map((item) => item.trim()));

const json = z.string().transform((value, context): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    context.addIssue("must be JSON");
    return z.NEVER;
  }
});

const count = z.string().regex(/^[1-9][0-9]{0,6}$/, "must be a whole number from 1 to 9999999")
  .transform(Number);

export const COMMANDS: Record<string, Command> = {
  ...ACCOUNT,

  "brand create": command(
    z.object({ name: BrandName, plan: Plan, account: z.string().optional() }),
    async (service, { name, plan, account }) => {
      const brand = await createBrand(service, { name, plan, accountId: account });
      return { id: brand.id, name: brand.name, plan: brand.plan, accountId: brand.accountId };
    },
  ),
  "brand update": command(
    z.object({ id: z.string(), name: BrandName.optional(), plan: Plan.optional() }),
    (service, { id, ...change }) => updateBrand(service, id, change),
  ),
  "brand list": command(z.object({}), async ({ kv }) => {
    const shown = (await listBrands(kv)).map(async (brand) => {
      const { webhook, webhookStatus } = await readKit(reader(kv), brand.id);
      return { ...brand, webhookStatus: webhook === null ? null : webhookStatus };
    });
    return await Promise.all(shown);
  }),

  "key create": command(
    z.object({
      brand: z.string(),
      scopes: list.pipe(z.array(Scope).min(1)),
      name: BrandName.default("admin"),
      expires: z.iso.datetime({ offset: true }).optional(),
      budgets: json.pipe(Budgets).optional(),
    }),
    async (service, { brand, scopes, name, expires, budgets = null }) => {
      const expiresAt = expires === undefined ? null : iso(Date.parse(expires));
      if (expiresAt !== null && Date.parse(expiresAt) <= service.now()) {
        throw invalid("expires", "must be after now");
      }
      const wanted = { brandId: brand, scopes, name, expiresAt, budgets };
      const { key, secret } = await createApiKey(service, wanted);
      const limits = { ...expiresAt === null ? {} : { expiresAt }, ...budgets ? { budgets } : {} };
      return { id: key.id, secret, brandId: key.brandId, scopes: key.scopes, ...limits };
    },
  ),
  "key list": command(
    z.object({ brand: z.string() }),
    async ({ kv }, { brand }) => listApiKeys(kv, (await requireBrand(reader(kv), brand)).id),
  ),
  "key revoke": command(
    z.object({ id: z.string() }),
    (service, { id }) => revokeApiKey(service, id),
  ),

  "posts import": command(
    z.object({ brand: z.string(), file: z.string() }),
    async (service, { brand, file }) => {
      const { id } = await requireBrand(reader(service.kv), brand);
      const path = await pathOf(file);
      // An import takes many commits, so its row goes before the first.
      await auditAlone(service, { action: "posts.imported", of: id, subject: id });
      return await importPosts(service, id, path);
    },
  ),

  "social connect": command(
    z.object({ brand: z.string(), platform: Platform, sandbox: z.string().min(1) }),
    async (service, { brand, platform, sandbox }) => {
      await requireSameSecret(service);
      const { id: brandId } = await requireBrand(reader(service.kv), brand);
      const account = await connectSandboxAccount(service, brandId, platform, sandbox);
      const { id, handle, status } = account;
      return { id, platform, handle, status };
    },
  ),
  "social list": command(
    z.object({ brand: z.string() }),
    async ({ kv }, { brand }) => listSocialAccounts(kv, (await requireBrand(reader(kv), brand)).id),
  ),

  "pass run metrics": passCommand("metrics"),
  "pass run series": passCommand("series"),
  "pass run digest": passCommand("digest"),

  "credits grant": command(
    z.object({ brand: z.string(), amount: count }),
    async (service, { brand, amount }) =>
      grantCredits(service, await requireBrand(reader(service.kv), brand), amount),
  ),

  "secret status": command(z.object({}), (service) => secretStatus(service)),

  "jobs list": command(
    z.object({ state: JobState.optional() }),
    ({ jobs }, { state }) => jobs.list(state),
  ),
  "jobs retry": command(z.object({ id: z.string() }), ({ jobs, by }, { id }) => jobs.retry(by, id)),

  ...AUDIT,
  ...LEAVING,
  ...BACKUP,
};

/** Runs a pass and waits for its work, which a worker here does, or the running service's. */
function passCommand(name: PassName): Command {
  return command(z.object({ brand: z.string().optional() }), async (asked, { brand }) => {
    // What a pass does is the system's work, also when it was asked for.
    const service = { ...asked, by: SYSTEM };
    const brandId = brand === undefined
      ? undefined
      : (await requireBrand(reader(service.kv), brand)).id;
    if (!(await mayWork(service))) {
      return await runPass(service, null, name, { brandId, byHand: true });
    }
    const worker = new Worker(service, HANDLERS);
    worker.start();
    try {
      return await runPass(service, worker, name, { brandId, byHand: true });
    } finally {
      // The process exits next, so a job that is slow to notice is left to its lease.
      await within(ABORT_MS, worker.stop(0));
    }
  });
}
