/** Job records in the store: read as any version wrote them, written together with their indexes. */
import { type Commit, getEach, listValues, type Reader, transact } from "../transact.ts";
import { limitsOf } from "../limits.ts";
import { indexKeys } from "./indexes.ts";
import { noteDue } from "./next_due.ts";
import type { Ask, Job } from "./job.ts";
import { type JobKind, type StoredSubject, subjectFrom } from "./kinds.ts";

/** A job as any version has stored it. */
interface StoredJob extends Omit<Job, "lostLeases" | "subject" | "again"> {
  subject: StoredSubject<JobKind>;
  again?: { subject: StoredSubject<JobKind>; dueAt: number };
  lostLeases?: number;
  /** The name of `lostLeases` in earlier versions. */
  lapses?: number;
}

const JOBS: Deno.KvKey = ["job"];
const jobKey = (id: string): Deno.KvKey => [...JOBS, id];

export async function readJob(from: Reader, id: string): Promise<Job | null> {
  return jobFrom(await from.get<StoredJob>(jobKey(id)));
}

/** Reads jobs through `commit` in one call to the store, so that `readJob` has them at hand. */
export async function prefetchJobs(commit: Commit, ids: string[]): Promise<void> {
  await commit.getMany(ids.map(jobKey));
}

/** The jobs with these ids, in order, null where there is none. */
export async function readJobs(kv: Deno.Kv, ids: string[]): Promise<(Job | null)[]> {
  return (await getEach<StoredJob>(kv, ids.map(jobKey))).map(jobFrom);
}

/** Every job, oldest first. */
export async function listJobs(kv: Deno.Kv): Promise<Job[]> {
  return (await listValues<StoredJob>(kv, JOBS)).flatMap((stored) => jobFrom(stored) ?? []);
}

function jobFrom(stored: StoredJob | null): Job | null {
  if (stored === null) return null;
  const { lapses = 0, lostLeases = lapses, subject, again, ...rest } = stored;
  const job: Job = { ...rest, subject: subjectFrom(subject), lostLeases };
  return again === undefined ? job : {
    ...job,
    again: { ...again, subject: subjectFrom(again.subject) },
  };
}

/** A job that waits for the first of its attempts. */
export function afresh<Kind extends JobKind>(
  { id, kind, brandId, createdAt }: Pick<Job<Kind>, "id" | "kind" | "brandId" | "createdAt">,
  { subject, dueAt }: Ask<Kind>,
): Job<Kind> {
  return {
    id,
    kind,
    brandId,
    subject,
    dueAt,
    state: "waiting",
    attempts: 0,
    lostLeases: 0,
    startedAt: null,
    lease: null,
    error: null,
    createdAt,
  };
}

/** Writes `next` in place of `previous` (null: there was none), with its indexes. */
export function writeJob(commit: Commit, previous: Job | null, next: Job): void {
  if (previous !== null) { for (const key of indexKeys(previous)) commit.delete(key); }
  commit.set(jobKey(next.id), next);
  // With the state as value, jobs can be counted without reading each record.
  for (const key of indexKeys(next)) commit.set(key, next.state);
  if (next.state !== "dead" && isSooner(previous, next)) noteDue(commit, next.dueAt);
}

function isSooner(previous: Job | null, next: Job): boolean {
  return previous === null || previous.state === "dead" || next.dueAt < previous.dueAt;
}

export function removeJob(commit: Commit, job: Job): void {
  for (const key of indexKeys(job)) commit.delete(key);
  commit.delete(jobKey(job.id));
}

/** Writes every job's indexes again, as earlier versions had fewer of them; may run twice. */
export async function indexJobs(kv: Deno.Kv): Promise<void> {
  const size = limitsOf(kv).checks - 1;
  let batch: string[] = [];
  const write = () =>
    transact(kv, async (commit) => {
      await prefetchJobs(commit, batch);
      for (const id of batch) {
        const job = await readJob(commit, id);
        if (job !== null) writeJob(commit, job, job);
      }
    });
  for await (const { key } of kv.list({ prefix: JOBS }, { batchSize: 100 })) {
    batch.push(String(key.at(-1)));
    if (batch.length < size) continue;
    await write();
    batch = [];
  }
  if (batch.length > 0) await write();
}
