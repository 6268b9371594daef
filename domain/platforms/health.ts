/** What a platform's error, or its end, changes: the account's status and message, log, alert. */
import { raiseAlert } from "../events/alerts.ts";
import { plain } from "../events/pages.ts";
import { iso } from "../foundation/calendar.ts";
import { type Commit, transact } from "../kv/transact.ts";
import type { Service } from "../service/service.ts";
import { moveAccount, type SocialAccount, updateAccount, withExpiry } from "./accounts.ts";
import { emitStatus } from "./status_events.ts";
import { sentence } from "../foundation/text.ts";
import { clearVersionOver, noteVersionOver, versionOf } from "./operator_notes.ts";
import { pausesOf } from "./pauses.ts";
import { unreachable } from "./reachable.ts";
import { TRAITS } from "./contract/traits.ts";
import type { Refusals } from "./contract/refusals.ts";
import { FAULTS, type PlatformError } from "./contract/wire.ts";

/**
 * Notes that the account's posts were read, with what the platform refuses to report. Posts that are
 * not shown for that reason are an error; numbers that keep their last value are not.
 */
export async function noteRead(
  service: Service,
  account: SocialAccount,
  { words, unshown }: Pick<Refusals, "words" | "unshown">,
): Promise<void> {
  const missing = words === null ? null : `${TRAITS[account.platform].name} refuses ${words}.`;
  if (missing !== null) {
    const { id, brandId, platform } = account;
    service.log.warn("platform.missing", { account: id, brand: brandId, platform, words, unshown });
  }
  const error = unshown === 0
    ? null
    : `${missing} ${
      unshown === 1 ? "One post is" : `${unshown} posts are`
    } not shown until their views can be read. Other numbers keep their last value.`;
  await clearVersionOver(service, account.platform);
  await noteHealthy(service, account, { error, missing, lastReadAt: iso(service.now()) });
}

/** Like `updateAccount`, and tells others of a new status. */
async function updateTold(
  { now }: Service,
  commit: Commit,
  account: SocialAccount,
  change: (stored: SocialAccount) => SocialAccount,
): Promise<SocialAccount | null> {
  return await updateAccount(commit, account, (stored) => {
    const next = change(stored);
    emitStatus(commit, stored, next, now());
    return next;
  });
}

/** Clears the account's last error after a success, and checks whether its sign-in ends soon. */
export async function noteHealthy(
  service: Service,
  account: SocialAccount,
  noted: Partial<Pick<SocialAccount, "error" | "missing" | "lastReadAt">> = {},
): Promise<void> {
  await transact(service.kv, async (commit) => {
    await updateTold(
      service,
      commit,
      account,
      (stored) => {
        const told = { missing: stored.missing ?? null, ...noted };
        const error = told.error ?? unreachable(service.settings, stored);
        return withExpiry({ ...stored, ...told, error }, service.now());
      },
    );
  });
}

/**
 * Writes the error to the account. A dead token moves the account to `reconnect` and raises one
 * alert. Nothing changes when the account was connected again since, because the error is then old.
 * @param doing `metrics`, `publish` or `reconcile`
 * @param retryAt when Marquee tries again, ms; null when that is not known
 */
export async function accountFault(
  service: Service,
  account: SocialAccount,
  doing: string,
  fault: PlatformError,
  retryAt: number | null,
): Promise<void> {
  const over = fault.fault === "versionOver";
  const words = `${sentence(fault.message)} ${
    retryAt === null || over ? FAULTS[fault.fault].cure : `Marquee continues at ${iso(retryAt)}.`
  }`;
  service.log.warn("platform.fault", {
    account: account.id,
    brand: account.brandId,
    platform: account.platform,
    doing,
    fault: fault.fault,
    code: fault.code,
    message: fault.message,
    ...(retryAt === null ? {} : { retryAt: iso(retryAt) }),
  });
  const dead = fault.fault === "tokenDead";
  if (over) await noteVersionOver(service, account.platform, fault.message);
  await transact(service.kv, async (commit) => {
    const stored = await updateTold(service, commit, account, (before) => {
      if (before.connectedAt !== account.connectedAt) return before;
      const noted = { ...before, ...pausesOf(doing, fault, retryAt), error: words };
      return dead ? moveAccount(noted, "tokenDead") : withExpiry(noted, service.now());
    });
    if (over) {
      const version = versionOf(service.settings, account.platform);
      await raiseAlert(service, commit, {
        brandId: account.brandId,
        kind: "versionOver",
        // Once for all of the brand's accounts there, however long it lasts.
        id: `versionOver:${account.platform}:${version}`,
        text: words,
      });
    }
    if (!dead || stored?.connectedAt !== account.connectedAt) return;
    await raiseAlert(service, commit, {
      brandId: account.brandId,
      kind: "accountReconnect",
      id: `accountReconnect:${account.id}:${stored.connectedAt}`,
      text:
        `${TRAITS[account.platform].name} no longer accepts the sign-in of ${
          plain(account.handle)
        }: ${
          sentence(fault.message)
        } Reconnect the account. Until then its posts are not read and ` +
        "nothing is published there; scheduled posts wait.",
    });
  });
}
