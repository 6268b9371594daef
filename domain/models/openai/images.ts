/** OpenAI's image models: calls `images/edits` with reference photos, else `images/generations`. */
import type OpenAI from "openai";
import { readUpTo } from "../../foundation/bytes.ts";
import { sniffType } from "../../media/images/sniff.ts";
import { FILE_TYPES, type FileType } from "../../media/images/types.ts";
import type { ImageModel, ImageRequest, PaintedImage, Reference } from "../model.ts";
import { IMAGE_MS, openAiCalls, type OpenAiOptions } from "./client.ts";
import { fallback } from "./fallback.ts";
import { malformed } from "./faults.ts";
import { qualityFor, sizeFor } from "./sizes.ts";

const WHAT = "image model";
const MOST_BYTES = 50 * 1024 * 1024;
/** A call takes 10 to 120 s and costs this machine little. */
const AT_ONCE = 16;

type Answer = OpenAI.ImagesResponse;

export function openAiImages(options: OpenAiOptions): ImageModel {
  const { imageModel: model, imageQuality, imageMs = IMAGE_MS } = options;
  const call = openAiCalls(options);
  const quality = qualityFor(model, imageQuality);
  /** Many compatible servers lack edits. */
  const unlessMissing = fallback(options, "images/edits");

  function fields(prompt: string, { size }: ImageRequest) {
    const { width, height } = sizeFor(model, size);
    return {
      model,
      prompt,
      n: 1,
      size: `${width}x${height}` as "1024x1024",
      ...(quality === undefined ? {} : { quality: quality as "high" }),
    };
  }

  async function edit(client: OpenAI, request: ImageRequest, signal: AbortSignal) {
    const { toFile } = await import("openai");
    const { references } = request;
    const image = await Promise.all(references.map(({ bytes, contentType, kind }, index) => {
      const ending = FILE_TYPES[contentType as FileType] ?? "jpg";
      return toFile(bytes, `${kind}-${index + 1}.${ending}`, { type: contentType });
    }));
    const prompt = `${request.prompt}\n\n${aboutPhotos(references)}`;
    return await client.images.edit({ ...fields(prompt, request), image }, { signal });
  }

  async function ask(client: OpenAI, request: ImageRequest, signal: AbortSignal): Promise<Answer> {
    // Without photos a member's look still comes from the prompt's words.
    const generate = () => client.images.generate(fields(request.prompt, request), { signal });
    if (request.references.length === 0) return await generate();
    return await unlessMissing(() => edit(client, request, signal), generate);
  }

  async function bytesOf(answer: Answer, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const [image] = answer?.data ?? [];
    if (image?.b64_json) return Uint8Array.fromBase64(image.b64_json);
    if (image?.url) return await fetchImage(options, image.url, signal);
    throw malformed(WHAT);
  }

  return {
    name: model,
    atOnce: AT_ONCE,
    paint: (request) =>
      call(WHAT, imageMs, request.signal, async (client, { signal }): Promise<PaintedImage> => {
        const bytes = await bytesOf(await ask(client, request, signal), signal);
        const contentType = sniffType(bytes);
        if (contentType === null) throw malformed(WHAT);
        return { bytes, contentType };
      }),
  };
}

/** Explains the photos to the model. The creation's own prompt is shown without this. */
function aboutPhotos(references: Reference[]): string {
  const cast = references.filter(({ kind }) => kind === "cast").length;
  const range = (from: number, to: number) => from === to ? `Image ${to}` : `Images ${from}-${to}`;
  const verb = (count: number, one: string, many: string) => count === 1 ? one : many;
  const face = `${range(1, cast)} ${verb(cast, "shows", "show")} the same person as described: ` +
    "keep face, hair and age unchanged.";
  const moods = references.length - cast;
  const mood = `${range(cast + 1, references.length)} ${verb(moods, "sets", "set")} mood and ` +
    "style only: copy no objects, people or text.";
  return [...(cast > 0 ? [face] : []), ...(moods > 0 ? [mood] : [])].join(" ");
}

/**
 * The image at an address that the server returned. The server's own host is trusted like the
 * setting; any other address takes the guarded fetch, like a user's.
 */
async function fetchImage(
  { baseUrl, http, fetchPublic }: OpenAiOptions,
  url: string,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (URL.parse(url)?.origin !== new URL(baseUrl).origin) {
    return await fetchPublic(url, { maxBytes: MOST_BYTES }).catch((error) => {
      throw malformed(WHAT, error);
    });
  }
  const answer = await http(url, { signal, redirect: "error" });
  if (!answer.ok || Number(answer.headers.get("content-length") ?? 0) > MOST_BYTES) {
    await answer.body?.cancel();
    throw malformed(WHAT);
  }
  const bytes = await readUpTo(MOST_BYTES, answer.body ?? ReadableStream.from([]));
  if (bytes === null) throw malformed(WHAT);
  return bytes;
}
