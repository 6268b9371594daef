/** Captions: written by the text model, or locally from the brief, within the platform's limits. */
import { z } from "zod";
import { loadStopWords } from "../../models/writer/language.ts";
import { write } from "../../models/write.ts";
import type { Voice } from "../../brands/kit_fields.ts";
import { LocalWriter, steered } from "./local_text.ts";
import { textLimitsOf } from "../../platforms/contract/limits.ts";
import type { TextLimits } from "../../platforms/contract/traits.ts";
import type { Platform } from "../../posts/shape.ts";
import type { SeriesFormat } from "../../platforms/contract/format.ts";
import type { Service } from "../../service/service.ts";
import { cutAtSentence, lengthOf } from "../../foundation/text.ts";

export interface CaptionBrief {
  /** Where it will be published. When null, the strictest limits apply, because it is not known yet. */
  platform: Platform | null;
  format: SeriesFormat;
  goal: string | null;
  theme: string | null;
  guidance: string | null;
  /** What the post tells. Null: a post without a topic, told by its theme or goal. */
  topic: { topic: string; captionAngle: string; isLocal: boolean } | null;
  kit: { baseStylePrompt: string; voice?: Voice | null; language?: string | null };
  /** Captions of this series with the highest engagement rates. */
  workedWell: string[];
  /** The caption to rewrite; the new one differs from it. */
  previous?: string | undefined;
  seed: string;
}

export const Caption = z.strictObject({ caption: z.string(), hashtags: z.array(z.string()) });
export type Caption = z.output<typeof Caption>;

/** A caption, and whether it was written without a model. */
export type WrittenCaption = Caption & { draft: boolean };

/** A platform's limits for the whole public text. */
type CaptionLimits = Pick<TextLimits, "characters" | "ownHashtags">;

/** The longest caption of a slot (DECISIONS "Values"), even if the platform allows more. */
const CAPTION_LENGTH = 2_200;
const HASHTAG_LENGTH = 50;

/** @throws ServiceError `serviceUnavailable` when the text model does not answer */
export async function writeCaption(
  service: Pick<Service, "textModel">,
  brief: CaptionBrief,
  signal?: AbortSignal,
): Promise<WrittenCaption> {
  const { kit: { baseStylePrompt, voice = null, language = null }, seed: _, topic, ...facts } =
    brief;
  const limits = textLimitsOf(brief.platform);
  const local = await localCaptions(brief);
  const told = topic === null ? {} : { topic: topic.topic, captionAngle: topic.captionAngle };
  const written = await write(service, {
    name: "caption",
    instructions: instructions(limits),
    facts: { ...facts, ...told, voice, language, brandStyle: baseStylePrompt },
    schema: Caption,
    local,
  }, signal);
  const fitted = fit(written, limits);
  const isLocal = service.textModel.isLocal === true || fitted.caption === "";
  const { caption, hashtags } = fitted.caption === "" ? fit(local(), limits) : fitted;
  return { caption: steered(caption, brief.guidance), hashtags, draft: isLocal };
}

/** What the public reads: the caption, a blank line, the hashtags with `#`. */
export function publicText(caption: string, hashtags: readonly string[]): string {
  const line = hashtags.map((hashtag) => `#${hashtag}`).join(" ");
  return [caption, line].filter((part) => part !== "").join("\n\n");
}

/**
 * A hashtag as posts store it: lower case, without `#`, only letters, digits and `_`. Returns "" when that
 * leaves nothing usable.
 */
export function normalizeHashtag(text: string): string {
  const folded = text.normalize("NFC").toLowerCase().replace(/[^\p{L}\p{M}\p{N}_]/gu, "");
  return lengthOf(folded) <= HASHTAG_LENGTH && /\p{L}/u.test(folded) ? folded : "";
}

function instructions({ characters, ownHashtags }: CaptionLimits): string {
  return "Write the caption of one social media post: a hook as first line, a short body, one call to " +
    "action. Follow `guidance` and the brand's `voice`; serve `goal` without saying it aloud; write about " +
    "`topic` as `captionAngle` says (without a topic: about `theme`), in `language` or else in that of the " +
    "goal or theme. State nothing as fact that the facts don't say. " +
    "Learn from `workedWell`; differ clearly from `previous`. Keep the caption under " +
    `${
      Math.floor(characters / 2)
    } characters, without hashtags in it, and give up to ${ownHashtags} ` +
    "hashtags apart, lower case, without `#`.";
}

/** Separates and normalizes the hashtags, and keeps the whole public text within the limits. */
function fit(written: Caption, limits: CaptionLimits): Caption {
  const { body, trailing } = splitHashtags(written.caption.trim());
  const hashtags = [...new Set([...written.hashtags, ...trailing].map(normalizeHashtag))]
    .filter((hashtag) => hashtag !== "").slice(0, limits.ownHashtags);
  const tail = lengthOf(publicText("x", hashtags)) - 1;
  return {
    caption: cutAtSentence(body, Math.min(CAPTION_LENGTH, limits.characters - tail)),
    hashtags,
  };
}

/** Splits off hashtags at the end of a caption, because models like to add them. */
function splitHashtags(caption: string): { body: string; trailing: string[] } {
  const closing = /(?:^|\s)((?:#[\p{L}\p{M}\p{N}_]+\s*)+)$/u.exec(caption);
  if (closing === null) return { body: caption, trailing: [] };
  const [, hashtags = ""] = closing;
  return {
    body: caption.slice(0, closing.index).trimEnd(),
    trailing: hashtags.trim().split(/\s+/),
  };
}

const LOCAL_TRIES = 12;

/** A caption without a model: hook, body, call to action. The same brief gives the same caption. */
async function localCaptions(brief: CaptionBrief): Promise<() => Caption> {
  const { kit: { voice = null, language = null }, topic, previous, workedWell } = brief;
  const writer = new LocalWriter({ ...brief, voice, language }, await loadStopWords());
  const asked = workedWell.filter((caption) => firstLine(caption).endsWith("?")).length;
  const questions = asked * 2 > workedWell.length;
  const written = (text: string | null, seed: string) => writer.caption({ text, seed, questions });
  return () => {
    const seed = `${brief.seed} ${brief.goal} ${brief.theme}`;
    const own = topic?.isLocal === true && previous === undefined ? topic.captionAngle : null;
    let caption = written(own, seed);
    for (let tries = 1; tries < LOCAL_TRIES && caption === previous; tries++) {
      caption = written(null, `${seed} ${tries}`);
    }
    return { caption, hashtags: writer.hashtags() };
  };
}

function firstLine(text: string): string {
  const [first = ""] = text.split("\n", 1);
  return first.trim();
}
