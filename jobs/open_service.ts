/** Opens the service for a call of `admin`, beside the running one or without it. */
import { ADMIN } from "../domain/kv/audit.ts";
import { openStore } from "../domain/kv/open.ts";
import { createLog } from "../domain/foundation/log.ts";
import { type Environ, readSettings } from "../domain/foundation/settings.ts";
import { buildService } from "../domain/service/build.ts";
import { joinClock, type JoinedClock } from "../domain/service/clock.ts";
import { MIGRATIONS } from "../domain/service/migrations.ts";
import { keepFilesPrivate } from "../domain/service/private_files.ts";
import { joinSettings } from "../domain/service/running.ts";
import type { Service } from "../domain/service/service.ts";

export interface Opened extends AsyncDisposable {
  service: Service;
  clock: JoinedClock;
}

/** @param storeDir where the store is, if not in `DATA_DIR` */
export async function openService(environ: Environ, storeDir?: string): Promise<Opened> {
  const own = readSettings(environ, "admin");
  await keepFilesPrivate(own);
  const kv = await openStore({ ...own, DATA_DIR: storeDir ?? own.DATA_DIR }, MIGRATIONS);
  const settings = await joinSettings(kv, environ);
  const clock = await joinClock(kv, settings.CLOCK);
  const log = createLog("error", Deno.stderr, clock.now);
  const service = { ...await buildService({ settings, kv, now: clock.now, log }), by: ADMIN };
  const close = async () => {
    // The call itself has succeeded, even if its instant can't be stored.
    await clock.leave().catch(() => {});
    await log.flush();
    kv.close();
  };
  return { service, clock, [Symbol.asyncDispose]: close };
}
