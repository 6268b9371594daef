/** The local writer's vocabulary: worlds that an idea may belong to, and how images there look. */

import type { SceneName } from "../painter/painting/names.ts";

export interface World {
  /** Subjects that lead here, as the painter reads them: a scene, or one kind in it. */
  shows: readonly (SceneName | `${SceneName}/${string}`)[];
  settings: readonly string[];
  details: readonly string[];
  lights: readonly string[];
  lenses: readonly string[];
  palettes: readonly string[];
  moods: readonly string[];
}

export const WORLDS: readonly World[] = [
  {
    shows: ["tabletop", "drinks"],
    settings: [
      "on a worn wooden table by a window",
      "on a pale stone counter",
      "in a small kitchen that is in use",
    ],
    details: [
      "steam, crumbs and a folded linen cloth show that someone has just been here",
      "the texture of the ingredients is close enough to touch",
      "one hand enters the frame at work, out of focus",
    ],
    lights: [
      "soft window light from the left, a white card filling the shadows",
      "warm backlight that makes edges glow",
    ],
    lenses: [
      "85 mm at f/2.8, slightly above eye level",
      "50 mm macro, close, with a shallow plane of focus",
    ],
    palettes: [
      "warm oak, cream and a sprig of fresh green",
      "espresso brown, milk white and burnt orange",
    ],
    moods: ["generous and unhurried", "fresh and appetising"],
  },
  {
    shows: ["product", "sale", "stillLife"],
    settings: [
      "standing on stacked plinths of matte plaster",
      "resting on a seamless coloured sweep",
      "set among a few raw materials it is made of",
    ],
    details: [
      "every edge is crisp, with one clean highlight along the contour",
      "a single long shadow anchors it to the ground",
      "fine dust and fingerprints are absent; the material itself is the ornament",
    ],
    lights: [
      "a large softbox overhead and a thin rim light from behind",
      "hard single-source light with a graphic shadow",
    ],
    lenses: ["100 mm at f/8, straight on", "70 mm at f/5.6, a low three-quarter view"],
    palettes: [
      "sand, clay and off-white",
      "deep teal, brass and ivory",
      "two tones of one colour and a warm grey",
    ],
    moods: ["precise and desirable", "calm and premium"],
  },
  {
    shows: ["horizon", "botanical", "vehicle/boat"],
    settings: [
      "in a wide open landscape with a clear horizon",
      "at the edge of a forest where it meets the light",
      "among tall grass moved by wind",
    ],
    details: [
      "a path leads the eye from the lower corner into the depth",
      "near leaves, middle distance and far ridge make three clear layers",
      "small drops and seeds catch the light",
    ],
    lights: ["low sun through thin haze", "the even, cool light just after rain"],
    lenses: ["24 mm at f/8, deep focus", "135 mm at f/4, compressing the layers"],
    palettes: [
      "moss, slate and pale gold",
      "sea blue, sand and white",
      "fern green, bark brown and sky",
    ],
    moods: ["free and quiet", "wide awake and clear"],
  },
  {
    shows: ["city", "street"],
    settings: [
      "on a city street between strong verticals",
      "on a rooftop above the city",
      "in a station hall where people pass as soft blurs",
    ],
    details: [
      "reflections in glass double the scene without crowding it",
      "one passer-by gives the scale",
      "lines of kerb and facade converge on the subject",
    ],
    lights: ["late sun raking along the facades", "blue hour, windows just lit"],
    lenses: ["35 mm at f/4 from hip height", "28 mm at f/5.6, verticals kept straight"],
    palettes: ["concrete grey, brick red and evening blue", "steel, amber and deep navy"],
    moods: ["alive and purposeful", "cinematic and cool"],
  },
  {
    shows: ["sport"],
    settings: [
      "on an empty track at the start of the day",
      "in a bright studio with a timber floor",
      "outdoors on open ground",
    ],
    details: [
      "the decisive instant of the movement, weight and balance readable",
      "breath, chalk or water hangs in the air",
      "fabric and muscle are sharp while the ground streaks past",
    ],
    lights: [
      "strong side light that models every form",
      "backlight with a bright rim around the figure",
    ],
    lenses: ["70 mm at f/2.8 with a fast shutter", "35 mm close and low, panning with the motion"],
    palettes: ["charcoal, signal orange and chalk white", "cool grey, cobalt and skin tones"],
    moods: ["determined and light-footed", "focused and strong"],
  },
  {
    shows: ["desk"],
    settings: [
      "at a tidy desk beside a tall window",
      "in a studio office with plants and plywood",
      "around a shared table seen from above",
    ],
    details: [
      "notes, a half-empty cup and a cable tell of work in progress",
      "hands and tools carry the story, screens stay abstract",
      "one object out of line keeps it human",
    ],
    lights: ["clean daylight from one side", "daylight with the warm pool of a desk lamp"],
    lenses: ["50 mm at f/2.8 at eye level", "35 mm from directly above"],
    palettes: ["light ash, white and one accent of cobalt", "graphite, birch and soft green"],
    moods: ["clear-headed and optimistic", "concentrated and warm"],
  },
  {
    shows: ["people", "home"],
    settings: [
      "in a lived-in room with one open window",
      "in a doorway between light and shade",
      "against a plain plaster wall",
    ],
    details: [
      "a real gesture rather than a pose, eyes clear and in focus",
      "worn textiles and a few loved objects give depth",
      "the space around the people says as much as they do",
    ],
    lights: [
      "large soft window light with gentle falloff",
      "late afternoon sun through thin curtains",
    ],
    lenses: ["85 mm at f/2 at eye level", "50 mm at f/2.8, one step back"],
    palettes: ["linen, terracotta and soft skin tones", "warm white, walnut and dusty blue"],
    moods: ["intimate and kind", "easy and cheerful"],
  },
  {
    shows: ["team"],
    settings: [
      "around a table in a bright room",
      "at one long table with their papers spread out",
    ],
    details: [
      "one explains, the others lean in; hands say as much as faces",
      "cups, pencils and loose sheets show that work is under way",
    ],
    lights: ["clean daylight from one side", "late afternoon light across the table"],
    lenses: ["35 mm at f/4 from the end of the table", "50 mm at f/2.8 at eye level"],
    palettes: ["light ash, white and one accent of cobalt", "terracotta, linen and soft green"],
    moods: ["attentive and good-humoured", "clear-headed and optimistic"],
  },
  {
    shows: ["bookshop"],
    settings: [
      "between shelves that reach up to the ceiling",
      "on a table in front of full shelves",
    ],
    details: [
      "worn spines in many colours make a quiet pattern",
      "one volume lies open as if its reader had only just looked up",
    ],
    lights: ["the warm pool of a hanging lamp", "daylight from the front, warm lamps behind"],
    lenses: ["50 mm at f/2 at eye level", "35 mm at f/4, shelves kept straight"],
    palettes: ["oak, bottle green and cream", "walnut, burgundy and paper white"],
    moods: ["quiet and curious", "warm and a little secret"],
  },
  {
    shows: ["vehicle"],
    settings: ["on an open road with trees behind it", "at the kerb of a quiet road"],
    details: [
      "seen fully from the side, every line of it readable",
      "the ground is calm and the shadow below it soft",
    ],
    lights: ["late sun raking along its side", "the even light of a bright, hazy day"],
    lenses: ["70 mm at f/5.6 from hip height", "50 mm at f/4, panning with the motion"],
    palettes: ["one strong colour before soft greens and sky", "steel, amber and deep navy"],
    moods: ["ready to set off", "light and free"],
  },
  {
    shows: ["animal"],
    settings: ["in a meadow at the edge of some trees", "on a soft rug beside a tall leafy pot"],
    details: [
      "ears and eyes are attentive, every hair of the coat in focus",
      "it sits still for just this one moment",
    ],
    lights: ["low sun through thin haze", "large soft light with gentle falloff"],
    lenses: ["85 mm at f/2.8 from its own height", "135 mm at f/4, the ground melting away"],
    palettes: ["honey, fern and cream", "warm grey, moss and pale sky"],
    moods: ["trusting and alert", "calm and cheerful"],
  },
  {
    shows: ["event"],
    settings: ["under strings of small lamps", "in a room made ready for many guests"],
    details: [
      "ribbons and light make the air itself festive",
      "there is a clear middle where everything comes together",
    ],
    lights: ["warm practical lamps and a soft fill", "coloured beams through a little haze"],
    lenses: ["35 mm at f/2 from within the crowd", "50 mm at f/2.8, one step back"],
    palettes: ["coral, gold and cream", "plum, amber and soft pink"],
    moods: ["expectant and joyful", "generous and bright"],
  },
  {
    shows: ["craft"],
    settings: ["on a bench that has seen much work", "before a wall with everything in its place"],
    details: [
      "shavings, dust or clay tell what has just been done",
      "the material is close enough to touch",
    ],
    lights: ["soft daylight from a high opening", "the warm cone of a single work lamp"],
    lenses: ["50 mm at f/4 at the height of the bench", "85 mm at f/2.8, close"],
    palettes: ["clay, oak and linen", "iron grey, oak and one clear accent"],
    moods: ["patient and exact", "concentrated and warm"],
  },
];

/** Where an idea belongs that names nothing known: calm shapes, never a scene by chance. */
export const PLAIN_WORLD: World = {
  shows: ["abstract", "notice"],
  settings: [
    "as folded paper shapes on a coloured ground",
    "as an arrangement of simple solids",
    "as flowing layers of translucent material",
  ],
  details: [
    "edges are clean and overlaps make new tones",
    "repetition with one deliberate exception",
    "fine grain keeps the surfaces tactile",
  ],
  lights: [
    "soft directional light that gives each layer a shadow",
    "even light with a single bright accent",
  ],
  lenses: ["90 mm at f/11, everything in focus", "60 mm straight down on the set"],
  palettes: [
    "coral, ink blue and ivory",
    "saffron, plum and pale grey",
    "mint, forest and blush",
  ],
  moods: ["playful and exact", "thoughtful and bright"],
};
