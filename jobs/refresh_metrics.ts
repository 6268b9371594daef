/** The metrics pass: one durable job an account, at most one at a time. */
import { createHash } from "node:crypto";
import { MINUTE } from "../domain/foundation/calendar.ts";
import { refreshAccount } from "../domain/platforms/refresh.ts";
import { SCHEDULE } from "../domain/kv/passes.ts";
import type { Service } from "../domain/service/service.ts";
import {
  readSocialAccount,
  SOCIAL_ACCOUNTS,
  type SocialAccount,
} from "../domain/platforms/accounts.ts";
import { TRAITS } from "../domain/platforms/contract/traits.ts";
import { Platform } from "../domain/posts/shape.ts";
import { exponential, type Handler, Snooze } from "./handler.ts";
import type { Counts, PageRun, Pass, PassJob, PassRun } from "./pass.ts";

export const refreshMetrics: Handler<"metrics"> = {
  // More accounts at once make requests wait longer behind the pages that are stored.
  concurrency: 4,
  maxAttempts: 3,
  backoff: exponential(MINUTE, 10 * MINUTE),
  async run(service, run) {
    const { brandId, subject: { accountId } } = run.job;
    const account = await readSocialAccount(service.kv, brandId, accountId);
    if (account === null || account.status === "reconnect") return;
    const { retryAt, ...counts } = await refreshAccount(service, account, run.signal);
    for (const [what, count] of Object.entries(counts)) run.count(what, count);
    if (retryAt !== null) throw new Snooze(retryAt);
  },
};

export const metricsPass: Pass = {
  counts: { accounts: 0, posts: 0, readings: 0, missing: 0, failed: 0 },
  collections: [SOCIAL_ACCOUNTS],
  prepare: crowded,
  jobsFor,
};

/** A job for each account that can be read; one that still waits or runs stays as it is. */
function jobsFor(
  service: Service,
  { passId, byHand, known }: PageRun,
  accounts: SocialAccount[],
  counts: Counts,
): PassJob<"metrics">[] {
  const half = Math.floor(service.now() / SCHEDULE.metrics.period) % 2;
  const isTurnOf = ({ id, platform }: SocialAccount) =>
    !known.includes(platform) || halfOf(id) === half;
  const readNow = accounts.filter((account) => isAlive(account) && isTurnOf(account));
  counts["accounts"] = readNow.length;
  return readNow.map(({ id, brandId }) => ({
    kind: "metrics",
    id: `metrics:${id}`,
    brandId,
    subject: { accountId: id, passId },
    hurry: byHand,
  }));
}

/** A person must connect other accounts again. */
function isAlive({ status }: SocialAccount): boolean {
  return status !== "reconnect";
}

/**
 * Platforms with more accounts than their quota allows in each pass. Of these, each account takes every
 * second scheduled pass. Stops to count as soon as nothing else can be found.
 */
async function crowded({ kv }: Service, { byHand }: PassRun): Promise<Platform[]> {
  if (byHand) return [];
  const room = new Map(Platform.options.map((name) => [name, TRAITS[name].accountsEachPass]));
  const left = () => [...room.values()].some((free) => free >= 0 && free < Infinity);
  const all = kv.list<SocialAccount>({ prefix: [SOCIAL_ACCOUNTS] }, { batchSize: 100 });
  for await (const { value: account } of all) {
    if (!left()) break;
    if (isAlive(account)) room.set(account.platform, (room.get(account.platform) ?? 0) - 1);
  }
  return Platform.options.filter((name) => (room.get(name) ?? 0) < 0);
}

/** The half of the accounts that an account belongs to for good, 0 or 1. */
function halfOf(id: string): number {
  return (createHash("sha256").update(id).digest()[0] ?? 0) % 2;
}
