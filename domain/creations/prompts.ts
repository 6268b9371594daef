/** Image prompts: base style, then the cast look verbatim, then "Scene:" with the idea's own. */
import { z } from "zod";
import { type CastSnapshot, requireCast } from "./cast.ts";
import { type BrandKit, readKit } from "../brands/kit.ts";
import { reader } from "../kv/transact.ts";
import { write } from "../models/write.ts";
import { writeScene } from "../models/writer/scene.ts";
import type { Service } from "../service/service.ts";
import { cutAtSentence, text } from "../foundation/text.ts";

export const Idea = text(2_000);
export const Prompt = text(8_000);

/** The longest scene, chosen so that a composed prompt always fits into `POST /v1/creations`. */
const SCENE_LENGTH = 1_900;
const GAP = "\n\n";

type Style = Pick<BrandKit, "baseStylePrompt">;
type Look = Pick<CastSnapshot, "lookPrompt">;

/** Adds the base style and the look before `prompt`, unless it contains them already. */
export function completePrompt(prompt: string, kit: Style, cast: Look | null): string {
  const style = kit.baseStylePrompt;
  const look = cast?.lookPrompt ?? "";
  const styleAt = placeOf(style, prompt);
  if (look.trim() === "" || placeOf(look, prompt) !== null) {
    return styleAt === null ? joined([style, prompt]) : prompt;
  }
  // The style stays first, also if the client kept the style and left out the look.
  const isFirst = styleAt !== null && prompt.slice(0, styleAt).trim() === "";
  if (isFirst) {
    return joined([style, look, prompt.slice(styleAt + style.trim().length).trimStart()]);
  }
  return joined([styleAt === null ? style : "", look, prompt]);
}

const joined = (parts: string[]) => parts.filter((part) => part.trim() !== "").join(GAP);

const WORDS = new Intl.Segmenter("en", { granularity: "word" });

/** The index of `part` in `text` as whole words ("red" is not in "tired"), or null. */
function placeOf(part: string, text: string): number | null {
  const sought = part.trim();
  if (sought === "") return null;
  const segments = WORDS.segment(text);
  for (let place = text.indexOf(sought); place >= 0;) {
    const word = segments.containing(place);
    const end = place + sought.length;
    const isWhole = end === text.length || segments.containing(end)?.index === end;
    if (word?.index === place && isWhole) return place;
    place = text.indexOf(sought, word === undefined ? end : word.index + word.segment.length);
  }
  return null;
}

export interface PromptBrief {
  kit: Style;
  cast: Pick<CastSnapshot, "lookPrompt" | "lifestylePrompt"> | null;
  idea: string;
}

const Scene = z.object({ scene: z.string().min(1) });

const INSTRUCTIONS =
  "Write the scene of one image for a brand's social media from the rough idea: subject and " +
  "action, setting, light, lens and composition, palette and mood, in two to five plain " +
  "sentences of at most 1,500 characters. Keep every fact of the idea. The style and the look " +
  "of the person are given elsewhere: agree with them, don't repeat or contradict them. Never " +
  "ask for text, letters or logos in the image.";

/**
 * Expands an idea into a full prompt.
 * @throws ServiceError `serviceUnavailable` if the text model fails or refuses
 */
export async function composePrompt(
  service: Service,
  { kit, cast, idea }: PromptBrief,
  signal?: AbortSignal,
): Promise<string> {
  const { scene } = await write(service, {
    name: "prompt",
    effort: "low",
    instructions: INSTRUCTIONS,
    facts: {
      idea,
      style: kit.baseStylePrompt,
      look: cast?.lookPrompt ?? null,
      lifestyle: cast?.lifestylePrompt ?? null,
    },
    schema: Scene,
    local: () => ({ scene: writeScene({ idea, lifestyle: cast?.lifestylePrompt ?? "" }) }),
  }, signal);
  const shown = cutAtSentence(scene.replace(/^\s*Scene:\s*/i, ""), SCENE_LENGTH);
  return joined([kit.baseStylePrompt, cast?.lookPrompt ?? "", `Scene: ${shown}`]);
}

/**
 * The prompt for an idea in the brand's style and, if one is named, with a cast member's look.
 * @throws ServiceError `validationError` for an unknown cast member; `serviceUnavailable`
 */
export async function composeFor(
  service: Service,
  brandId: string,
  { idea, castMemberId }: { idea: string; castMemberId?: string | null | undefined },
  signal?: AbortSignal,
): Promise<string> {
  const from = reader(service.kv);
  const cast = castMemberId == null ? null : await requireCast(from, brandId, castMemberId);
  const kit = await readKit(from, brandId);
  return await composePrompt(service, { kit, cast, idea }, signal);
}
