/** `deno task admin NOUN VERB [--flag value ...]`: one JSON value on stdout, or an error line. */
import { buildService } from "../domain/build.ts";
import { joinClock, type JoinedClock } from "../domain/clock.ts";
import { ServiceError } from "../domain/errors.ts";
import { createLog } from "../domain/log.ts";
import { joinSettings } from "../domain/running.ts";
import type { Service } from "../domain/service.ts";
import { readSettings, SettingsError } from "../domain/settings.ts";
import { openStore } from "../domain/store.ts";
import { COMMANDS, type Flags, UsageError } from "./commands.ts";

if (import.meta.main) Deno.exit(await admin(Deno.args));

/** Runs one call; answers the exit code. */
export async function admin(args: string[]): Promise<number> {
  try {
    const { command, flags } = parse(args);
    const { service, clock } = await openService();
    try {
      await print(Deno.stdout, await command(service, flags));
    } finally {
      // What was done stands, also where its instant can't be noted.
      await clock.leave().catch(() => {});
      await service.log.flush();
      service.kv.close();
    }
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
  const name = words.join(" ");
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    throw new UsageError(`No such call. Calls: ${Object.keys(COMMANDS).join(", ")}.`);
  }
  const flags: Flags = {};
  for (let at = 0; at < rest.length; at += 2) {
    const name = /^--([a-z]+)$/.exec(rest[at]!)?.[1];
    const value = rest[at + 1];
    if (name === undefined || value === undefined) {
      throw new UsageError(`Flags are pairs of --name and value; received ${rest[at]}.`);
    }
    flags[name] = value;
  }
  return { command, flags };
}

async function openService(): Promise<{ service: Service; clock: JoinedClock }> {
  const environ = Deno.env.toObject();
  const kv = await openStore(readSettings(environ, "admin"));
  const settings = await joinSettings(kv, environ);
  const clock = await joinClock(kv, settings.CLOCK);
  const log = createLog("error", Deno.stderr, clock.now);
  return { service: await buildService({ settings, kv, now: clock.now, log }), clock };
}

async function print(to: typeof Deno.stdout, value: unknown): Promise<void> {
  const writer = to.writable.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(value) + "\n"));
  writer.releaseLock();
}
