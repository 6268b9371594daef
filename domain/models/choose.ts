/** Chooses the models: with OPENAI_API_KEY those of OpenAI or a compatible server, else the local ones. */
import type { Log } from "../foundation/log.ts";
import type { FetchPublic } from "../media/net/fetch_public.ts";
import type { Settings } from "../foundation/settings.ts";
import type { ImageModel, TextModel } from "./model.ts";
import { threadedPainter } from "./painter/thread.ts";

export interface ModelDependencies {
  settings: Settings;
  http: typeof fetch;
  fetchPublic: FetchPublic;
  log: Log;
}

/** The local writer: writes from the facts alone, so the same task always gives the same text. */
export const writer: TextModel = {
  name: "writer",
  isLocal: true,
  write: (task) => Promise.resolve(task.local()),
};

export async function chooseModels(
  { settings, ...dependencies }: ModelDependencies,
): Promise<{ imageModel: ImageModel; textModel: TextModel }> {
  const apiKey = settings.OPENAI_API_KEY;
  if (apiKey === undefined) return { imageModel: threadedPainter(), textModel: writer };
  const options = {
    ...dependencies,
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
