/** The alert that a scheduled post is held: which one, of which series, on which account, and why. */
import { type AlertKind, raiseAlert } from "../../events/alerts.ts";
import { brandPage, itemPage, plain } from "../../events/pages.ts";
import { localTime } from "../../foundation/local_time.ts";
import { type Commit, reader } from "../../kv/transact.ts";
import { readSocialAccount } from "../../platforms/accounts.ts";
import { TRAITS } from "../../platforms/contract/traits.ts";
import type { Service } from "../../service/service.ts";
import type { StoredSlot } from "../records.ts";
import { accountIdOf, seriesOf } from "../steering.ts";

/** What a platform refuses until a person has connected the account again. */
const RECONNECT: readonly (string | null)[] = ["permission", "tokenDead"];

/** @param slot as it was before it was held @param code the platform's own code, or null */
export async function raiseHoldAlert(
  service: Service,
  commit: Commit,
  slot: StoredSlot,
  held: StoredSlot,
  code: string | null,
): Promise<void> {
  const { settings } = service;
  const { brandId, id } = slot;
  const kind = kindOf(slot, code);
  await raiseAlert(service, commit, {
    brandId,
    kind,
    id: `${kind}-${id}-${held.events}`,
    page: kind === "publishForbidden"
      ? brandPage(settings, brandId)
      : itemPage(settings, brandId, id),
    text: async (timeZone) => {
      const at = `for ${localTime(Date.parse(slot.scheduledFor), timeZone)}`;
      const which = [`The ${slot.format}`, ...await sourceOf(service, slot), at].join(" ");
      return `${which} is held.\n${held.error ?? ""}`;
    },
  });
}

function kindOf({ status }: StoredSlot, code: string | null): AlertKind {
  if (status !== "publishing") return "slotHeld";
  return RECONNECT.includes(code) ? "publishForbidden" : "publishFailed";
}

/** "of Weekly on harbour.coffee (Instagram)". Reads past the commit, since these are only names. */
async function sourceOf({ kv }: Service, slot: StoredSlot): Promise<string[]> {
  const { brandId } = slot;
  const series = await seriesOf(reader(kv), slot);
  const account = await readSocialAccount(kv, brandId, accountIdOf(slot, series) ?? "");
  const of = series === null ? "" : `of ${plain(series.name)}`;
  const on = account === null
    ? ""
    : `on ${plain(account.handle)} (${TRAITS[account.platform].name})`;
  return [of, on].filter((part) => part !== "");
}
