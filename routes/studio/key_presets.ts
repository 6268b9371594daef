/** What a new key may do, as ready-made choices. */
import { Budgets } from "../../domain/brands/budgets.ts";
import type { Scope } from "../../domain/brands/keys.ts";

export interface Preset {
  label: string;
  hint: string;
  scopes: Scope[];
  /** What it may do a day where the form says nothing else. */
  publishesPerDay?: number;
  creditsPerDay?: number;
}

const READS: Scope[] = ["postsRead", "createRead"];

export const PRESETS: Record<string, Preset> = {
  read: {
    label: "Read only",
    hint: "Posts and their numbers, pictures, calendar, series.",
    scopes: READS,
  },
  create: {
    label: "Create",
    hint: "Reads, and makes and changes pictures, posts and series.",
    scopes: [...READS, "createWrite"],
  },
  publish: {
    label: "Publish",
    hint: "All of that, and approves and publishes.",
    scopes: [...READS, "createWrite", "publishWrite"],
  },
  agent: {
    label: "An agent with limits",
    hint: "Publishes too, but at most 3 posts and 10 credits a day, unless you say other limits.",
    scopes: [...READS, "createWrite", "publishWrite"],
    publishesPerDay: 3,
    creditsPerDay: 10,
  },
};
/** The choice of single scopes. */
export const OWN = "own";

/** The limits a day; null where there is none at all. An empty field leaves the preset's. */
export function budgetsOf(
  preset: Preset | undefined,
  given: { publishes: number | null; credits: number | null },
): Budgets | null {
  const publishesPerDay = given.publishes ?? preset?.publishesPerDay ?? null;
  const creditsPerDay = given.credits ?? preset?.creditsPerDay ?? null;
  if (publishesPerDay === null && creditsPerDay === null) return null;
  return Budgets.parse({ publishesPerDay, creditsPerDay });
}
