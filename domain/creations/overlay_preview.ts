/** A small picture of a layout, so that one can choose it by its looks before it is printed. */
import { Turns } from "../foundation/turns.ts";
import { type AspectRatio, SIZES } from "../media/images/aspect.ts";
import { oklch, type Rgb } from "../media/images/colour.ts";
import { loadSharp } from "../media/images/sharp.ts";
import type { Overlay, OverlayTemplate } from "../media/overlays/shape.ts";
import { reader } from "../kv/transact.ts";
import type { Service } from "../service/service.ts";
import { logoOf, lookOf } from "./render.ts";
import { readListed } from "./store.ts";

/** Pixels; as wide as thumbnails are on a sharp screen. */
const WIDTH = 270;

/**
 * Each takes some 50 ms of the processor, so a person's pile must not hold up everybody's requests.
 * What may wait are all layouts three times, because words are typed faster than they are drawn.
 */
const drawing = new Turns<string>({
  ...{ running: 2, runningEach: 1, waiting: 200, waitingEach: 33 },
  refusal: "Too many layouts are being drawn. Try again shortly.",
});

/** Words for a layout that has none yet: they say where which line goes. */
const SAMPLES: Record<OverlayTemplate, string> = {
  captionBar: "Your headline\nA second line",
  centeredTitle: "Your headline\nA second line",
  lowerThird: "Your headline\nA second line",
  quoteCard: "What somebody said\nTheir name",
  cornerTag: "New",
  textOnly: "Your headline\nA second line",
  offerBadge: "–20 %\nuntil Sunday",
  eventDate: "12 Dec\nYour event\nPlace and time",
  splitPanel: "Your headline\nA second line",
  storyCta: "Your headline\nBook now",
  stepCard: "2/5\nYour second step",
};

export interface PreviewRequest {
  template: OverlayTemplate;
  /** Blank: words that show what the layout does. */
  text: string;
  showLogo: boolean;
  /** The picture to print on; a plain ground without it, or while it is not complete. */
  creationId: string | null;
  /** Of the plain ground; a picture has its own. */
  aspectRatio: AspectRatio;
}

/**
 * JPEG bytes. A picture that the brand does not have is as good as none.
 * @throws ServiceError `serviceUnavailable` when too many of the brand wait already
 */
export function previewOverlay(
  service: Service,
  brandId: string,
  request: PreviewRequest,
): Promise<Uint8Array<ArrayBuffer>> {
  return drawing.run(brandId, () => draw(service, brandId, request));
}

async function draw(
  service: Service,
  brandId: string,
  { template, text, showLogo, creationId, aspectRatio }: PreviewRequest,
): Promise<Uint8Array<ArrayBuffer>> {
  const creation = creationId === null
    ? null
    : await readListed(reader(service.kv), brandId, creationId);
  const ratio = creation?.aspectRatio ?? aspectRatio;
  const key = creation?.rawKey ?? null;
  const [file, look, logo, { renderOverlay }] = await Promise.all([
    key === null ? null : service.storage.get(key),
    lookOf(service, brandId),
    showLogo ? logoOf(service, brandId) : null,
    import("../media/overlays/render.ts"),
  ]);
  const overlay: Overlay = {
    template,
    text: text.trim() === "" ? SAMPLES[template] : text,
    showLogo,
  };
  const image = file?.bytes ?? await plainGround(ratio);
  return await renderOverlay({ image, overlay, logo, aspectRatio: ratio, look, width: WIDTH });
}

/** Soft light over a calm colour: a picture that says nothing of its own. */
async function plainGround(ratio: AspectRatio): Promise<Uint8Array> {
  const { width, height } = SIZES[ratio];
  const size = { width: WIDTH, height: Math.round(WIDTH * height / width) };
  const data = new Uint8Array(size.width * size.height * 3);
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const [across, down] = [x / size.width - 0.7, y / size.height - 0.25];
      const light = Math.max(0, 1 - Math.hypot(across, down) * 1.15);
      data.set(GROUND[Math.round(light * (GROUND.length - 1))]!, (y * size.width + x) * 3);
    }
  }
  const sharp = await loadSharp();
  return new Uint8Array(await sharp(data, { raw: { ...size, channels: 3 } }).png().toBuffer());
}

const GROUND: Rgb[] = Array.from(
  { length: 128 },
  (_, step) => oklch(0.46 + 0.36 * step / 127, 0.06, 245 - 170 * step / 127),
);
