/** The tools on series and their slots. Data only. */
import { generateItem } from "../domain/series/generate.ts";
import { createReview, getSeries, listAllSeries } from "../domain/series/series.ts";
import type { Series, Slot } from "../domain/series/shape.ts";
import { simulateSeries, type Simulation } from "../domain/series/simulate.ts";
import { captionItem, publishItem, regenerateItem, skipItem } from "../domain/series/slots.ts";
import { explainItem, type Why } from "../domain/series/why.ts";
import type { Review } from "../domain/strategist/shape.ts";
import { onSlot, saveSeries, setSeriesActive } from "./merged.ts";
import { slotPictures } from "./pictures.ts";
import { count, done, type List, listOf } from "./say.ts";
import { HINTS, READ, type Tool, tool, withScopes } from "./tool.ts";

const seriesSays = ({ id, name, mode, active }: Series) =>
  `${name} (${id}), ${mode}, ${active ? "active" : "paused"}.`;

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
    hints: HINTS.read,
    say: ({ name, items }) => {
      const by = Object.entries(Object.groupBy(items, ({ status }) => status))
        .map(([status, slots]) => `${slots?.length} ${status}`);
      return `${name}: ${by.join(", ") || "no slots yet"}.`;
    },
  }),
  save_series: tool<Series>({
    title: "Save a series",
    operation: saveSeries,
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
    beyond: "Writes nothing and spends nothing.",
    hints: HINTS.read,
    say: ({ slots }) => `${count(slots.length, "slot")} would be planned.`,
  }),
  run_autopilot_review: tool<Review>({
    title: "Review an autopilot series",
    operation: createReview,
    hints: HINTS.make,
    say: ({ rationale }) => rationale,
  }),
  skip_item: tool({
    title: "Skip a slot",
    operation: onSlot(skipItem),
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
    beyond: "Publishes nothing.",
    hints: HINTS.make,
    say: ({ id, status, error }) => `${id} is ${status}${error === null ? "" : `: ${error}`}.`,
    pictures: slotPictures,
  }),
  rewrite_caption: tool<{ caption: string }>({
    title: "Rewrite a slot's caption",
    operation: onSlot(captionItem),
    hints: { ...HINTS.save, idempotent: false, openWorld: true },
    say: ({ caption }) => caption,
  }),
  explain_item: tool<Why>({
    title: "Explain a slot",
    operation: onSlot(explainItem),
    beyond: "Says what to do, and does nothing.",
    hints: HINTS.read,
    say: ({ summary, todo }) => todo === null ? summary : `${summary} ${todo.text}`,
  }),
  publish_item: tool({
    title: "Publish a slot",
    operation: onSlot(publishItem),
    beyond: "The only tool that posts publicly, and it can't be undone here.",
    hints: HINTS.publish,
    say: done,
  }),
};
