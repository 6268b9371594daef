/** One account's part of the metrics pass: list, measure what is due, write page by page. */
import { DAY, dayOf } from "../calendar.ts";
import { transact } from "../kv.ts";
import { latestReadings } from "../posts/store.ts";
import { upsertPosts } from "../posts/upsert.ts";
import type { IncomingPost, Reading } from "../posts/shape.ts";
import type { Service } from "../service.ts";
import type { SocialAccount } from "../social.ts";
import { connectorFor } from "./connectors.ts";
import { accountFault, noteHealthy } from "./health.ts";
import { type Line, openLine } from "./line.ts";
import type { Connector, Found, Measurement } from "./platform.ts";
import { toReading } from "./reading.ts";
import { ownCoverTexts } from "./own_posts.ts";
import { PlatformError, UNTOLD_WAIT } from "./wire.ts";

/** Posts younger than this are measured in each pass, older ones once a UTC day. */
export const YOUNG = 30 * DAY;

export interface Refreshed {
  /** Posts measured. */
  posts: number;
  readings: number;
  /** 1 when not all went well. */
  failed: number;
  /** When the platform allows to go on, ms; null unless it throttles. */
  retryAt: number | null;
}

/** @param signal aborts between pages */
export async function refreshAccount(
  service: Service,
  account: SocialAccount,
  signal: AbortSignal,
): Promise<Refreshed> {
  const done: Refreshed = { posts: 0, readings: 0, failed: 0, retryAt: null };
  try {
    const connector = connectorFor(service, account.platform);
    const line = await openLine(service, connector, account);
    const fault = await refreshPosts(line, connector, signal, done);
    if (fault !== null) throw fault;
    await noteHealthy(service, account);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    done.failed = 1;
    if (error.fault === "rateLimited") done.retryAt = error.retryAt ?? service.now() + UNTOLD_WAIT;
    await accountFault(service, account, "metrics", error, done.retryAt);
  }
  return done;
}

/** Writes what can be measured; answers the fault that some posts met, if any. */
async function refreshPosts(
  line: Line,
  connector: Connector,
  signal: AbortSignal,
  done: Refreshed,
): Promise<PlatformError | null> {
  const { service, account } = line;
  // One instant decides what is listed in full and what is due, though midnight may pass meanwhile.
  const at = service.now();
  const today = dayOf(at);
  const walk = ["metricsWalk", account.brandId, account.id];
  const walkedToday = (await service.kv.get<string>(walk)).value === today;
  const since = walkedToday ? at - YOUNG : null;
  let fault: PlatformError | null = null;
  let isWhole = true;
  for await (const found of connector.list(line, { since })) {
    for (let from = 0; from < found.length; from += connector.pageSize) {
      signal.throwIfAborted();
      const page = found.slice(from, from + connector.pageSize);
      const met = await refreshPage(line, connector, page, at, done);
      fault = met.fault ?? fault;
      isWhole &&= met.isWhole;
      if (fault !== null && isAccountWide(fault)) throw fault;
    }
  }
  // Whom a fault left without a reading is looked for among all again; to list all costs quota.
  if (!walkedToday && isWhole) {
    await transact(service.kv, (commit) => commit.set(walk, today));
  }
  return fault;
}

/** Whether the account's other posts would meet it, too. */
function isAccountWide(error: PlatformError): boolean {
  return error.isAccountWide || error.fault === "permission";
}

interface Page {
  /** The gravest that its posts met, if any. */
  fault: PlatformError | null;
  /** Whether each post that was due, and of which the platform keeps numbers, was read. */
  isWhole: boolean;
}

async function refreshPage(
  line: Line,
  connector: Connector,
  page: Found[],
  at: number,
  done: Refreshed,
): Promise<Page> {
  const { service, account } = line;
  const { kv, now } = service;
  const ids = page.map(({ post }) => post.externalId);
  const latest = await latestReadings(kv, account.brandId, account.platform, ids);
  const due = page.filter(({ post }) => isDue(post, latest.get(post.externalId), at));
  if (due.length === 0) return { fault: null, isWhole: true };
  const measurements = await connector.measure(line, due);
  // Of all, not of new ones only: a pass may meet a post before we know that it is ours.
  const covers = await ownCoverTexts(kv, account, due.map(({ post }) => post.externalId));
  const posts: IncomingPost[] = [];
  for (const one of measurements) {
    if ("error" in one) continue;
    const { externalId } = one.found.post;
    const previous = latest.get(externalId) ?? null;
    // What failed in passing keeps its last value; a post that has none waits for the next pass.
    if (previous === null && one.fault !== null) continue;
    posts.push({
      ...one.found.post,
      coverText: covers.get(externalId),
      readings: [toReading(one.found, one.measured, previous, now())],
    });
  }
  const { readings } = await upsertPosts(service, account.brandId, posts);
  done.posts += posts.length;
  done.readings += readings;
  const isLeft = (one: Measurement) =>
    "error" in one
      ? !isUnmeasurable(one.error)
      : one.fault !== null && !latest.has(one.found.post.externalId);
  return { fault: worst(line, measurements), isWhole: !measurements.some(isLeft) };
}

function isDue(post: Found["post"], latest: Reading | undefined, at: number): boolean {
  if (latest === undefined || at - Date.parse(post.publishedAt) < YOUNG) return true;
  return dayOf(Date.parse(latest.capturedAt)) < dayOf(at);
}

/** The gravest of the faults that posts met; what a platform keeps no numbers for is none. */
function worst(line: Line, measurements: Measurement[]): PlatformError | null {
  let gravest: PlatformError | null = null;
  for (const one of measurements) {
    const fault = "error" in one ? unmeasured(line, one.found, one.error) : one.fault;
    if (fault === null || isUnmeasurable(fault)) continue;
    if (gravest === null || isAccountWide(fault)) gravest = fault;
  }
  return gravest;
}

function isUnmeasurable(error: Error): boolean {
  return error instanceof PlatformError && error.fault === "unmeasurable";
}

function unmeasured({ service, account }: Line, { post }: Found, error: Error): PlatformError {
  if (!(error instanceof PlatformError)) throw error;
  service.log.info("platform.unmeasured", {
    account: account.id,
    post: post.externalId,
    code: error.code,
    message: error.message,
  });
  return error;
}
