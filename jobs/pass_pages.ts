/**
 * Walks a pass over its records, page by page. A page is a durable job: one commit adds the jobs of a
 * few records, and further pages for the rest. So any number of processes share a pass, none of them
 * reads all brands, and a page whose process was killed is done again.
 */
import { DAY, MINUTE, SECOND } from "../domain/foundation/calendar.ts";
import { prefetchJobs, readJobs } from "../domain/kv/jobs/records.ts";
import type { JobSubject, PageBound } from "../domain/kv/jobs/kinds.ts";
import { limitsOf } from "../domain/kv/limits.ts";
import { LONGEST, type PassName } from "../domain/kv/passes.ts";
import { type Commit, getEach, transact } from "../domain/kv/transact.ts";
import type { Service } from "../domain/service/service.ts";
import { exponential, type Handler } from "./handler.ts";
import type { JobRun } from "./job_run.ts";
import { type PassRun, pollAgain, reportKey } from "./pass.ts";
import { PASSES } from "./pass_table.ts";

/** Records that one page reads at most. Those that it has no room for become pages of their own. */
const SPAN = 256;
/** Checks that a page's commit needs for itself: the page's own job, and the commit's mark. */
const OWN_CHECKS = 2;

export const passPage: Handler<"passPage"> = {
  concurrency: 2,
  maxAttempts: 10,
  backoff: exponential(SECOND, MINUTE),
  run: addPage,
};

/** Adds the pass's first pages, one a collection, which cover all its records. */
export async function addFirstPages(service: Service, name: PassName, run: PassRun): Promise<void> {
  const { kv, jobs } = service;
  const { collections, prepare } = PASSES[name];
  const { passId, byHand, round, brandId } = run;
  const known = await prepare?.(service, run) ?? [];
  await transact(kv, async (commit) => {
    for (const collection of collections) {
      const start = brandId === null ? [collection] : [collection, brandId];
      const subject = { pass: name, passId, byHand, round, known, start, end: behind(start) };
      const job = { kind: "passPage", brandId: brandId ?? EVERY_BRAND, subject } as const;
      expect(commit, passId, await jobs.add(commit, job));
    }
  });
}

/** The brand of a page's job that belongs to no brand alone. */
const EVERY_BRAND = "";

async function addPage(service: Service, run: JobRun<"passPage">): Promise<void> {
  const { kv, jobs } = service;
  const { id, brandId, subject } = run.job;
  const { pass, passId, round, start, end } = subject;
  const size = limitsOf(kv).checks - OWN_CHECKS;
  const found = await Array.fromAsync(kv.list({ start, end }, { limit: SPAN, batchSize: SPAN }));
  const records = found.slice(0, size).map(({ value }) => value);
  const counts = round === 1 ? run.counts : {};
  const work = await PASSES[pass].jobsFor(service, subject, records, counts);
  await transact(kv, async (commit) => {
    await prefetchJobs(commit, [id, ...work.map((job) => job.id)]);
    for (const job of work) expect(commit, passId, await jobs.add(commit, job));
    // These need no fixed ids: they are added once, in the commit that ends this page.
    for (const part of partsAfter(found.map(({ key }) => key), size, subject)) {
      const page = { kind: "passPage", brandId, subject: { ...subject, ...part } } as const;
      expect(commit, passId, await jobs.add(commit, page));
    }
    await run.finish(commit);
  });
}

type Part = Pick<JobSubject<"passPage">, "start" | "end">;

/** The pages for what one page has found past its first `size` records, and for what it has not read. */
function partsAfter(keys: Deno.KvKey[], size: number, { end }: Part): Part[] {
  const bounds: PageBound[] = [];
  for (let from = size; from < keys.length; from += size) bounds.push(behind(keys[from - 1]));
  if (keys.length === SPAN) bounds.push(behind(keys.at(-1)));
  return bounds.map((start, nth) => ({ start, end: bounds[nth + 1] ?? end }));
}

function behind(key: Deno.KvKey = []): PageBound {
  return [...key.map(String), true];
}

/** Jobs whose marks are looked at together: many reads at once would keep other requests waiting. */
const LOOK_AT = 20;
const KEEP_MARKS_MS = DAY;

const openKey = (passId: string, ...jobId: string[]): Deno.KvKey => ["passOpen", passId, ...jobId];

/** Marks a job in the commit that adds it, so that the pass waits for it. */
function expect(commit: Commit, passId: string, jobId: string): void {
  commit.set(openKey(passId, jobId), null, { expireIn: KEEP_MARKS_MS });
}

/** Waits until each job of the pass has reported, is gone, dead, or was put off. */
export async function awaitJobs(service: Service, passId: string): Promise<void> {
  const { kv } = service;
  const giveUpAt = performance.now() + LONGEST;
  while (performance.now() < giveUpAt) {
    const marks = kv.list({ prefix: openKey(passId) }, { limit: LOOK_AT, batchSize: LOOK_AT });
    const ids = (await Array.fromAsync(marks)).map(({ key }) => String(key.at(-1)));
    // A page that is gone has marked its jobs in the same commit, so the next look finds those.
    if (ids.length === 0) return;
    const open = await stillOpen(service, passId, ids);
    const closed = ids.filter((id) => !open.has(id));
    if (closed.length === 0) await pollAgain(service);
    else {
      await transact(kv, (commit) => {
        for (const id of closed) commit.delete(openKey(passId, id));
      });
    }
  }
}

async function stillOpen(
  { kv, now }: Service,
  passId: string,
  ids: string[],
): Promise<Set<string>> {
  const [jobs, reports] = await Promise.all([
    readJobs(kv, ids),
    getEach(kv, ids.map((id) => reportKey(passId, id))),
  ]);
  return new Set(ids.filter((_, nth) => {
    const job = jobs[nth];
    if (!job || job.state === "dead") return false;
    // Nothing of the pass happens without its pages, so these are waited for also when they failed.
    if (job.kind === "passPage") return true;
    if (reports[nth] !== null) return false;
    return job.state === "running" || (job.attempts === 0 && job.dueAt <= now());
  }));
}
