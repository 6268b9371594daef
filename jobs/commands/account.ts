/** The calls of `deno task admin account`. A password is read from stdin, so that no history keeps it. */
import { z } from "zod";
import {
  accountByEmail,
  changePassword,
  createAccount,
  Email,
  Password,
  signOutEverywhere,
} from "../../domain/brands/accounts.ts";
import { readUpTo } from "../../domain/foundation/bytes.ts";
import { noSuch } from "../../domain/foundation/errors.ts";
import { firstProblem } from "../../domain/foundation/problems.ts";
import { reader } from "../../domain/kv/transact.ts";
import type { Service } from "../../domain/service/service.ts";
import { type Command, command, ON, UsageError } from "./command.ts";

const Stdin = z.literal(ON);

export const ACCOUNT: Record<string, Command> = {
  "account create": command(
    z.object({ email: Email, password: Password.optional(), "password-stdin": Stdin.optional() }),
    async (service, { email, password: given, "password-stdin": fromStdin }) => {
      if ((given === undefined) === (fromStdin === undefined)) {
        throw new UsageError("Give the password either as --password or by --password-stdin.");
      }
      const password = given ?? await passwordFromStdin();
      const account = await createAccount(service, { email, password });
      return { id: account.id, email: account.email };
    },
  ),
  "account password": command(
    z.object({ email: Email, "password-stdin": Stdin }),
    async (service, { email }) => {
      const { id } = await requireAccount(service, email);
      const hashed = await service.passwords.hash(await passwordFromStdin());
      await changePassword(service, id, hashed);
      return { id, email };
    },
  ),
  "account sign-out": command(z.object({ email: Email }), async (service, { email }) => {
    const { id } = await requireAccount(service, email);
    await signOutEverywhere(service, id);
    return { id, email };
  }),
};

async function requireAccount({ kv }: Service, email: string) {
  const account = await accountByEmail(reader(kv), email);
  if (account === null) throw noSuch("account");
  return account;
}

/** The first line of stdin. */
async function passwordFromStdin(): Promise<string> {
  const bytes = await readUpTo(4 * 1024, Deno.stdin.readable);
  const [line = ""] = new TextDecoder().decode(bytes ?? new Uint8Array()).split(/\r?\n/, 1);
  const parsed = Password.safeParse(line);
  if (parsed.success) return parsed.data;
  throw new UsageError(`The password on stdin ${firstProblem(parsed.error)}.`);
}
