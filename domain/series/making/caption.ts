/** A slot's caption: the series' own, or one written from its topic and from what worked. */
import { writeCaption, type WrittenCaption } from "./writing.ts";
import { DAY } from "../../foundation/calendar.ts";
import { readKit } from "../../brands/kit.ts";
import { toMetrics } from "../../posts/readings.ts";
import { latestReadings } from "../../posts/store.ts";
import type { Service } from "../../service/service.ts";
import { readSocialAccount } from "../../platforms/accounts.ts";
import { type StoredSeries, type StoredSlot } from "../records.ts";
import { isByHand } from "../hand.ts";
import { listSlots } from "../slot_list.ts";
import { accountIdOf } from "../steering.ts";
import { reader } from "../../kv/transact.ts";

/** The writer sees this many captions of posts that are at most this old. */
const EXAMPLES = 3;
const LEARN_FROM = 90 * DAY;

/** @throws ServiceError `serviceUnavailable` when the text model does not answer */
export async function captionFor(
  service: Service,
  series: StoredSeries | null,
  slot: StoredSlot,
  signal?: AbortSignal,
): Promise<WrittenCaption> {
  if (series?.mode === "manual" && series.caption !== null) {
    // A person's words; what is printed on the picture may be a proposal all the same.
    const draft = slot.decision.draft === true && slot.decision.overlayTemplate !== "none";
    return { caption: series.caption, hashtags: [], draft };
  }
  const { kv } = service;
  const account = await readSocialAccount(kv, slot.brandId, accountIdOf(slot, series) ?? "");
  const { story, decision: { topic, direction } } = slot;
  const { baseStylePrompt, voice, language } = await readKit(reader(kv), slot.brandId);
  return await writeCaption(service, {
    platform: account?.platform ?? null,
    format: slot.format,
    goal: series?.goal ?? null,
    // A one-off post is about the idea of its images.
    theme: series === null ? direction : series.theme,
    guidance: series?.guidance ?? null,
    topic: story === undefined || topic === undefined ? null : { topic, ...story },
    kit: { baseStylePrompt, voice, language },
    workedWell: await workedWell(service, slot),
    previous: slot.caption === "" ? undefined : slot.caption,
    // A rewrite differs from the last one, but repeating it after a crash gives the same text.
    seed: `${slot.id} ${slot.events}`,
  }, signal);
}

/** What a written caption changes of the slot. Hashtags that a person has set stay. */
export function captioned(
  slot: StoredSlot,
  { caption, hashtags, draft }: WrittenCaption,
): Pick<StoredSlot, "caption" | "hashtags" | "decision"> {
  return {
    caption,
    hashtags: isByHand(slot, "hashtags") ? slot.hashtags : hashtags,
    decision: { ...slot.decision, draft },
  };
}

/** Captions of the slot's series (or of other one-off posts) with the highest engagement rates. */
async function workedWell(
  { kv, now }: Service,
  { brandId, seriesId }: StoredSlot,
): Promise<string[]> {
  const slots = await listSlots(kv, brandId, seriesId, { from: now() - LEARN_FROM });
  const published = slots.flatMap(({ externalPostId, platform, caption }) =>
    externalPostId === null || platform === null || caption === ""
      ? []
      : [{ externalPostId, platform, caption }]
  );
  const rated: { caption: string; rate: number }[] = [];
  for (const platform of new Set(published.map((post) => post.platform))) {
    const own = published.filter((post) => post.platform === platform);
    const ids = own.map(({ externalPostId }) => externalPostId);
    const readings = await latestReadings(kv, brandId, platform, ids);
    for (const { caption, externalPostId } of own) {
      const reading = readings.get(externalPostId);
      if (reading) rated.push({ caption, rate: toMetrics(reading).engagementRate });
    }
  }
  return rated.sort((a, b) => b.rate - a.rate).slice(0, EXAMPLES).map(({ caption }) => caption);
}
