/** The path of `BASE_URL`, which browsers must send before every path and a proxy removes. */
import type { Settings } from "../domain/foundation/settings.ts";

/**
 * "" or "/some/path". Without the host, so that pages also work under another of its names, such
 * as localhost.
 */
export function basePath({ BASE_URL }: Pick<Settings, "BASE_URL">): string {
  return new URL(BASE_URL).pathname.replace(/\/$/, "");
}
