/** Gives scheduled posts their topics, when they are planned and when their images are made. */
import { readKit } from "../../brands/kit.ts";
import { faultFields } from "../../foundation/log.ts";
import { ServiceError } from "../../foundation/errors.ts";
import { listValues, reader, transact } from "../../kv/transact.ts";
import type { Service } from "../../service/service.ts";
import { aboutOf } from "../facts.ts";
import {
  readSlot,
  slotKey,
  slotPrefix,
  slotsVersionKey,
  type StoredSeries,
  type StoredSlot,
} from "../records.ts";
import { isByHand } from "../hand.ts";
import type { Story, UsedTopic } from "../story.ts";
import { type TopicsBrief, writeSlides, writeTopics } from "./topic_writing.ts";

/** Newest posts of a series whose topics are looked at. Covers 30 topics, those of new images included. */
const LOOKED_AT = 60;
/** Slots in one commit: each is a check, of which a commit takes few. */
const AT_ONCE = 8;

/** Whether the post has no topic yet, or was sent back after images were made for the one it has. */
export function needsTopic({ status, story, generation }: StoredSlot): boolean {
  if (status !== "planned" && status !== "held") return false;
  return story === undefined || (status === "planned" && story.generation !== generation);
}

/**
 * Gives topics to the slots that need one, and returns whether any was stored. If the text model does not answer, they stay as they are: the
 * next pass asks again, and no images are made before.
 */
export async function giveTopics(
  service: Service,
  series: StoredSeries,
  slots: readonly StoredSlot[],
): Promise<boolean> {
  const open = slots.filter((slot) => slot.status === "planned" && needsTopic(slot));
  if (open.length === 0) return false;
  try {
    const told = await toldSlots(service, series, open);
    for (let from = 0; from < told.length; from += AT_ONCE) {
      await keep(service.kv, told.slice(from, from + AT_ONCE));
    }
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    service.log.warn("series.topics", { series: series.id, ...faultFields(error) });
    return false;
  }
}

/** Stores the topics of slots that still need one. */
async function keep(kv: Deno.Kv, told: StoredSlot[]): Promise<void> {
  await transact(kv, async (commit) => {
    for (const { brandId, seriesId, id, decision, story, caption, hashtags } of told) {
      const stored = await readSlot(commit, brandId, seriesId, id);
      if (stored === null || !needsTopic(stored) || story === undefined) continue;
      const { topic = "", onImage = "", draft = false } = decision;
      commit.set(slotKey(brandId, seriesId, id), {
        ...stored,
        decision: { ...stored.decision, topic, onImage, draft },
        story,
        caption,
        hashtags,
      });
      commit.set(slotsVersionKey(brandId, seriesId), id);
    }
  });
}

/**
 * The slot with its topic, which is stored if it is new, and, for a carousel, the words on its images.
 * @throws ServiceError `serviceUnavailable` when the text model does not answer
 */
export async function toldSlot(
  service: Service,
  series: StoredSeries,
  slot: StoredSlot,
): Promise<StoredSlot> {
  const told = needsTopic(slot) ? await newlyTold(service, series, slot) : slot;
  const { story, images, decision } = told;
  if (story === undefined || images === 1 || story.slides?.length === images) return told;
  const { topic = "", onImage = "" } = decision;
  const brief = await briefFor(service, series, []);
  const { captionAngle } = story;
  const slides = await writeSlides(service, brief, { topic, onImage, captionAngle }, images);
  return { ...told, story: { ...story, slides } };
}

async function newlyTold(
  service: Service,
  series: StoredSeries,
  slot: StoredSlot,
): Promise<StoredSlot> {
  const [told = slot] = await toldSlots(service, series, [slot]);
  await keep(service.kv, [told]);
  return told;
}

async function toldSlots(
  service: Service,
  series: StoredSeries,
  slots: StoredSlot[],
): Promise<StoredSlot[]> {
  const topics = await writeTopics(service, await briefFor(service, series, slots));
  return slots.map((slot, index) => {
    const written = topics[index];
    if (written === undefined) return slot;
    const { topic, onImage, scene, captionAngle, isLocal } = written;
    const story: Story = {
      scene,
      captionAngle,
      isLocal,
      generation: slot.generation,
      used: [...slot.story?.used ?? [], ...ownTopic(slot)],
    };
    const decision = { ...slot.decision, topic, onImage, draft: isLocal };
    // The caption told the topic of the old images; what a person wrote stays.
    const caption = isByHand(slot, "caption") ? slot.caption : "";
    const hashtags = isByHand(slot, "hashtags") ? slot.hashtags : [];
    return { ...slot, decision, story, caption, hashtags };
  });
}

async function briefFor(
  service: Service,
  series: StoredSeries,
  slots: StoredSlot[],
): Promise<TopicsBrief> {
  const { kv } = service;
  const kit = await readKit(reader(kv), series.brandId);
  const newest = await listValues<StoredSlot>(kv, slotPrefix(series.brandId, series.id), {
    reverse: true,
    limit: LOOKED_AT,
  });
  const past = newest.toReversed();
  const day = new Intl.DateTimeFormat("en", {
    timeZone: kit.timeZone ?? "UTC",
    dateStyle: "full",
  });
  return {
    theme: series.mode === "manual" ? aboutOf(series) : null,
    goal: series.goal,
    guidance: series.guidance,
    language: kit.language,
    voice: kit.voice,
    style: kit.baseStylePrompt,
    timeZone: kit.timeZone,
    posts: slots.map(({ decision: { direction }, format, scheduledFor }) => ({
      direction,
      format,
      when: day.format(Date.parse(scheduledFor)),
    })),
    used: past.flatMap((slot) => [...slot.story?.used ?? [], ...ownTopic(slot)]),
    captions: past.map(({ caption }) => caption).filter((caption) => caption !== ""),
    // Ids are different on each store; a series made again gets the same topics.
    seed: `${series.name} ${aboutOf(series)}`,
  };
}

function ownTopic({ decision: { topic }, story }: StoredSlot): UsedTopic[] {
  if (topic === undefined || story === undefined) return [];
  return [{ topic, scene: story.scene, captionAngle: story.captionAngle }];
}
