/** The feed of events: what happened, in order, for those who ask. */
import { z } from "zod";
import { type FeedPage, newestEvents, readFeed } from "../events/feed.ts";
import { invalid } from "../foundation/errors.ts";
import { Event, EventType } from "../kv/event_types.ts";
import { operation } from "./operation.ts";
import { waitFor } from "./waiting.ts";

const MOST_WAIT_S = 60;

/** Types as a list with commas, because a parameter may be sent only once. */
function typesFrom(text: string): EventType[] {
  return text.split(",").map((part) => part.trim()).filter((part) => part !== "").map((part) => {
    const { data, success } = EventType.safeParse(part);
    if (!success) throw invalid("types", `names no type of event: ${part.slice(0, 40)}`);
    return data;
  });
}

export const listEvents = operation({
  id: "listEvents",
  group: "Events",
  summary: "Read what happened after an event, oldest first; with `wait`, wait for the next one.",
  description: "Send `nextAfter` as `after` of the next request: no event is missed, and none is " +
    "answered twice. Without `after` it begins with the oldest; events are kept for 30 days. With " +
    "`wait` an empty answer is held until something happens, else until the seconds are over.",
  scopes: ["postsRead", "createRead"],
  costs: "request",
  errors: [],
  input: z.object({
    after: z.string().optional().describe("The id of the last event that was seen."),
    types: z.string().max(1_000).default("").describe(
      "Only these types, with commas: `creation.completed,item.published`. Empty: all.",
    ),
    limit: z.int().min(1).max(100).default(50),
    wait: z.int().min(0).max(MOST_WAIT_S).default(0).describe("Seconds to wait, 0 to 60."),
  }),
  output: z.object({
    data: z.array(Event),
    nextAfter: z.string().nullable().describe(
      "Send it as the next `after`; it is past events of other types, too. Null: there was none.",
    ),
  }),
  run: async (service, { after = null, types, limit, wait }) => {
    const query = { after, types: typesFrom(types), limit };
    return shown(await readFeed(service, service.brand.id, query, waitFor(service, wait)));
  },
});

/** Of `readNewestEvents`. */
const NEWEST = 50;

/** The same answer from its end: what agents read as a resource, which takes no arguments. */
export const readNewestEvents = operation({
  ...listEvents,
  id: "readNewestEvents",
  summary: "Read the newest 50 events, oldest first.",
  description: "Send `nextAfter` as `after` of `listEvents` to go on.",
  input: z.object({}),
  run: async ({ kv, brand }) => shown(await newestEvents(kv, brand.id, NEWEST)),
});

function shown({ events, nextAfter }: FeedPage) {
  const data = events.flatMap((event) => {
    // A newer version of the service may have stored types that this one does not know.
    const type = EventType.safeParse(event.type);
    return type.success ? [{ ...event, type: type.data }] : [];
  });
  return { data, nextAfter };
}
