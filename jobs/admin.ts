/** `deno task admin NOUN VERB [--flag value ...]`: one JSON value on stdout, or an error line. */
import { ServiceError } from "../domain/foundation/errors.ts";
import { environOf, SettingsError } from "../domain/foundation/settings.ts";
import { COMMANDS } from "./commands.ts";
import { OFFLINE } from "./commands/backup.ts";
import { type Flags, ON, SWITCHES, UsageError } from "./commands/command.ts";
import { openService } from "./open_service.ts";

if (import.meta.main) Deno.exit(await admin(Deno.args));

/** Runs one call; returns the exit code. */
export async function admin(args: string[]): Promise<number> {
  try {
    const { name, flags } = parse(args);
    const offline = Object.hasOwn(OFFLINE, name) ? OFFLINE[name] : undefined;
    if (offline !== undefined) {
      await print(Deno.stdout, await offline(environOf(Deno.env), flags));
      return 0;
    }
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) {
      const calls = Object.keys({ ...COMMANDS, ...OFFLINE }).join(", ");
      throw new UsageError(`No such call. Calls: ${calls}.`);
    }
    await using opened = await openService(environOf(Deno.env));
    await print(Deno.stdout, await command(opened.service, flags));
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await print(Deno.stderr, { error: { code: codeOf(error), message } });
    return 1;
  }
}

function codeOf(error: unknown): string {
  if (error instanceof ServiceError) return error.code;
  const usage = error instanceof UsageError || error instanceof SettingsError;
  return usage ? "usage" : "serviceUnavailable";
}

function parse(args: string[]) {
  const flagsAt = args.findIndex((arg) => arg.startsWith("--"));
  const words = flagsAt < 0 ? args : args.slice(0, flagsAt);
  const rest = args.slice(words.length);
  const flags: Flags = {};
  while (rest.length > 0) {
    const flag = rest.shift() ?? "";
    const name = /^--([a-z]+(?:-[a-z]+)*)$/.exec(flag)?.[1];
    const value = name !== undefined && SWITCHES.includes(name) ? ON : rest.shift();
    if (name === undefined || value === undefined) {
      throw new UsageError(`Flags are pairs of --name and value; received ${flag}.`);
    }
    flags[name] = value;
  }
  return { name: words.join(" "), flags };
}

/** One JSON value on one line. A list that is read while it is printed has a line for each entry. */
async function print(to: typeof Deno.stdout, value: unknown): Promise<void> {
  const writer = to.writable.getWriter();
  const encoder = new TextEncoder();
  const write = (text: string) => writer.write(encoder.encode(text));
  if (isStream(value)) {
    let before = "[";
    for await (const entry of value) {
      await write(before + JSON.stringify(entry));
      before = ",\n";
    }
    await write(before === "[" ? "[]\n" : "]\n");
  } else await write(JSON.stringify(value) + "\n");
  writer.releaseLock();
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
