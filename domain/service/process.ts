/** The process around the service: one clear line when it can't start, an orderly end. */
import { isUnwritable } from "../kv/transact.ts";
import type { Service } from "./service.ts";
import { type Settings, SettingsError } from "../foundation/settings.ts";
import { StoreError } from "../kv/open.ts";
import { within } from "../foundation/within.ts";

/** How long the end of the process may take after a signal to stop, ms. */
interface Patience {
  /** Requests and jobs in flight may continue. */
  graceMs: number;
  /** After that, aborted jobs hand back their work. */
  abortMs: number;
  /** The last log lines are written; nobody may be reading them. */
  logMs: number;
}

const PATIENCE: Patience = { graceMs: 10_000, abortMs: 2_000, logMs: 1_000 };
/** Deno Deploy kills a process 5 s after the signal. */
const ON_DEPLOY: Patience = { graceMs: 3_000, abortMs: 1_000, logMs: 300 };

/** Ends the process with exit code 1: one line for what an operator can fix, else the whole error. */
export function exitWith(error: unknown): never {
  Deno.stderr.writeSync(new TextEncoder().encode(`${wordsFor(error)}\n`));
  Deno.exit(1);
}

function wordsFor(error: unknown): string {
  const known = error instanceof SettingsError || error instanceof StoreError ||
    error instanceof PortError;
  if (known) return error.message;
  // On a full disk an empty file can be created and the store opened, but nothing written.
  if (isUnwritable(error)) return `Cannot write to the store: ${error.message}`;
  return Deno.inspect(error);
}

class PortError extends Error {
  override readonly name = "PortError";
}

/** Tries the port before anything is opened, so that a failed start changes nothing. */
export function requireFreePort({ HOST, PORT, onDeploy }: Settings): void {
  if (onDeploy) return;
  try {
    Deno.listen({ hostname: HOST, port: PORT }).close();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PortError(`Cannot listen on ${HOST} port ${PORT}: ${reason}`);
  }
}

/** On SIGINT or SIGTERM: runs `ends`, each given its grace in ms, closes the store and exits. */
export function untilStopped(
  service: Service,
  ends: ((graceMs: number) => Promise<unknown>)[],
): void {
  const { graceMs, abortMs, logMs } = service.settings.onDeploy ? ON_DEPLOY : PATIENCE;
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await within(graceMs + abortMs, Promise.allSettled(ends.map((end) => end(graceMs))));
    await within(logMs, service.log.flush());
    service.kv.close();
    Deno.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, stop);
}
