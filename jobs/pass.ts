/** What a scheduled pass is: records that it walks over, a job for each, and the counts it reports. */
import type { JobKind } from "../domain/kv/jobs/kinds.ts";
import type { NewJob } from "../domain/kv/jobs/jobs.ts";
import type { Service } from "../domain/service/service.ts";

/** What a pass and its jobs did, by name. */
export type Counts = Record<string, number>;

export interface PassRun {
  /** Goes into the subject of the pass's jobs, so that the pass finds their reports. */
  passId: string;
  /** Only this brand; null: all. */
  brandId: string | null;
  /** Run by hand rather than by schedule. */
  byHand: boolean;
  /** From 1. A later round looks at the same records again, so its pages count nothing. */
  round: number;
}

/** What the jobs of one page are made from. */
export interface PageRun extends Omit<PassRun, "brandId"> {
  /** What `prepare` found out. */
  known: readonly string[];
}

/** A job with a fixed id, because two passes at once must not do the same work twice. */
export type PassJob<Kind extends JobKind = JobKind> = NewJob<Kind> & { id: string };

export interface Pass {
  /** The counts it reports, at zero. */
  counts: Counts;
  /** The first parts of the keys of the records that it walks over; the second is the brand's id. */
  collections: readonly string[];
  /** Finds out, once and before the first page, what every page has to know. */
  prepare?(service: Service, run: PassRun): Promise<string[]>;
  /**
   * The jobs for the records of one page; what the page counts itself goes into `counts`. Each pass
   * narrows `records` to what its collections hold.
   */
  jobsFor(
    service: Service,
    run: PageRun,
    records: unknown[],
    counts: Counts,
  ): Promise<PassJob[]> | PassJob[];
  /**
   * Once those jobs have ended: waits for the work that they started, and counts it. Returns true
   * when the results make another round worthwhile.
   */
  awaitStarted?(service: Service, run: PassRun, counts: Counts): Promise<boolean>;
}

/** Waits a moment before the next look at the store; throws when the process is to end. */
export async function pollAgain(
  { patience, stopping }: Pick<Service, "patience" | "stopping">,
): Promise<void> {
  await new Promise((done) => setTimeout(done, patience.passMs));
  stopping.throwIfAborted();
}

/** Where a job leaves its counts for the pass that added it. */
export function reportKey(passId: string, ...jobId: string[]): Deno.KvKey {
  return ["passReport", passId, ...jobId];
}
