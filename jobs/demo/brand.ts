/** The demo's invented brand: no person, company or channel of that name is meant. */
import type { z } from "zod";
import type { Platform } from "../../domain/posts/shape.ts";
import { LANTERNFOLD } from "../../domain/platforms/sandbox/words.ts";
import type { SeriesInput } from "../../domain/series/shape.ts";

export const NAME = "Lanternfold Coffee";
export const EMAIL = "demo@marquee.example";

/** Its accounts, whose made-up history the sandbox writes in the brand's own words. */
export const HANDLES: Record<Platform, string> = {
  instagram: LANTERNFOLD,
  linkedin: LANTERNFOLD,
  youtube: LANTERNFOLD,
};

/** Where its autopilot publishes. */
export const STAGE: Platform = "instagram";

/** Night, paper, copper and sage. */
export const COLORS = { night: "#1d2b36", paper: "#f6ead7", copper: "#c9763f", sage: "#7c9482" };

export const STYLE =
  "Warm, low morning light. Deep night blue, paper cream, copper and sage. Calm, " +
  "close and hand-made; no people posing.";

/** The other fields of its kit. */
export const KIT = {
  voice: {
    tone: "Friendly and exact, never loud.",
    use: ["slow", "small batch", "harvest"],
    avoid: ["best", "cheap", "hack"],
    examples: [],
  },
  language: "en",
  timeZone: "Europe/Berlin",
  colors: Object.values(COLORS),
};

export const INSPIRATIONS = [
  {
    name: "Counter at first light",
    prompt: "A cup of coffee on a wooden counter, copper and cream, low warm morning light",
  },
  {
    name: "Harbour at dawn",
    prompt: "A quiet harbour at dawn, boats, warm copper and cream light",
  },
];

export const CAST = {
  name: "Mira, head roaster",
  lookPrompt: "Mira, a woman of about forty with short dark curly hair, round copper glasses and " +
    "a sage green apron over a night blue shirt",
  lifestylePrompt: "Works by hand at a small drum roaster, tastes every batch, laughs easily",
};

/** The autopilot, of which eight weeks are past. */
export const AUTOPILOT: z.input<typeof SeriesInput> = {
  name: "A cup a day",
  mode: "autopilot",
  goal: "Bring people from the neighbourhood to our Saturday coffee tastings",
  guidance: "Friendly, no exclamation marks. Mention the roastery by the harbour. Carousels have " +
    "3 images.",
  formats: ["post", "carousel"],
  postsPerWeek: 3,
  maxPerWeek: 4,
  hourUtc: 8,
  aspectRatio: "portrait",
};

/** The manual series, whose posts wait until a person approves them. */
export const MANUAL: z.input<typeof SeriesInput> = {
  name: "Bean of the week",
  mode: "manual",
  theme: "Bean of the week: a washed Ethiopian from a small harvest, peach and black tea",
  guidance: "One bean, where it grows and what it tastes of. No prices.",
  format: "post",
  cadenceDays: 7,
  hourUtc: 17,
  needsApproval: true,
  aspectRatio: "square",
};
