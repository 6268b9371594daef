/** `/healthz`: whether the store answers and takes writes, and the state of jobs and passes. No key. */
import { Hono } from "hono";
import manifest from "../deno.json" with { type: "json" };
import { iso, MINUTE, SECOND } from "../domain/foundation/calendar.ts";
import { faultFields } from "../domain/foundation/log.ts";
import { within } from "../domain/foundation/within.ts";
import { retryWhileLocked } from "../domain/kv/transact.ts";
import { isOverdue, PASS_NAMES, type PassName, readPass } from "../domain/kv/passes.ts";
import type { Service } from "../domain/service/service.ts";
import { countAccounts } from "../domain/platforms/accounts.ts";
import { operatorNotes } from "../domain/platforms/operator_notes.ts";
import { jsonResponse } from "../domain/operations/http.ts";
import type { AppEnv } from "./request.ts";

/** A store that takes longer counts as failing. */
const PATIENCE_MS = 5 * SECOND;
/** So that the rest of the health is told, although a write takes too long. */
const WRITE_PATIENCE_MS = 3 * SECOND;
/** How long the outcome of a test write counts: a probe without a key must not cause many writes. */
const PROBE_EVERY_MS = MINUTE;
const COUNT_EVERY_MS = MINUTE;
const PROBE_KEY = ["healthProbe"];

/** The failing part of a store that answers but takes no writes, on a full disk for example. */
const WRITE = "kv.write";

export function healthRoutes(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const startedAt = service.now();
  const canWrite = writeProbe(service);
  const accounts = accountCounts(service);
  const lookNow = oneAtATime(() =>
    within(PATIENCE_MS, look(service, startedAt, canWrite, accounts))
  );
  app.get("/healthz", async () => {
    const { version } = manifest;
    const seen = await within(PATIENCE_MS, lookNow()).catch(() => undefined);
    if (seen === undefined) {
      return jsonResponse({ status: "failing", failing: ["kv"], version, kv: "failing" }, 503);
    }
    const { failing, ...parts } = seen;
    if (failing.length === 0) {
      return jsonResponse({ status: "ok", version, kv: "ok", ...parts }, 200);
    }
    const kv = failing.includes(WRITE) ? "failing" : "ok";
    return jsonResponse({ status: "failing", failing, version, kv, ...parts }, 503);
  });
  return app;
}

async function look(
  service: Service,
  startedAt: number,
  canWrite: () => Promise<boolean>,
  accountsNow: () => ReturnType<typeof countAccounts>,
) {
  const [jobs, accounts, passes, writes, operator] = await Promise.all([
    jobHealth(service),
    accountsNow(),
    Promise.all(PASS_NAMES.map((name) => passHealth(service, name, startedAt))),
    canWrite(),
    operatorNotes(service),
  ]);
  const overdue = passes.filter(({ overdue }) => overdue).map(({ name }) => `passes.${name}`);
  return {
    jobs,
    passes: Object.fromEntries(passes.map(({ name, last }) => [name, last])),
    accounts,
    ...(operator.length === 0 ? {} : { operator }),
    failing: writes ? overdue : [WRITE, ...overdue],
  };
}

/**
 * Returns the counts of accounts, at most a minute old. A count lists the accounts of all brands, and
 * anybody may ask for it.
 */
function accountCounts({ kv, now }: Service): () => ReturnType<typeof countAccounts> {
  let counted: ReturnType<typeof countAccounts> | null = null;
  let countedAt = -Infinity;
  return () => {
    if (counted !== null && Math.abs(now() - countedAt) < COUNT_EVERY_MS) return counted;
    countedAt = now();
    counted = countAccounts(kv);
    counted.catch(() => counted = null);
    return counted;
  };
}

/** Returns whether the store takes writes, by a test write that counts for a minute. */
function writeProbe({ kv, now, log }: Service): () => Promise<boolean> {
  let works = true;
  let probedAt = -Infinity;
  return async () => {
    if (Math.abs(now() - probedAt) < PROBE_EVERY_MS) return works;
    probedAt = now();
    const write = retryWhileLocked(() => kv.set(PROBE_KEY, probedAt)).then(() => true);
    works = await within(WRITE_PATIENCE_MS, write).then(
      (written) => written ?? Promise.reject(new Error("A test write took too long.")),
    ).catch((error) => {
      log.error("health.write", faultFields(error));
      return false;
    });
    return works;
  };
}

async function passHealth({ kv, now }: Service, name: PassName, startedAt: number) {
  const record = await readPass(kv, name);
  const last = record.lastFinishedAt === null ? null : iso(record.lastFinishedAt);
  return { name, last, overdue: isOverdue(name, record, startedAt, now()) };
}

async function jobHealth({ jobs, now }: Service) {
  const { oldestDue, ...counts } = await jobs.count();
  const waited = oldestDue === null ? 0 : now() - oldestDue;
  return { ...counts, oldestDueSeconds: Math.max(0, Math.floor(waited / SECOND)) };
}

/**
 * Runs one check at a time. Callers that arrive during a check share the next one, so
 * unauthenticated traffic can't multiply the load, and no answer is older than its request.
 */
function oneAtATime<T>(look: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    next ??= current.then(() => {
      next = null;
      const looked = look();
      current = looked.catch(() => {});
      return looked;
    });
    return next;
  };
}
