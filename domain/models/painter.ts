/** The embedded image model: paints a picture from a prompt's words, the same one each time, for free. */
import { markGenerated } from "../images/mark.ts";
import { JPEG } from "../images/jpeg.ts";
import { loadSharp } from "../images/sharp.ts";
import { hashOf, seededRandom } from "../random.ts";
import type { ImageModel, ImageRequest, PaintedImage } from "./model.ts";
import { paintAbstract } from "./painting/abstract.ts";
import { paintBotanical } from "./painting/botanical.ts";
import { type Canvas, canvasOf } from "./painting/canvas.ts";
import { paintCity } from "./painting/city.ts";
import { paintHorizon } from "./painting/horizon.ts";
import { paintPortrait, swatchesOf } from "./painting/references.ts";
import { paintStillLife } from "./painting/still_life.ts";
import { paintTabletop } from "./painting/tabletop.ts";
import { type Tones, tonesOf } from "./painting/tones.ts";
import { type Brief, readBrief, type SceneName } from "./painting/words.ts";

const SCENES: Record<SceneName, (canvas: Canvas, brief: Brief, tones: Tones) => Promise<void>> = {
  horizon: paintHorizon,
  city: paintCity,
  stillLife: paintStillLife,
  botanical: paintBotanical,
  tabletop: paintTabletop,
  abstract: paintAbstract,
};

/** Colours that a picture takes from inspiration beside those its prompt names. */
const TAKEN_SWATCHES = 3;

export const painter: ImageModel = { name: "painter", paint };

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
  await SCENES[brief.scene](canvas, brief, tones);
  const cast = bytesOf("cast");
  if (cast.length > 0) await paintPortrait(canvas, tones, cast);
  grain(canvas);
  signal.throwIfAborted();
  return { bytes: await encoded(canvas), contentType: "image/jpeg", exact: true };
}

/** The tooth of paper: breaks up the steps of smooth gradients. */
function grain({ data, random }: Canvas): void {
  const tooth = Int8Array.from({ length: 8_191 }, () => Math.round((random() + random() - 1) * 4));
  const limit = 255;
  for (let at = 0, index = 0; at < data.length; at += 3) {
    const bump = tooth[index]!;
    index = index === 8_190 ? 0 : index + 1;
    for (let channel = at; channel < at + 3; channel++) {
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
