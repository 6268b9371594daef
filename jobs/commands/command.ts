/** What a call of `deno task admin` is: checked flags → one JSON value. */
import { resolve } from "node:path";
import type { z } from "zod";
import { firstProblem } from "../../domain/foundation/problems.ts";
import type { Service } from "../../domain/service/service.ts";

export type Flags = Record<string, string>;
export type Command<On = Service> = (on: On, flags: Flags) => Promise<unknown>;

/** Flags without a value; any other has one. */
export const SWITCHES: readonly string[] = ["password-stdin", "yes"];
/** The value that a flag without one gets. */
export const ON = "on";

/** The call names no command, or flags that the command does not take. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A command that checks its flags first. `On` is what it works on: the service, unless told. */
export function command<Shape extends z.ZodObject, On = Service>(
  flags: Shape,
  run: (on: On, flags: z.output<Shape>) => Promise<unknown>,
): Command<On> {
  return (on, given) => {
    const stray = Object.keys(given).find((name) => !Object.hasOwn(flags.shape, name));
    if (stray !== undefined) throw new UsageError(`--${stray}: is no flag of this command`);
    const parsed = flags.safeParse(given, { reportInput: true });
    if (parsed.success) return run(on, parsed.data);
    throw new UsageError(`--${firstProblem(parsed.error)}`);
  };
}

/** A path as the caller means it: `deno task` changes to the project's folder and sets INIT_CWD. */
export function meantPath(file: string): string {
  return resolve(Deno.env.get("INIT_CWD") ?? ".", file);
}

/** The path of a file that is there, as the caller means it or seen from the project's folder. */
export async function pathOf(file: string): Promise<string> {
  const meant = meantPath(file);
  const isThere = await Deno.stat(meant).then(() => true, () => false);
  return isThere ? meant : file;
}
