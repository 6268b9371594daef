/** The local image model: paints an image from the prompt's words, for free, and the same one each time. */
import { markGenerated } from "../../media/images/mark.ts";
import { JPEG, loadSharp } from "../../media/images/sharp.ts";
import { hashOf, seededRandom } from "../../foundation/chance.ts";
import type { ImageModel, ImageRequest, PaintedImage } from "../model.ts";
import { PAINTER } from "./messages.ts";
import { type Canvas, canvasOf } from "./painting/canvas.ts";
import { paintPortrait, swatchesOf } from "./painting/references.ts";
import { PAINTS } from "./painting/scenes.ts";
import { tonesOf } from "./painting/tones.ts";
import { readBrief } from "./painting/words.ts";

/** Colours that an image takes from inspiration, beside those that its prompt names. */
const TAKEN_SWATCHES = 3;

export const painter: ImageModel = { ...PAINTER, paint };

async function paint(request: ImageRequest): Promise<PaintedImage> {
  const { prompt, size, references, seed, signal } = request;
  signal.throwIfAborted();
  const random = seededRandom(`${seed}\n${hashOf(prompt)}`);
  const read = readBrief(prompt, seed);
  const bytesOf = (kind: "cast" | "inspiration") =>
    references.filter((reference) => reference.kind === kind).map(({ bytes }) => bytes);
  const inspiration = bytesOf("inspiration");
  const taken = inspiration.length === 0 ? [] : await swatchesOf(inspiration, TAKEN_SWATCHES);
  const brief = { ...read, swatches: [...read.swatches, ...taken] };
  const tones = tonesOf(brief);
  const canvas = canvasOf(size, random, signal);
  await PAINTS[brief.scene](canvas, brief, tones);
  const cast = bytesOf("cast");
  if (cast.length > 0) await paintPortrait(canvas, tones, cast);
  grain(canvas);
  signal.throwIfAborted();
  return { bytes: await encoded(canvas), contentType: "image/jpeg", exact: true };
}

/** Adds the grain of paper, which hides the steps of smooth gradients. */
function grain({ data, random }: Canvas): void {
  const tooth = Int8Array.from({ length: 8_191 }, () => Math.round((random() + random() - 1) * 4));
  const limit = 255;
  for (let pixel = 0, index = 0; pixel < data.length; pixel += 3) {
    const bump = tooth[index]!;
    index = index === 8_190 ? 0 : index + 1;
    for (let channel = pixel; channel < pixel + 3; channel++) {
      const value = data[channel]! + bump;
      data[channel] = value < 0 ? 0 : value > limit ? limit : value;
    }
  }
}

async function encoded({ data, width, height }: Canvas): Promise<Uint8Array<ArrayBuffer>> {
  const sharp = await loadSharp();
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } }).jpeg(JPEG).toBuffer();
  return markGenerated(jpeg, "algorithmicMedia");
}
