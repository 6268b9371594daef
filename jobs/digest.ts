/** The digest pass: a job a brand that composes its digest once and delivers it. */
import { listBrands, readBrand } from "../domain/brands.ts";
import { dayOf } from "../domain/calendar.ts";
import {
  addDelivery,
  failDelivery,
  isOn,
  isOpen,
  readDelivery,
  RETRIES,
} from "../domain/deliveries.ts";
import { composeDigest } from "../domain/digests.ts";
import { readKit } from "../domain/kit.ts";
import { transact } from "../domain/kv.ts";
import { scheduledBefore } from "../domain/passes.ts";
import type { Service } from "../domain/service.ts";
import { deliverNow } from "./deliver.ts";
import type { Counts, Handler } from "./queue.ts";

interface Run {
  passId: string;
  brandId: string | null;
  byHand: boolean;
}

/** A digest job for each brand with a working webhook. By hand is extra; Monday's is once a week. */
export async function addDigests(service: Service, run: Run, counts: Counts): Promise<string[]> {
  const { kv, jobs, now } = service;
  const { passId, brandId, byHand } = run;
  const digestId = `digest:${byHand ? passId : dayOf(scheduledBefore("digest", now()))}`;
  const brands = brandId === null ? await listBrands(kv) : [await readBrand(kv, brandId)];
  const added: string[] = [];
  for (const { id } of brands) {
    if (!isOn(await readKit(kv, id))) {
      counts["skipped"] = (counts["skipped"] ?? 0) + 1;
      continue;
    }
    // A pass that is begun twice must not send twice.
    const job = {
      kind: "digest",
      id: `${digestId}:${id}`,
      brandId: id,
      subject: { digestId, passId },
    };
    added.push(await transact(kv, (commit) => jobs.add(commit, job)));
  }
  return added;
}

export const digest: Handler = {
  concurrency: 2,
  maxAttempts: RETRIES.length + 1,
  backoff: (attempt) => RETRIES[attempt - 1] ?? RETRIES.at(-1)!,
  run: async (service, run) => {
    const { kv, now } = service;
    const brandId = run.job.brandId!;
    const digestId = run.job.subject["digestId"]!;
    const known = await transact(kv, (commit) => readDelivery(commit, brandId, digestId));
    const message = known?.message ??
      await composeDigest(service, await readBrand(kv, brandId), now());
    const delivery = known ?? (message === null ? null : await transact(
      kv,
      (commit) => addDelivery(service, commit, brandId, digestId, message),
    ));
    if (delivery !== null && isOpen(delivery)) await deliverNow(service, run, delivery);
    else run.count("skipped");
  },
  bury: (_, commit, { brandId, subject }, reason) =>
    failDelivery(commit, brandId!, subject["digestId"]!, reason),
};
