/** Reads one account's new numbers: lists its posts, measures those that are due, stores each page. */
import { DAY, dayOf } from "../foundation/calendar.ts";
import { transact } from "../kv/transact.ts";
import { latestReadings } from "../posts/store.ts";
import { upsertPosts } from "../posts/upsert.ts";
import type { IncomingPost, Reading } from "../posts/shape.ts";
import type { Service } from "../service/service.ts";
import type { SocialAccount } from "./accounts.ts";
import { connectorFor } from "./connectors/connectors.ts";
import { accountFault, noteRead } from "./health.ts";
import { openClient, type PlatformClient } from "./contract/client.ts";
import type { Connector, Found, Measurement } from "./contract/platform.ts";
import { toReading } from "./contract/reading.ts";
import { Refusals } from "./contract/refusals.ts";
import { ownCoverTexts } from "./own_posts.ts";
import { pauseEnd } from "./pauses.ts";
import { crossesAge, type Measured, tellStandings } from "./standing_events.ts";
import { PlatformError, UNTOLD_WAIT } from "./contract/wire.ts";

/** Younger posts are measured in each metrics pass, older ones once a UTC day. */
const YOUNG = 30 * DAY;
/** Older posts that are found, as when an account is connected, are no news. */
const NEW = 7 * DAY;

interface Refreshed {
  /** Posts measured. */
  posts: number;
  readings: number;
  /** Posts that lack a number: the platform refuses it, or has not reported a first number of views. */
  missing: number;
  /** 1 when an error left some numbers unread, else 0. */
  failed: number;
  /** When the platform takes calls again, ms; null unless it throttles. */
  retryAt: number | null;
}

/**
 * Never throws for a platform's error: that is written to the account and counted as failed.
 * @param signal aborts between pages
 */
export async function refreshAccount(
  service: Service,
  account: SocialAccount,
  signal: AbortSignal,
): Promise<Refreshed> {
  const done: Refreshed = { posts: 0, readings: 0, missing: 0, failed: 0, retryAt: null };
  const paused = pauseEnd(account, "metrics", service.now());
  if (paused !== null) return { ...done, failed: 1, retryAt: paused };
  try {
    const connector = connectorFor(service, account.platform);
    const client = await openClient(service, connector, account);
    const fault = await refreshPosts(client, connector, signal, done);
    if (fault !== null) throw fault;
    await noteRead(service, account, client.refusals);
    if (client.refusals.unshown > 0) done.failed = 1;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    done.failed = 1;
    if (error.fault === "rateLimited") done.retryAt = error.retryAt ?? service.now() + UNTOLD_WAIT;
    await accountFault(service, account, "metrics", error, done.retryAt);
  }
  return done;
}

/** Stores what can be measured; returns the error that left some posts unread, or null. */
async function refreshPosts(
  client: PlatformClient,
  connector: Connector,
  signal: AbortSignal,
  done: Refreshed,
): Promise<PlatformError | null> {
  const { service, account } = client;
  // Read once, so that a midnight during the pass doesn't change what is due.
  const at = service.now();
  const today = dayOf(at);
  const listedKey = ["metricsWalk", account.brandId, account.id];
  const isListed = (await service.kv.get<string>(listedKey)).value === today;
  const since = isListed ? at - YOUNG : null;
  if (isListed) client.refusals = await Refusals.read(service.kv, account, today);
  let fault: PlatformError | null = null;
  let isComplete = true;
  const toLookAt: Measured[] = [];
  try {
    for await (const found of connector.list(client, { since })) {
      for (let from = 0; from < found.length; from += connector.pageSize) {
        signal.throwIfAborted();
        const page = found.slice(from, from + connector.pageSize);
        const outcome = await refreshPage(client, connector, page, at, done);
        toLookAt.push(...outcome.measured.filter(crossesAge));
        fault = outcome.fault ?? fault;
        isComplete &&= outcome.isComplete;
        // The day's full listing has counted the others.
        if (!isListed) client.refusals.unshown += outcome.unshown;
        if (fault !== null && isAccountWide(fault)) throw fault;
      }
    }
  } finally {
    // Once for all pages, because a look brings the brand's table up to date with all that was written.
    await tellStandings(service, account.brandId, toLookAt);
  }
  // Today's full listing counts as done only if every due post was measured. Otherwise the next pass
  // lists everything again, which costs quota.
  if (!isListed && isComplete) {
    await client.refusals.keep(service.kv, account, today);
    await transact(service.kv, (commit) => commit.set(listedKey, today));
  }
  return fault;
}

