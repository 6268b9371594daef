/** Keeps what the service stores from other users of the machine. */
import type { Settings } from "../foundation/settings.ts";

/** Files that the process creates from now on are its user's alone: 0600, folders 0700. */
const OTHERS_NOTHING = 0o077;

/** Makes DATA_DIR the user's alone; files of earlier versions in it can't be reached then either. */
export async function keepFilesPrivate({ DATA_DIR, onDeploy }: Settings): Promise<void> {
  if (onDeploy || Deno.build.os === "windows") return;
  Deno.umask(OTHERS_NOTHING);
  await Deno.chmod(DATA_DIR, 0o700).catch(() => {}); // not there yet, or another user's
  for (const name of ["kv.sqlite3", "kv.sqlite3-wal", "kv.sqlite3-shm", "secret.key"]) {
    await Deno.chmod(`${DATA_DIR}/${name}`, 0o600).catch(() => {});
  }
}
