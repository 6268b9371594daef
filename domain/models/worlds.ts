/** The local writer's vocabulary: worlds an idea may belong to, and what a picture there is made of. */

export interface World {
  /** Words that lead here, in lower case and with their common endings: a team is no tea. */
  words: RegExp;
  settings: readonly string[];
  details: readonly string[];
  lights: readonly string[];
  lenses: readonly string[];
  palettes: readonly string[];
  moods: readonly string[];
}

export const WORLDS: readonly World[] = [
  {
    words:
      /\b(coffee|tea|food|bread|cake|cook|cooking|kitchen|recipe|dinner|lunch|breakfast|salad|soup|pizza|fruit|chocolate|wine|beer|drink|cafe|bakery|restaurant|menu|chef)(?:e?s|ing|ed|ers?)?\b/g,
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
    words:
      /\b(product|bottle|package|packaging|box|cosmetic|skincare|perfume|watch|shoe|sneaker|bag|jewel|jewellery|launch|collection|sale|shop|store|brand)(?:e?s|ing|ed|ers?)?\b/g,
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
    words:
      /\b(mountain|forest|wood|tree|lake|river|sea|ocean|beach|garden|flower|plant|animal|dog|cat|bird|horse|hike|hiking|trail|nature|field|farm|island|desert|camp|coast|shore|harbou?r|bay|boat|sail|cliff|valley|hill|park|snow)(?:e?s|ing|ed|ers?)?\b/g,
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
    words:
      /\b(city|street|urban|building|architecture|skyline|bridge|train|station|metro|tram|bike|bicycle|car|traffic|rooftop|market|museum)(?:e?s|ing|ed|ers?)?\b/g,
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
    words:
      /\b(run|runner|running|sport|yoga|gym|fitness|training|train|workout|swim|football|tennis|climb|dance|race|team|athlete|health)(?:e?s|ing|ed|ers?)?\b/g,
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
    words:
      /\b(office|work|desk|laptop|computer|software|app|startup|meeting|data|phone|tech|technology|ai|code|robot|screen|business|finance|invoice|remote)(?:e?s|ing|ed|ers?)?\b/g,
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
    words:
      /\b(home|house|room|living|bed|bedroom|sofa|interior|furniture|chair|lamp|family|baby|child|kids?|mother|father|friends?|woman|man|people|person|portrait|smile|wedding|birthday|christmas|holiday)(?:e?s|ing|ed|ers?)?\b/g,
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
    words:
      /\b(abstract|pattern|shape|colou?r|texture|art|music|sound|dream|idea|future|space|quote|announcement|news|thank|welcome|tip)(?:e?s|ing|ed|ers?)?\b/g,
    settings: [
      "as folded paper shapes on a coloured ground",
      "as a still life of simple solids",
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
  },
];
