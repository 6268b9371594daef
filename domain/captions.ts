/** Captions: written by the text model or from the facts at hand, within the platform's limits. */
import { z } from "zod";
import { angleOf, CALLS } from "./angles.ts";
import { write } from "./models/write.ts";
import { keywords, refuses, subjectOf, wishesOf } from "./phrases.ts";
import { type Limits, PUBLISH_LIMITS } from "./platforms/limits.ts";
import type { Platform } from "./posts/shape.ts";
import { pick, seededRandom } from "./random.ts";
import type { SeriesFormat } from "./series/format.ts";
import type { Service } from "./service.ts";
import { capitalized, cutAtSentence, lengthOf } from "./text.ts";

export interface CaptionBrief {
  /** Where it will be published; null: not known, so the strictest limits hold. */
  platform: Platform | null;
  format: SeriesFormat;
  goal: string | null;
  theme: string | null;
  guidance: string | null;
  direction: string;
  kit: { baseStylePrompt: string };
  /** Captions of this series that earned the most. */
  workedWell: string[];
  /** The caption to be rewritten: the new one differs from it. */
  previous?: string | undefined;
  seed: string;
}

export const Caption = z.strictObject({ caption: z.string(), hashtags: z.array(z.string()) });
export type Caption = z.output<typeof Caption>;

/** What a platform takes of the whole public text. */
type CaptionLimits = Pick<Limits, "text" | "ownHashtags">;

const STRICTEST = PUBLISH_LIMITS.instagram;
/** What a slot's caption may hold (DECISIONS "Values"), whatever the platform allows. */
const CAPTION_LENGTH = 2_200;
const HASHTAG_LENGTH = 50;

/** @throws ServiceError `serviceUnavailable` when the text model does not answer */
export async function writeCaption(
  service: Pick<Service, "textModel">,
  brief: CaptionBrief,
  signal?: AbortSignal,
): Promise<Caption> {
  const { kit: { baseStylePrompt }, seed: _, ...facts } = brief;
  const limits = PUBLISH_LIMITS[brief.platform ?? "instagram"] ?? STRICTEST;
  const written = await write(service, {
    name: "caption",
    instructions: instructions(limits),
    facts: { ...facts, brandStyle: baseStylePrompt },
    schema: Caption,
    local: () => localCaption(brief),
  }, signal);
  const fitted = fit(written, limits);
  return fitted.caption === "" ? fit(localCaption(brief), limits) : fitted;
}

/** What the public reads: the caption, a blank line, the hashtags with `#`. */
export function publicText(caption: string, hashtags: readonly string[]): string {
  const line = hashtags.map((hashtag) => `#${hashtag}`).join(" ");
  return [caption, line].filter((part) => part !== "").join("\n\n");
}

/** A hashtag as posts carry it: lower case, letters, digits and `_` only, no `#`; "" when nothing is left. */
export function normalizeHashtag(text: string): string {
  const folded = text.normalize("NFC").toLowerCase().replace(/[^\p{L}\p{M}\p{N}_]/gu, "");
  return lengthOf(folded) <= HASHTAG_LENGTH && /\p{L}/u.test(folded) ? folded : "";
}

function instructions({ text, ownHashtags }: CaptionLimits): string {
  return "Write the caption of one social media post: a hook as first line, a short body, one call to " +
    "action. Follow `guidance`; serve `goal` without saying it aloud; write about `direction` (and " +
    "`theme`) in the language of the goal or theme. State nothing as fact that the facts don't say. " +
    "Learn from `workedWell`; differ clearly from `previous`. Keep the caption under " +
    `${Math.floor(text / 2)} characters, without hashtags in it, and give up to ${ownHashtags} ` +
    "hashtags apart, lower case, without `#`.";
}

/** Keeps hashtags apart and normalized, and the whole public text within the limits. */
function fit(written: Caption, limits: CaptionLimits): Caption {
  const { body, trailing } = splitHashtags(written.caption.trim());
  const hashtags = [...new Set([...written.hashtags, ...trailing].map(normalizeHashtag))]
    .filter((hashtag) => hashtag !== "").slice(0, limits.ownHashtags);
  const tail = lengthOf(publicText("x", hashtags)) - 1;
  return { caption: cutAtSentence(body, Math.min(CAPTION_LENGTH, limits.text - tail)), hashtags };
}

/** Takes a closing line of hashtags off a caption: models like to add one. */
function splitHashtags(caption: string): { body: string; trailing: string[] } {
  const closing = /(?:^|\s)((?:#[\p{L}\p{M}\p{N}_]+\s*)+)$/u.exec(caption);
  if (closing === null) return { body: caption, trailing: [] };
  return {
    body: caption.slice(0, closing.index).trimEnd(),
    trailing: closing[1]!.trim().split(/\s+/),
  };
}

const LOCAL_TRIES = 12;

/** The local writer: hook, body, call to action; the same brief gives the same caption. */
function localCaption(brief: CaptionBrief): Caption {
  const random = seededRandom(`${brief.seed} ${brief.direction} ${brief.goal} ${brief.theme}`);
  let caption = localText(brief, random);
  for (let at = 1; at < LOCAL_TRIES && caption === brief.previous; at++) {
    caption = localText(brief, random);
  }
  return { caption, hashtags: localHashtags(brief) };
}

function localText(brief: CaptionBrief, random: () => number): string {
  const angle = angleOf(brief.direction);
  const subject = subjectFor(brief);
  const asked = brief.workedWell.filter((caption) => firstLine(caption).endsWith("?")).length;
  const questions = angle.hooks.filter((hook) => hook.endsWith("?"));
  const liked = asked * 2 > brief.workedWell.length && questions.length > 0;
  const hook = pick(random, liked ? questions : angle.hooks)
    .replaceAll("{subject}", subject).replaceAll("{Subject}", capitalized(subject));
  const call = pick(random, CALLS.find(({ goal }) => goal.test(brief.goal ?? ""))!.lines);
  if (brief.format === "story") return `${hook}\n\n${call}`;
  const wishes = wishesOf(brief.guidance ?? "");
  const wish = wishes.length > 0 ? ` In this one: ${pick(random, wishes)}.` : "";
  const swipe = brief.format === "carousel" ? " Swipe through and take your time." : "";
  return `${hook}\n\n${pick(random, angle.bodies)}${wish}${swipe}\n\n${call}`;
}

/** What the series is about: the direction's own words after its angle, else theme, else goal. */
function subjectFor({ direction, theme, goal }: CaptionBrief): string {
  const { opening } = angleOf(direction);
  const own = opening === "" ? direction : direction.slice(opening.length).replace(/^[\s:,-]+/, "");
  const plain = (text: string) => text.replace(/[\s.!?]+$/, "");
  const short = [own, theme ?? ""].map(plain).find((text) => /\S/.test(text) && text.length <= 80);
  return short ?? subjectOf(theme ?? "") ?? subjectOf(goal ?? "") ?? "what we do";
}

function localHashtags(brief: CaptionBrief): string[] {
  if (refuses(brief.guidance ?? "", "hashtag")) return [];
  const subject = subjectFor(brief);
  const words = [subject, brief.theme ?? "", brief.goal ?? ""].flatMap(keywords);
  const joined = keywords(subject).slice(0, 3).join("");
  return [joined, ...words.slice(0, 3), angleOf(brief.direction).hashtag]
    .filter((hashtag) => hashtag !== "");
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]!.trim();
}