/** Whether the account's other posts would fail in the same way. */
function isAccountWide(error: PlatformError): boolean {
  return error.isAccountWide || error.fault === "permission";
}

interface PageOutcome {
  /** The gravest error of its posts, or null. */
  fault: PlatformError | null;
  /** Whether every due post was measured, apart from those without numbers at the platform. */
  isComplete: boolean;
  /** Posts without a first reading, because the platform refuses their views. */
  unshown: number;
  /** Posts whose new readings are stored. */
  measured: Measured[];
}

async function refreshPage(
  client: PlatformClient,
  connector: Connector,
  page: Found[],
  at: number,
  done: Refreshed,
): Promise<PageOutcome> {
  const { service, account } = client;
  const { kv, now } = service;
  const ids = page.map(({ post }) => post.externalId);
  const latest = await latestReadings(kv, account.brandId, account.platform, ids);
  const due = page.filter(({ post }) => isDue(post, latest.get(post.externalId), at));
  if (due.length === 0) return { fault: null, isComplete: true, unshown: 0, measured: [] };
  const measurements = await connector.measure(client, due);
  // Read for known posts, too: a pass can list a post before its publishing is recorded here.
  const covers = await ownCoverTexts(kv, account, due.map(({ post }) => post.externalId));
  const posts: IncomingPost[] = [];
  const measured: Measured[] = [];
  let unshown = 0;
  for (const one of measurements) {
    if ("error" in one) continue;
    const { externalId } = one.found.post;
    const previous = latest.get(externalId) ?? null;
    // After a passing error a metric keeps its last value. A post without one waits for the next pass.
    if (previous === null && one.fault !== null) continue;
    const reading = toReading(one.found, one.measured, previous, now());
    if (reading === null || one.isRefused) done.missing++;
    if (reading === null) {
      if (one.isRefused) unshown++;
      continue;
    }
    posts.push({ ...one.found.post, coverText: covers.get(externalId), readings: [reading] });
    const before = previous?.capturedAt ?? null;
    measured.push({ post: one.found.post, before, now: reading.capturedAt });
  }
  const options = { newSince: at - NEW };
  const { readings } = await upsertPosts(service, account.brandId, posts, options);
  done.posts += posts.length;
  done.readings += readings;
  const isUnread = (one: Measurement) =>
    "error" in one
      ? !isUnmeasurable(one.error)
      : one.fault !== null && !latest.has(one.found.post.externalId);
  const isComplete = !measurements.some(isUnread);
  return { fault: worst(client, measurements), isComplete, unshown, measured };
}

function isDue(post: Found["post"], latest: Reading | undefined, at: number): boolean {
  if (latest === undefined || at - Date.parse(post.publishedAt) < YOUNG) return true;
  return dayOf(Date.parse(latest.capturedAt)) < dayOf(at);
}

/** The gravest error of the posts. That a platform keeps no numbers for a post is not an error. */
function worst(client: PlatformClient, measurements: Measurement[]): PlatformError | null {
  let gravest: PlatformError | null = null;
  for (const one of measurements) {
    const fault = "error" in one ? unmeasured(client, one.found, one.error) : one.fault;
    if (fault === null || isUnmeasurable(fault)) continue;
    // Calls at the same time may be told different waits; the longest holds.
    if (gravest === null || gravity(fault) >= gravity(gravest)) gravest = fault;
  }
  return gravest;
}

function gravity(error: PlatformError): number {
  return isAccountWide(error) ? 1 + (error.retryAt ?? 0) : 0;
}

function isUnmeasurable(error: Error): boolean {
  return error instanceof PlatformError && error.fault === "unmeasurable";
}

function unmeasured(
  { service, account }: PlatformClient,
  { post }: Found,
  error: Error,
): PlatformError {
  if (!(error instanceof PlatformError)) throw error;
  service.log.info("platform.unmeasured", {
    account: account.id,
    post: post.externalId,
    code: error.code,
    message: error.message,
  });
  return error;
}
