/** `deno task admin audit list`: the audit trail of a brand and its account, or of an account alone. */
import { z } from "zod";
import { accountByEmail } from "../../domain/brands/accounts.ts";
import { requireBrand } from "../../domain/brands/brands.ts";
import { noSuch } from "../../domain/foundation/errors.ts";
import { auditRows } from "../../domain/kv/audit.ts";
import { reader } from "../../domain/kv/transact.ts";
import type { Service } from "../../domain/service/service.ts";
import { type Command, command, UsageError } from "./command.ts";

const Instant = z.iso.datetime({
  offset: true,
  error: "must be an instant like 2026-01-31T12:00:00Z",
}).transform((text) => Date.parse(text));

export const AUDIT: Record<string, Command> = {
  "audit list": command(
    z.object({
      brand: z.string().optional(),
      account: z.string().optional(),
      from: Instant.optional(),
    }),
    async (service, { brand, account, from }) =>
      auditRows(service, await trailsOf(service, brand, account), from),
  ),
};

/** An account's own trail has the sign-ins, and the ends of the brands that it deleted. */
async function trailsOf({ kv }: Service, brand?: string, account?: string): Promise<string[]> {
  if (brand !== undefined && account === undefined) {
    const { id, accountId } = await requireBrand(reader(kv), brand);
    return [id, accountId];
  }
  if (account === undefined || brand !== undefined) {
    throw new UsageError("--brand or --account: give one of them");
  }
  if (!account.includes("@")) return [account];
  const found = await accountByEmail(reader(kv), account);
  if (found === null) throw noSuch("account");
  return [found.id];
}
