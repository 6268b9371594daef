/** What a platform's fault, or its end, does to the account: status, words, log, alert. */
import { raiseAlert } from "../alerts.ts";
import { iso } from "../calendar.ts";
import { transact } from "../kv.ts";
import type { Service } from "../service.ts";
import { judged, moveAccount, type SocialAccount, updateAccount } from "../social.ts";
import { sentence } from "../text.ts";
import { FAULTS, type PlatformError } from "./wire.ts";

/** All went well: the last error is forgotten, and the credentials' end is looked at. */
export async function noteHealthy(service: Service, account: SocialAccount): Promise<void> {
  await transact(service.kv, async (commit) => {
    await updateAccount(
      commit,
      account,
      (stored) => judged({ ...stored, error: null }, service.now()),
    );
  });
}

/**
 * The account says what happened; a dead token moves it to `reconnect` and alerts, once. What an
 * earlier connection met does not concern one that was made meanwhile.
 * @param doing `metrics` or `publish`
 * @param retryAt when it goes on by itself, if that is known
 */
export async function accountFault(
  service: Service,
  account: SocialAccount,
  doing: string,
  fault: PlatformError,
  retryAt: number | null,
): Promise<void> {
  const words = `${sentence(fault.message)} ${
    retryAt === null ? FAULTS[fault.fault].cure : `It goes on at ${iso(retryAt)}.`
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
  await transact(service.kv, async (commit) => {
    const stored = await updateAccount(commit, account, (before) => {
      if (before.connectedAt !== account.connectedAt) return before;
      const noted = { ...before, error: words };
      return dead ? moveAccount(noted, "tokenDead") : judged(noted, service.now());
    });
    if (!dead || stored?.connectedAt !== account.connectedAt) return;
    await raiseAlert(service, commit, {
      brandId: account.brandId,
      kind: "accountReconnect",
      id: `accountReconnect:${account.id}:${stored.connectedAt}`,
      text: `The ${account.platform} account ${account.handle} must be connected again: ` +
        fault.message,
    });
  });
}
