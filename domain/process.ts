/** The process around the service: one clear line when it can't start, an orderly end. */
import { isUnwritable } from "./kv.ts";
import type { Service } from "./service.ts";
import { type Settings, SettingsError } from "./settings.ts";
import { isOnDeploy, StoreError } from "./store.ts";

/** How long requests and jobs in flight may go on after a signal to stop. */
const GRACE_MS = 10_000;
/** Past the grace period the process ends whatever is still open. */
const LAST_MS = 2_000;
/** The last log lines are given this long; nobody may be reading them. */
const LOG_MS = 1_000;

/** Ends the process with exit code 1: one line for what an operator can mend, else the whole fault. */
export function exitWith(error: unknown): never {
  Deno.stderr.writeSync(new TextEncoder().encode(`${wordsFor(error)}\n`));
  Deno.exit(1);
}

function wordsFor(error: unknown): string {
  const known = error instanceof SettingsError || error instanceof StoreError ||
    error instanceof PortError;
  if (known) return error.message;
  // The folder takes an empty file, and the store opens, also where no byte is left to write.
  if (isUnwritable(error)) return `Cannot write to the store: ${error.message}`;
  return Deno.inspect(error);
}

export class PortError extends Error {
  override readonly name = "PortError";
}

/** Tries the port before anything is opened, so that a failed start changes nothing. */
export function requireFreePort({ HOST, PORT }: Settings): void {
  if (isOnDeploy()) return;
  try {
    Deno.listen({ hostname: HOST, port: PORT }).close();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PortError(`Cannot listen on ${HOST} port ${PORT}: ${reason}`);
  }
}

/** On SIGINT or SIGTERM: runs `ends`, each given its grace in ms, then closes the store. */
export function untilStopped(
  service: Service,
  ends: ((graceMs: number) => Promise<unknown>)[],
): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => Deno.exit(0), GRACE_MS + LAST_MS);
    await Promise.allSettled(ends.map((end) => end(GRACE_MS)));
    await Promise.race([service.log.flush(), new Promise((done) => setTimeout(done, LOG_MS))]);
    service.kv.close();
    Deno.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, stop);
}
