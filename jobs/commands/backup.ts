/** The admin's calls for the bad day: a backup while the service runs, and its restore. */
import { z } from "zod";
import { systemNow } from "../../domain/foundation/calendar.ts";
import { createLog } from "../../domain/foundation/log.ts";
import { type Environ, readSettings } from "../../domain/foundation/settings.ts";
import { backUp } from "../../domain/service/backup.ts";
import { keepFilesPrivate } from "../../domain/service/private_files.ts";
import { restore } from "../../domain/service/restore.ts";
import { holdAfterRestore } from "../../domain/series/running/after_restore.ts";
import { openService } from "../open_service.ts";
import { type Command, command, meantPath, pathOf } from "./command.ts";

export const BACKUP: Record<string, Command> = {
  backup: command(
    z.object({ to: z.string().min(1) }),
    (service, { to }) => backUp(service, meantPath(to)),
  ),
};

/** Calls that need a store that is not open; they get the environment. */
export const OFFLINE: Record<string, Command<Environ>> = {
  restore: command(z.object({ from: z.string().min(1) }), async (environ: Environ, { from }) => {
    const settings = readSettings(environ, "admin");
    await keepFilesPrivate(settings);
    const log = createLog("error", Deno.stderr, systemNow);
    let held = 0;
    const mend = async (storeDir: string, takenAt: string) => {
      await using opened = await openService(environ, storeDir);
      held = await holdAfterRestore(opened.service, takenAt);
    };
    const report = await restore({ settings, now: systemNow, log }, await pathOf(from), mend);
    return { ...report, held };
  }),
};
