/** What stands before our paths in a browser's address: a proxy takes `BASE_URL`'s path away. */
import type { Settings } from "../domain/settings.ts";

/**
 * "" or "/some/path". Without the host: whoever comes by another of its names (localhost, say)
 * gets along, too.
 */
export function basePath({ BASE_URL }: Pick<Settings, "BASE_URL">): string {
  return new URL(BASE_URL).pathname.replace(/\/$/, "");
}
