/** Alerts to the brand's chat webhook: what needs a person now. Each id is delivered at least once. */
import { iso } from "./calendar.ts";
import type { Commit } from "./kv.ts";
import type { Service } from "./service.ts";

export type AlertKind = "publishFailed" | "slotHeld" | "accountReconnect" | "credits";

export interface Alert {
  brandId: string;
  kind: AlertKind;
  /** Names the event: the same id is never raised twice. */
  id: string;
  /** What happened and what to do about it; plain text. */
  text: string;
}

const alertKey = (brandId: string, id: string): Deno.KvKey => ["alert", brandId, id];

/** Raises an alert in the commit of the fact that needs it; without a webhook nothing happens. */
export async function raiseAlert(service: Service, commit: Commit, alert: Alert): Promise<void> {
  const key = alertKey(alert.brandId, alert.id);
  if (await commit.get(key) !== null) return;
  commit.set(key, { ...alert, raisedAt: iso(service.now()) });
}
