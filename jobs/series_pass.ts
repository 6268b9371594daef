/** The series pass: a durable job for each series and each brand's one-off posts, then the wait for the images and posts it started. */
import { MINUTE, SECOND } from "../domain/foundation/calendar.ts";
import type { Commit } from "../domain/kv/transact.ts";
import { passSeries } from "../domain/series/running/pass.ts";
import { SERIES, type StoredSeries, type StoredSlot } from "../domain/series/records.ts";
import { passOneOffs } from "../domain/series/running/one_offs.ts";
import { ONE_OFFS, type OneOffs } from "../domain/series/slot_rows.ts";
import type { Service } from "../domain/service/service.ts";
import { exponential, type Handler } from "./handler.ts";
import type { Counts, PageRun, Pass, PassJob } from "./pass.ts";
import { awaitStarted, noteStarted } from "./started_slots.ts";

export const seriesJob: Handler<"series"> = {
  // More at once would be faster, but other requests would become slower.
  concurrency: 2,
  maxAttempts: 3,
  backoff: exponential(10 * SECOND, MINUTE),
  async run(service, run) {
    const { brandId, subject: { seriesId, passId } } = run.job;
    const note = (commit: Commit, slot: StoredSlot) => noteStarted(commit, passId, slot);
    if (seriesId === null) {
      run.count("held", await passOneOffs(service, brandId, note));
      return;
    }
    const done = await passSeries(service, brandId, seriesId, note);
    run.count("planned", done.planned);
    run.count("held", done.held);
  },
};

export const seriesPass: Pass = {
  counts: { series: 0, planned: 0, generated: 0, published: 0, held: 0 },
  collections: [SERIES, ONE_OFFS],
  jobsFor,
  awaitStarted,
};

function jobsFor(
  _: Service,
  { passId, byHand }: PageRun,
  records: (StoredSeries | OneOffs)[],
  counts: Counts,
): PassJob<"series">[] {
  const series = records.filter((record) => "id" in record);
  const active = series.filter((each) => each.active && each.deletedAt === null);
  counts["series"] = active.length;
  const oneOffs = records.filter((record) => !("id" in record));
  return [
    ...active.map(({ id, brandId }) => ({ id, brandId, seriesId: id })),
    ...oneOffs.map(({ brandId }) => ({ id: brandId, brandId, seriesId: null })),
  ].map(({ id, brandId, seriesId }) => ({
    kind: "series",
    id: `series:${id}`,
    brandId,
    subject: { seriesId, passId },
    hurry: byHand,
  }));
}
