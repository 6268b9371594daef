/** The brand's time zone: the one place that reads it from the kit. */
import type { StoredKit } from "./kit.ts";

/** The IANA name of the kit's time zone; "UTC" when it names none. */
export function timeZoneOf(kit: StoredKit): string {
  return kit.timeZone ?? "UTC";
}
