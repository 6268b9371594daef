/** The digest pass: for each brand a job that composes its digest once and delivers it. */
import { type Brand, BRANDS, requireBrand } from "../domain/brands/brands.ts";
import { dayOf } from "../domain/foundation/calendar.ts";
import {
  addDelivery,
  failDelivery,
  isOn,
  isOpen,
  readDelivery,
  RETRIES,
} from "../domain/events/deliveries.ts";
import { composeDigest } from "../domain/series/running/digest.ts";
import { readKits } from "../domain/brands/kit.ts";
import { reader, transact } from "../domain/kv/transact.ts";
import { scheduledBefore } from "../domain/kv/passes.ts";
import type { Service } from "../domain/service/service.ts";
import { deliverNow } from "./deliver.ts";
import { type Handler, listed } from "./handler.ts";
import type { Counts, PageRun, Pass, PassJob } from "./pass.ts";

export const digestPass: Pass = {
  counts: { sent: 0, skipped: 0 },
  collections: [BRANDS],
  jobsFor,
};

/** A digest job for each brand with a working webhook: one a week, and one for each pass by hand. */
async function jobsFor(
  { kv, now }: Service,
  { passId, byHand }: PageRun,
  brands: Brand[],
  counts: Counts,
): Promise<PassJob<"digest">[]> {
  const digestId = `digest:${byHand ? passId : dayOf(scheduledBefore("digest", now()))}`;
  const kits = await readKits(kv, brands.map(({ id }) => id));
  const listening = brands.filter((_, nth) => {
    const kit = kits[nth];
    return kit !== undefined && isOn(kit);
  });
  counts["skipped"] = brands.length - listening.length;
  return listening.map(({ id }) => ({
    kind: "digest",
    // A fixed id, because a pass that is begun twice must not send twice.
    id: `${digestId}:${id}`,
    brandId: id,
    subject: { digestId, passId },
  }));
}

export const digest: Handler<"digest"> = {
  concurrency: 2,
  maxAttempts: RETRIES.length + 1,
  backoff: listed(RETRIES),
  run: async (service, run) => {
    const { kv, now } = service;
    const { brandId, subject: { digestId } } = run.job;
    const known = await transact(kv, (commit) => readDelivery(commit, brandId, digestId));
    const message = known?.message ??
      await composeDigest(service, await requireBrand(reader(kv), brandId), now());
    const delivery = known ?? (message === null ? null : await transact(
      kv,
      (commit) => addDelivery(service, commit, brandId, digestId, message),
    ));
    if (delivery !== null && isOpen(delivery)) await deliverNow(service, run, delivery);
    else run.count("skipped");
  },
  onDead: (_, commit, { brandId, subject }, reason) =>
    failDelivery(commit, brandId, subject.digestId, reason),
};
