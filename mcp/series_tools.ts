/** The tools on series and their slots. Data only. */
import { generateItem } from "../domain/series/generate.ts";
import { createReview, getSeries, listAllSeries } from "../domain/series/series.ts";
import type { Series, Slot } from "../domain/series/shape.ts";
import { simulateSeries, type Simulation } from "../domain/series/simulate.ts";
import { captionItem, publishItem, regenerateItem, skipItem } from "../domain/series/slots.ts";
import { type Cure, explainItem, type Why } from "../domain/series/why.ts";
import type { Review } from "../domain/strategist/shape.ts";
import { count } from "../domain/text.ts";
import { onSlot, saveSeries, setSeriesActive } from "./merged.ts";
import { slotPictures } from "./pictures.ts";
import { done, type List, listOf } from "./say.ts";
import { HINTS, READ, type Tool, tool, withScopes } from "./tool.ts";

const seriesSays = ({ id, name, mode, active }: Series) =>
  `${name} (${id}), ${mode}, ${active ? "active" : "paused"}.`;

/** The tool for each operation that can put a slot right. */
const CURES: Record<Cure, string> = {
  captionItem: "rewrite_caption",
  publishItem: "publish_item",
  regenerateItem: "regenerate_item",
  retryCreation: "retry_creation",
  skipItem: "skip_item",
  updateSeries: "save_series",
};

function whySays({ summary, todo }: Why): string {
  if (todo === null) return summary;
  const tool = todo.operation === null ? "" : ` (${CURES[todo.operation]})`;
  return `${summary} To do${tool}: ${todo.text}`;
}

export const SERIES_TOOLS: Readonly<Record<string, Tool>> = {
  list_series: tool<List<Series>>({
    title: "List series",
    operation: withScopes(listAllSeries, READ),
    beyond: "Their slots come with get_series_queue.",
    hints: HINTS.read,
    say: listOf("series"),
  }),
  get_series_queue: tool<Series & { items: Slot[] }>({
    title: "Get a series' queue",
    operation: withScopes(getSeries, READ),
    beyond: "Items run from 30 days ago into the planned days; scheduledFor is UTC. explain_item " +
      "says why one stands where it stands.",
    hints: HINTS.read,
    say: ({ name, items }) => {
      const by = Object.entries(Object.groupBy(items, ({ status }) => status))
        .map(([status, slots]) => `${slots?.length} ${status}`);
      return `${name}: ${by.join(", ") || "no slots yet"}.`;
    },
    pictures: ({ items }) => items.toReversed().flatMap(slotPictures),
  }),
  save_series: tool<Series>({
    title: "Save a series",
    operation: saveSeries,
    beyond: "socialAccountId comes from get_brand, castMemberId from list_cast_members. To pause " +
      "or resume use set_series_active. Publishes nothing by itself before a slot's time.",
    hints: { ...HINTS.save, idempotent: false },
    say: seriesSays,
  }),
  set_series_active: tool<Series>({
    title: "Pause or resume a series",
    operation: setSeriesActive,
    hints: { ...HINTS.save, destructive: false },
    say: seriesSays,
  }),
  simulate_series: tool<Simulation>({
    title: "Simulate a series",
    operation: simulateSeries,
    hints: { ...HINTS.read, openWorld: true },
    say: ({ slots }) => `${count(slots.length, "slot")} would be planned.`,
  }),
  run_autopilot_review: tool<Review>({
    title: "Review an autopilot series",
    operation: createReview,
    beyond: "Autopilot series only. Generates and publishes nothing.",
    hints: { ...HINTS.make, destructive: true },
    say: ({ rationale }) => rationale,
  }),
  skip_item: tool({
    title: "Skip a slot",
    operation: onSlot(skipItem),
    beyond: "Can't be undone.",
    hints: HINTS.remove,
    say: done,
  }),
  regenerate_item: tool({
    title: "Regenerate a slot",
    operation: onSlot(regenerateItem),
    beyond: "The images come with the next pass: generate_item makes them now.",
    hints: HINTS.remove,
    say: done,
  }),
  generate_item: tool<Slot>({
    title: "Generate a slot now",
    operation: onSlot(generateItem),
    beyond: "Publishes nothing. Still generating after that: look again with get_series_queue.",
    hints: HINTS.make,
    say: ({ id, status, error }) => `${id} is ${status}${error === null ? "" : `: ${error}`}.`,
    pictures: slotPictures,
  }),
  rewrite_caption: tool<{ caption: string }>({
    title: "Rewrite a slot's caption",
    operation: onSlot(captionItem),
    beyond: "Publishes nothing.",
    hints: { ...HINTS.save, idempotent: false, openWorld: true },
    say: ({ caption }) => caption,
  }),
  explain_item: tool<Why>({
    title: "Explain a slot",
    operation: onSlot(explainItem),
    beyond: "Says what to do and which tool does it, and does nothing.",
    hints: HINTS.read,
    say: whySays,
  }),
  publish_item: tool({
    title: "Publish a slot",
    operation: onSlot(publishItem),
    description: "Public at once. Waits up to 25 seconds: `Done.` means published or still at " +
      "work (get_series_queue tells which); conflict brings the platform's words when it refused; " +
      "serviceUnavailable means that it did not take the post or did not say. Nothing is ever " +
      "sent twice without looking first.",
    beyond: "The only tool that posts publicly, and it can't be undone here.",
    hints: HINTS.publish,
    say: done,
  }),
};
