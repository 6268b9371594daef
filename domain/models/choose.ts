/** Which models serve: OpenAI's, or any compatible server's, with a key; without one our own. */
import type { Log } from "../log.ts";
import type { FetchPublic } from "../net/fetch_public.ts";
import type { Settings } from "../settings.ts";
import type { ImageModel, TextModel } from "./model.ts";
import { threadedPainter } from "./painter_thread.ts";
import { writer } from "./writer.ts";

export interface ModelDoors {
  settings: Settings;
  http: typeof fetch;
  fetchPublic: FetchPublic;
  log: Log;
}

export async function chooseModels(
  { settings, ...doors }: ModelDoors,
): Promise<{ imageModel: ImageModel; textModel: TextModel }> {
  const apiKey = settings.OPENAI_API_KEY;
  if (apiKey === undefined) return { imageModel: threadedPainter(), textModel: writer };
  const options = {
    ...doors,
    apiKey,
    baseUrl: settings.OPENAI_BASE_URL,
    imageModel: settings.OPENAI_IMAGE_MODEL,
    imageQuality: settings.OPENAI_IMAGE_QUALITY,
    textModel: settings.OPENAI_TEXT_MODEL,
  };
  const { openAiImages } = await import("./openai/images.ts");
  const { openAiTexts } = await import("./openai/texts.ts");
  return { imageModel: openAiImages(options), textModel: openAiTexts(options) };
}
