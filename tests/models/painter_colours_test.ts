/** The painter's colours never wrap around: no speckle in any world, in any brand's colours. */
import { assert, assertEquals } from "@std/assert";
import { seededRandom } from "../../domain/foundation/chance.ts";
import { type Rgb, toOklch } from "../../domain/media/images/colour.ts";
import { blend, canvasOf, fill, type Paint } from "../../domain/models/painter/painting/canvas.ts";
import { PAINTS } from "../../domain/models/painter/painting/scenes.ts";
import { tonesOf } from "../../domain/models/painter/painting/tones.ts";
import { PLACES } from "../../domain/models/painter/painting/vocabulary.ts";
import { GOODS } from "../../domain/models/painter/painting/vocabulary_goods.ts";
import { THINGS } from "../../domain/models/painter/painting/vocabulary_things.ts";
import { SCENES } from "../../domain/models/painter/painting/names.ts";
import { readBrief } from "../../domain/models/painter/painting/words.ts";
import { specklesIn } from "../support/speckles.ts";
import { SWEEPS_ALL } from "../support/sweep.ts";

/** The seeds take turns at the colours of a row: each brand colour is painted with every fourth. */
const COLOURS: Record<string, readonly [Rgb, ...Rgb[]]> = {
  white: [[255, 255, 255]],
  cream: [[247, 240, 224]],
  black: [[12, 12, 12]],
  "a brand's colour": [[11, 61, 145], [255, 90, 54], [0, 168, 107], [255, 212, 0]],
};

/** Enough for every kind of subject of a world, as each row of colours goes on with the next kinds. */
const SEEDS = SWEEPS_ALL ? 20 : 5;
const SIZE = { width: 72, height: 90 };
const { signal } = new AbortController();

for (const scene of SCENES) {
  Deno.test(`no colour wraps around in the world "${scene}"`, async () => {
    const known = [...PLACES, ...THINGS, ...GOODS].filter((entry) => entry.scene === scene);
    const kinds = [...new Set(known.map(({ kind }) => kind))];
    assert(kinds.length <= SEEDS * Object.keys(COLOURS).length);
    for (const [row, [name, colours]] of Object.entries(COLOURS).entries()) {
      for (let seed = 0; seed < SEEDS; seed++) {
        const swatch = toOklch(colours[seed % colours.length] ?? colours[0]);
        const kind = kinds[(row * SEEDS + seed) % kinds.length]!;
        const brief = {
          ...readBrief("", `${seed}`),
          scene,
          kind,
          swatches: [swatch],
          hero: swatch,
        };
        const canvas = canvasOf(SIZE, seededRandom(`${seed}${name}${kind}`), signal);
        await PAINTS[scene](canvas, brief, tonesOf(brief));
        assertEquals(specklesIn(canvas), 0, `${kind} in ${name}, seed ${seed}`);
      }
    }
  });
}

Deno.test("a channel that wraps on a smooth white ground is found, a drawn edge is not", () => {
  const picture = (colourAt: (x: number, y: number) => Rgb) => {
    const side = 24;
    const data = Array.from(
      { length: side * side },
      (_, at) => colourAt(at % side, Math.floor(at / side)),
    ).flat();
    return { data, width: side, height: side };
  };
  const wrapped = picture((x, y) => x % 5 === 0 && y % 4 === 0 ? [3, 252, 250] : [253, 252, 250]);
  assert(specklesIn(wrapped) > 20);
  assertEquals(specklesIn(picture((x) => x < 12 ? [255, 252, 250] : [20, 240, 236])), 0);
  assertEquals(specklesIn(picture((x) => x === 12 ? [18, 16, 26] : [255, 252, 250])), 0);
});

Deno.test("a blend never leads away from its colour, and the canvas never wraps", async () => {
  const paint: Paint = [250, 250, 250, 1];
  blend(paint, [0, 0, 0], -0.2);
  assertEquals(paint, [250, 250, 250, 1]);
  blend(paint, [0, 0, 0], 1.4);
  assertEquals(paint, [0, 0, 0, 1]);
  const canvas = canvasOf({ width: 2, height: 1 }, Math.random, signal);
  await fill(canvas, (x, _y, pixel) => {
    [pixel[0], pixel[1], pixel[2]] = x < 1 ? [270, 256, 300] : [-3, -1, -40];
  });
  assertEquals([...canvas.data], [255, 255, 255, 0, 0, 0]);
});
