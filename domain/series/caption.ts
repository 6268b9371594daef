/** A slot's caption: the series' own, or one written from what it is about and what worked. */
import { type Caption, writeCaption } from "../captions.ts";
import { DAY } from "../calendar.ts";
import { readKit } from "../kit.ts";
import { toMetrics } from "../posts/readings.ts";
import { latestReadings } from "../posts/store.ts";
import type { Service } from "../service.ts";
import { readSocialAccount } from "../social.ts";
import { listSlots, type StoredSeries, type StoredSlot } from "./records.ts";

/** How far back, and how many captions are shown to the writer as examples. */
const LEARN_FROM = 90 * DAY;
const EXAMPLES = 3;

/** @throws ServiceError `serviceUnavailable` when the text model does not answer */
export async function captionFor(
  service: Service,
  series: StoredSeries,
  slot: StoredSlot,
  signal?: AbortSignal,
): Promise<Caption> {
  if (series.mode === "manual" && series.caption !== null) {
    return { caption: series.caption, hashtags: [] };
  }
  const { kv } = service;
  const account = await readSocialAccount(kv, series.brandId, series.socialAccountId ?? "");
  const { baseStylePrompt } = await readKit(kv, series.brandId);
  return await writeCaption(service, {
    platform: account?.platform ?? null,
    format: slot.format,
    goal: series.goal,
    theme: series.theme,
    guidance: series.guidance,
    direction: slot.decision.direction,
    kit: { baseStylePrompt },
    workedWell: await workedWell(service, series),
    previous: slot.caption === "" ? undefined : slot.caption,
    // Each rewriting starts elsewhere, yet the same one repeated after a crash is the same.
    seed: `${slot.id} ${slot.events}`,
  }, signal);
}

/** Captions of this series whose posts had the highest engagement rate. */
async function workedWell({ kv, now }: Service, series: StoredSeries): Promise<string[]> {
  const slots = await listSlots(kv, series.brandId, series.id, { from: now() - LEARN_FROM });
  const published = slots.filter(({ externalPostId, platform, caption }) =>
    externalPostId !== null && platform !== null && caption !== ""
  );
  const rated: { caption: string; rate: number }[] = [];
  for (const platform of new Set(published.map((slot) => slot.platform!))) {
    const own = published.filter((slot) => slot.platform === platform);
    const ids = own.map((slot) => slot.externalPostId!);
    const readings = await latestReadings(kv, series.brandId, platform, ids);
    for (const { caption, externalPostId } of own) {
      const reading = readings.get(externalPostId!);
      if (reading) rated.push({ caption, rate: toMetrics(reading).engagementRate });
    }
  }
  return rated.sort((a, b) => b.rate - a.rate).slice(0, EXAMPLES).map(({ caption }) => caption);
}
