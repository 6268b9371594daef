/** Image prompts: base style, then the cast look verbatim, then the idea's scene. */
import { z } from "zod";
import { snapshotCast } from "./cast.ts";
import type { CastSnapshot } from "./creations/shape.ts";
import { invalid } from "./errors.ts";
import { type BrandKit, readKit } from "./kit.ts";
import { reader } from "./kv.ts";
import { operation } from "./operation.ts";
import { write } from "./models/write.ts";
import { writeScene } from "./models/scene.ts";
import type { Service } from "./service.ts";
import { cutAtSentence, text } from "./text.ts";

export const Idea = text(2_000);
export const Prompt = text(8_000);

/** Room for the scene, so that a composed prompt always fits into what POST creations accepts. */
const SCENE_LENGTH = 1_900;
const GAP = "\n\n";

type Style = Pick<BrandKit, "baseStylePrompt">;
type Look = Pick<CastSnapshot, "lookPrompt">;

/** Puts what is missing of base style and look before `prompt`, and says neither twice. */
export function completePrompt(prompt: string, kit: Style, cast: Look | null): string {
  const style = kit.baseStylePrompt;
  const look = cast?.lookPrompt ?? "";
  const styleAt = placeOf(style, prompt);
  if (look.trim() === "" || placeOf(look, prompt) !== null) {
    return styleAt === null ? joined([style, prompt]) : prompt;
  }
  // Style first, look second, also when the client kept the style and left out the look.
  const isFirst = styleAt !== null && prompt.slice(0, styleAt).trim() === "";
  if (isFirst) {
    return joined([style, look, prompt.slice(styleAt + style.trim().length).trimStart()]);
  }
  return joined([styleAt === null ? style : "", look, prompt]);
}

const joined = (parts: string[]) => parts.filter((part) => part.trim() !== "").join(GAP);

const WORDS = new Intl.Segmenter("en", { granularity: "word" });

/** Where `part` stands in `text` as words of its own ("red" is not in "tired"), or null. */
function placeOf(part: string, text: string): number | null {
  const sought = part.trim();
  if (sought === "") return null;
  const segments = WORDS.segment(text);
  for (let at = text.indexOf(sought); at >= 0;) {
    const word = segments.containing(at)!;
    const end = at + sought.length;
    const isWhole = end === text.length || segments.containing(end)!.index === end;
    if (word.index === at && isWhole) return at;
    at = text.indexOf(sought, word.index + word.segment.length);
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
 * @throws ServiceError `serviceUnavailable` when the text model does not answer
 */
export async function composePrompt(
  service: Service,
  { kit, cast, idea }: PromptBrief,
  signal?: AbortSignal,
): Promise<string> {
  const { scene } = await write(service, {
    name: "prompt",
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
  return joined([kit.baseStylePrompt, cast?.lookPrompt ?? "", cutAtSentence(scene, SCENE_LENGTH)]);
}

export const composeCreation = operation({
  id: "composePrompt",
  group: "Creations",
  summary: "Expand a rough idea into a full image prompt.",
  description: "Free. The prompt begins with the brand's base style and the cast member's look; " +
    "it may be edited before generating.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["serviceUnavailable"],
  input: z.object({ idea: Idea, castMemberId: z.string().nullish() }),
  output: z.object({ idea: z.string(), prompt: z.string() }),
  run: async (service, { idea, castMemberId }) => {
    const { kv, brand, client } = service;
    const cast = castMemberId == null
      ? null
      : await snapshotCast(reader(kv), brand.id, castMemberId);
    if (castMemberId != null && cast === null) {
      throw invalid("castMemberId", `${castMemberId} is no cast member of this brand`);
    }
    const kit = await readKit(kv, brand.id);
    return { idea, prompt: await composePrompt(service, { kit, cast, idea }, client.signal) };
  },
});
