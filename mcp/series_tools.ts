/** The tools on series and their slots. Data only. */
import { generateItem, generateItemById } from "../domain/operations/generate_item.ts";
import {
  adoptReview,
  createReview,
  getSeries,
  listAllSeries,
  simulateSeries,
} from "../domain/operations/series.ts";
import type { Series } from "../domain/series/shape.ts";
import {
  captionItem,
  captionItemById,
  explainItem,
  explainItemById,
  regenerateItem,
  regenerateItemById,
  skipItem,
  skipItemById,
} from "../domain/operations/items.ts";
import { publishItem, publishItemById } from "../domain/operations/publish_item.ts";
import type { Why } from "../domain/series/making/why.ts";
import type { Cure } from "../domain/series/making/hold.ts";
import { count } from "../domain/foundation/text.ts";
import { confirmPublishing } from "./confirm.ts";
import { onSlot, saveSeries, setSeriesActive } from "./merged.ts";
import { done, listOf, slotPictures } from "./shown.ts";
import { HINTS, READ, type Tool, tool, withScopes } from "./tool.ts";

const seriesSays = ({ id, name, mode, active }: Series) =>
  `${name} (${id}), ${mode}, ${active ? "active" : "paused"}.`;

/** The tool for each operation that `explain_item` may advise. */
const CURES: Record<Cure, string> = {
  approveItem: "approve_item",
  captionItem: "rewrite_caption",
  publishItem: "publish_item",
  regenerateItem: "regenerate_item",
  retryCreation: "retry_creation",
  skipItem: "skip_item",
  updateItem: "update_item",
  updateSeries: "save_series",
};

function whySays({ summary, todo }: Why): string {
  if (todo === null) return summary;
  const tool = todo.operation === null ? "" : ` (${CURES[todo.operation]})`;
  return `${summary} To do${tool}: ${todo.text}`;
}

export const SERIES_TOOLS: Readonly<Record<string, Tool>> = {
  list_series: tool({
    title: "List series",
    operation: withScopes(listAllSeries, READ),
    beyond: "Their slots come with get_series_queue.",
    hints: HINTS.read,
    say: listOf("series"),
  }),
  get_series_queue: tool({
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
  save_series: tool({
    title: "Save a series",
    operation: saveSeries,
    description:
      "Manual needs `theme`, `format` and `cadenceDays`; autopilot needs `goal`; fields " +
      "of the other mode are ignored. null clears a field. The next pass plans, within a quarter " +
      "of an hour; a change of cadence, hour, theme, goal, formats or account plans anew.",
    beyond: "Account ids: get_brand. To pause use set_series_active.",
    hints: { ...HINTS.save, idempotent: false },
    say: seriesSays,
  }),
  set_series_active: tool({
    title: "Pause or resume a series",
    operation: setSeriesActive,
    hints: { ...HINTS.save, destructive: false },
    say: seriesSays,
  }),
  simulate_series: tool({
    title: "Simulate a series",
    operation: simulateSeries,
    hints: { ...HINTS.read, openWorld: true },
    say: ({ slots }) => `${count(slots.length, "slot")} would be planned.`,
  }),
  run_autopilot_review: tool({
    title: "Review an autopilot series",
    operation: createReview,
    beyond: "Autopilot series only. Generates and publishes nothing.",
    hints: { ...HINTS.make, destructive: true },
    say: ({ rationale }) => rationale,
  }),
  adopt_playbook: tool({
    title: "Return to an earlier playbook",
    operation: adoptReview,
    beyond: "Ids of reviews: get_series_queue. Autopilot series only.",
    hints: HINTS.save,
    say: seriesSays,
  }),
  skip_item: tool({
    title: "Skip a slot",
    operation: onSlot(skipItem, skipItemById),
    beyond: "Can't be undone.",
    hints: HINTS.remove,
    say: done,
  }),
  regenerate_item: tool({
    title: "Regenerate a slot",
    operation: onSlot(regenerateItem, regenerateItemById),
    beyond: "generate_item makes them now.",
    hints: HINTS.remove,
    say: done,
  }),
  generate_item: tool({
    title: "Generate a slot now",
    operation: onSlot(generateItem, generateItemById),
    beyond: "Publishes nothing. Still generating after that: look again with get_series_queue.",
    hints: HINTS.make,
    say: ({ id, status, error }) => `${id} is ${status}${error === null ? "" : `: ${error}`}.`,
    pictures: slotPictures,
  }),
  rewrite_caption: tool({
    title: "Rewrite a slot's caption",
    operation: onSlot(captionItem, captionItemById),
    beyond: "Publishes nothing.",
    hints: { ...HINTS.save, idempotent: false, openWorld: true },
    say: ({ caption }) => caption,
  }),
  explain_item: tool({
    title: "Explain a slot",
    operation: onSlot(explainItem, explainItemById),
    beyond: "Says what to do and which tool does it, and does nothing.",
    hints: HINTS.read,
    say: whySays,
  }),
  publish_item: tool({
    title: "Publish a slot",
    operation: onSlot(publishItem, publishItemById),
    description:
      "Waits up to 25 seconds: `published` with its address, or `publishing` while the " +
      "platform is still at work. conflict: the platform refused, in its words, or the content is " +
      "not that of `expectedHash`. serviceUnavailable: the platform did not take the post or did " +
      "not say; nothing is ever sent twice without looking first.",
    beyond: "The only tool that posts publicly at once, and it can't be undone here.",
    hints: HINTS.publish,
    confirm: confirmPublishing,
    say: ({ status, url }) => url === null ? `It is ${status}.` : `It is ${status}: ${url}`,
  }),
};
