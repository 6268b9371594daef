/** The metrics pass: a durable job an account, at most one at a time. */
import { MINUTE } from "../domain/calendar.ts";
import { transact } from "../domain/kv.ts";
import { refreshAccount } from "../domain/platforms/refresh.ts";
import { SCHEDULE } from "../domain/passes.ts";
import type { Service } from "../domain/service.ts";
import { listSocialAccounts, readSocialAccount, type SocialAccount } from "../domain/social.ts";
import type { PassRun } from "./passes.ts";
import { type Counts, exponential, type Handler, Postponed } from "./queue.ts";

/** Jobs added in one commit, which takes 100 checks. */
const BATCH = 50;
/**
 * A Google project has 10,000 units a day and a channel of 500 videos takes 114 of them at 48 passes:
 * 20 for one over all its videos, 2 for each of the others (PLATFORMS C.2). Beyond this many channels
 * each takes every second pass.
 */
const CHANNELS_EACH_PASS = 80;

export const refreshMetrics: Handler = {
  concurrency: 8,
  maxAttempts: 3,
  backoff: exponential(MINUTE, 10 * MINUTE),
  async run(service, run) {
    const { accountId, brandId } = run.job.subject;
    const account = await readSocialAccount(service.kv, brandId!, accountId!);
    if (account === null || account.status === "reconnect") return;
    const { retryAt, ...counts } = await refreshAccount(service, account, run.signal);
    for (const [what, count] of Object.entries(counts)) run.count(what, count);
    if (retryAt !== null) throw new Postponed(retryAt);
  },
};

/** Adds a job for each account that can be read; one that still waits or runs stays as it is. */
export async function fanOutMetrics(
  service: Service,
  run: PassRun,
  counts: Counts,
): Promise<string[]> {
  const all = await listSocialAccounts(service.kv, run.brandId);
  const accounts = turn(all, service.now(), run.byHand);
  counts["accounts"] = accounts.length;
  const ids: string[] = [];
  for (let at = 0; at < accounts.length; at += BATCH) {
    ids.push(
      ...await transact(
        service.kv,
        (commit) =>
          Promise.all(
            accounts.slice(at, at + BATCH).map(({ id, brandId }) =>
              service.jobs.add(commit, {
                kind: "metrics",
                id: `metrics:${id}`,
                brandId,
                subject: { brandId, accountId: id, passId: run.passId },
                hurry: run.byHand,
              })
            ),
          ),
      ),
    );
  }
  return ids;
}

/** Whose turn it is: accounts to be connected again wait for a human, channels may alternate. */
function turn(accounts: SocialAccount[], at: number, byHand: boolean): SocialAccount[] {
  const alive = accounts.filter(({ status }) => status !== "reconnect");
  const channels = alive.filter(({ platform }) => platform === "youtube");
  if (byHand || channels.length <= CHANNELS_EACH_PASS) return alive;
  const half = Math.floor(at / SCHEDULE.metrics.period) % 2;
  const waiting = new Set(channels.filter((_, index) => index % 2 === half));
  return alive.filter((account) => !waiting.has(account));
}
