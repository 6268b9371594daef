/** The tools on posts over all series, on accounts and on the key. Data only. */
import { listAccounts } from "../domain/operations/accounts.ts";
import { batchItems, validateItem } from "../domain/operations/approval.ts";
import {
  createItem,
  deleteItem,
  getItem,
  listItems,
  updateItem,
} from "../domain/operations/calendar.ts";
import { listEvents } from "../domain/operations/events.ts";
import { getKey } from "../domain/operations/key.ts";
import type { Slot } from "../domain/series/shape.ts";
import { count } from "../domain/foundation/text.ts";
import { setApproval } from "./merged.ts";
import { done, pageOf, slotPictures } from "./shown.ts";
import { HINTS, type Tool, tool } from "./tool.ts";

const itemSays = ({ id, status, scheduledFor, error }: Slot) =>
  `${id} is ${status}, for ${scheduledFor}${error === null ? "." : `: ${error}`}`;

export const ITEM_TOOLS: Readonly<Record<string, Tool>> = {
  list_items: tool({
    title: "List scheduled posts",
    operation: listItems,
    beyond: "The calendar. get_series_queue has one series with its reviews.",
    hints: HINTS.read,
    say: pageOf("post"),
    pictures: ({ data }) => data.flatMap(slotPictures),
  }),
  get_item: tool({
    title: "Get a scheduled post",
    operation: getItem,
    beyond: "Hand its contentHash to publish_item and approve_item as expectedHash.",
    hints: HINTS.read,
    say: itemSays,
    pictures: slotPictures,
  }),
  create_item: tool({
    title: "Schedule a one-off post",
    operation: createItem,
    description:
      "With `creationIds` (complete; free) it is ready at once; `prompts` make its images " +
      "now, a credit each. Exactly one of the two: 1 for a post or story, 3 to 10 for a carousel. A " +
      "caption that is left out is written. It is published at its time when it has an account.",
    beyond: "For recurring posts use save_series.",
    hints: { ...HINTS.make, destructive: false },
    say: itemSays,
    pictures: slotPictures,
  }),
  update_item: tool({
    title: "Change a scheduled post",
    operation: updateItem,
    description:
      "What a person has set no pass overwrites. `creationIds` make a planned or held post " +
      "ready; so does a new time for one held because it was late, and a caption for one held for " +
      "want of it. A change of images, caption, hashtags or account takes back an approval.",
    beyond: "To have the caption written anew use rewrite_caption.",
    hints: HINTS.save,
    say: itemSays,
    pictures: slotPictures,
  }),
  delete_item: tool({
    title: "Delete a one-off post",
    operation: deleteItem,
    hints: HINTS.remove,
    say: done,
  }),
  approve_item: tool({
    title: "Approve a scheduled post",
    operation: setApproval,
    hints: { ...HINTS.save, destructive: false },
    say: ({ id, approvedAt }) =>
      approvedAt === null ? `${id} is not approved.` : `${id} is approved.`,
  }),
  batch_items: tool({
    title: "Change many scheduled posts",
    operation: batchItems,
    hints: HINTS.remove,
    say: ({ data }) => {
      const refused = data.filter(({ ok }) => !ok).length;
      return `${count(data.length - refused, "post")} changed, ${refused} refused.`;
    },
  }),
  validate_item: tool({
    title: "Check a scheduled post",
    operation: validateItem,
    hints: HINTS.read,
    say: ({ ok, problems }) =>
      ok ? "Nothing would be refused." : problems.map(({ message }) => message).join(" "),
  }),
  list_accounts: tool({
    title: "List accounts",
    operation: listAccounts,
    hints: HINTS.read,
    say: ({ data }) => {
      const risks = data.flatMap(({ atRisk }) => atRisk);
      return `${count(data.length, "account")}, ${count(risks.length, "risk")} for coming posts.`;
    },
  }),
  list_events: tool({
    title: "List events",
    operation: listEvents,
    beyond: "To follow an image or a post that takes long, wait here with its types.",
    hints: HINTS.read,
    say: ({ data }) =>
      data.length === 0
        ? "Nothing happened."
        : data.map(({ type, id }) => `${type} ${id}`).join(", "),
  }),
  get_key: tool({
    title: "Get the key",
    operation: getKey,
    hints: HINTS.read,
    say: ({ name, scopes }) => `${name} has the scopes ${scopes.join(", ")}.`,
  }),
};
