/** What an overlay costs beside the least that any overlay costs: decode, one SVG composite, encode. */
import { Buffer } from "node:buffer";
import { renderOverlay } from "../../domain/media/overlays/render.ts";
import { type Overlay, OverlayTemplate } from "../../domain/media/overlays/shape.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { JPEG } from "../../domain/media/images/sharp.ts";
import { painter } from "../../domain/models/painter/painter.ts";
import { type Bench, median } from "./figure.ts";

const SIZE = { width: 1080, height: 1350 };
const TEXT = "The quiet hour before the city wakes\nNotes from a morning walk";
const BAR = `<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="1350">
<rect y="1050" width="1080" height="300" fill="#101418" fill-opacity="0.9"/>
<text x="72" y="1160" font-family="Inter ExtraBold" font-size="60" fill="white">The quiet hour before</text>
<text x="72" y="1230" font-family="Inter ExtraBold" font-size="60" fill="white">the city wakes</text>
<text x="72" y="1290" font-family="Inter Medium" font-size="32" fill="white">Notes from a morning walk</text>
</svg>`;

export const bench: Bench = async ({ quick }) => {
  const sharp = await loadSharp();
  // The other side composites an SVG of ours: its loader is opened for this process only.
  sharp.unblock({ operation: ["VipsForeignLoadSvgBuffer"] });
  const { bytes: image } = await painter.paint({
    prompt: "City skyline at dusk",
    size: SIZE,
    references: [],
    seed: "bench",
    signal: new AbortController().signal,
  });
  const bare = () => sharp(image).composite([{ input: Buffer.from(BAR) }]).jpeg(JPEG).toBuffer();
  const overlaid = (template: Overlay["template"]) => () =>
    renderOverlay({
      image,
      overlay: { template, text: TEXT },
      logo: null,
      aspectRatio: "portrait",
    });
  const rounds = quick ? 2 : 25;
  const ratios: { template: string; ratio: number }[] = [];
  for (const template of OverlayTemplate.options) {
    ratios.push({ template, ratio: await ratioOf(overlaid(template), bare, rounds) });
  }
  const worst = ratios.reduce((one, other) => one.ratio > other.ratio ? one : other);
  return [{
    name: "overlay render at 1080x1350, against sharp decode + SVG composite + encode",
    measured: worst.ratio,
    atMost: 1.3,
    note: ratios.map(({ template, ratio }) => `${template} ${ratio.toFixed(2)}`).join(", "),
  }];
};

/** Median of the ratios of neighbouring runs: what else the machine does hits both. */
async function ratioOf(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
  rounds: number,
): Promise<number> {
  const time = async (run: () => Promise<unknown>) => {
    const start = performance.now();
    await run();
    return performance.now() - start;
  };
  await Promise.all([time(one), time(other)]);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const first = await time(one);
    ratios.push(first / await time(other));
  }
  return median(ratios);
}
