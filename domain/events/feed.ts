/** The feed: a brand's events in the order in which they were committed, and waiting for the next. */
import { invalid } from "../foundation/errors.ts";
import { instantOf, isId } from "../foundation/ids.ts";
import type { EventType, StoredEvent } from "../kv/event_types.ts";
import {
  eventKey,
  EVENTS_KEPT_MS,
  headKey,
  isWanted,
  type Ordered,
  orderPrefix,
} from "../kv/outbox.ts";
import { getEach } from "../kv/transact.ts";
import { awaitEntry, type WaitOptions } from "../kv/wait.ts";
import type { Service } from "../service/service.ts";

export interface FeedQuery {
  /** The last event that the reader has seen; null: from the oldest. */
  after: string | null;
  /** Empty: all types. */
  types: EventType[];
  limit: number;
}

export interface FeedPage {
  events: StoredEvent[];
  /** After which event to go on; null: there was none yet. */
  nextAfter: string | null;
}

/** A place between two events: after the first `taken` events of a commit, or at its start. */
interface Place {
  /** The commit's versionstamp. */
  stamp: string;
  taken: number;
}

/** Commits looked through for one page, so that a rare type does not read 30 days at once. */
const MOST_COMMITS = 2_000;
const BATCH = 200;

/**
 * The events after `after`, oldest first. An id that has expired means the oldest that is kept. While
 * there are none it waits, at most `waitMs` of real time.
 * @throws ServiceError `validationError` when `after` is not an event id
 */
export async function readFeed(
  { kv, now }: Pick<Service, "kv" | "now">,
  brandId: string,
  { after, types, limit }: FeedQuery,
  patience: WaitOptions,
): Promise<FeedPage> {
  const place = after === null ? null : await placeOf(kv, brandId, after, now());
  const start: Reached = { place, nextAfter: after, ids: [] };
  let reached = start;
  await awaitEntry(
    kv,
    headKey(brandId),
    // A look begins where the one before ended. So waiting for a rare type stays cheap.
    async () => reached = await lookOn(kv, brandId, reached, types, limit),
    ({ ids }) => ids.length > 0,
    { ...patience, brandId },
  );
  const { ids, nextAfter } = reached;
  const stored = await getEach<StoredEvent>(kv, ids.map((id) => eventKey(brandId, id)));
  // One that has expired since its order was read is left out.
  return { events: stored.filter((event) => event !== null), nextAfter };
}

async function placeOf(
  kv: Deno.Kv,
  brandId: string,
  after: string,
  at: number,
): Promise<Place | null> {
  if (!isId("event", after)) throw invalid("after", "must be the id of an event");
  const { versionstamp: stamp } = await kv.get(eventKey(brandId, after));
  if (stamp !== null) {
    const { value } = await kv.get<Ordered>([...orderPrefix(brandId), stamp]);
    const nth = value?.findIndex(([id]) => id === after) ?? -1;
    // Without an entry it is a webhook's test, which has a place, but is in no list.
    return { stamp, taken: nth + 1 };
  }
  // The store may delete an event some time after it has expired.
  if (instantOf(after) > at - EVENTS_KEPT_MS) {
    throw invalid("after", "is no event of this brand");
  }
  return null;
}

/** How far a reader has come, and the ids that it is to be given. */
interface Reached {
  place: Place | null;
  nextAfter: string | null;
  ids: string[];
}

async function lookOn(
  kv: Deno.Kv,
  brandId: string,
  { place, nextAfter }: Reached,
  types: EventType[],
  limit: number,
): Promise<Reached> {
  const prefix = orderPrefix(brandId);
  const reached: Reached = { place, nextAfter, ids: [] };
  const selector = place === null ? { prefix } : { prefix, start: [...prefix, place.stamp] };
  let commits = 0;
  for await (const { key, value } of kv.list<Ordered>(selector, { batchSize: BATCH })) {
    if (commits++ === MOST_COMMITS) break;
    const stamp = String(key.at(-1));
    let taken = stamp === place?.stamp ? place.taken : 0;
    for (const [id, type] of value.slice(taken)) {
      if (reached.ids.length === limit) return reached;
      if (isWanted(types, type)) reached.ids.push(id);
      reached.place = { stamp, taken: ++taken };
      reached.nextAfter = id;
    }
  }
  return reached;
}

/** The newest events, in order. */
export async function newestEvents(
  kv: Deno.Kv,
  brandId: string,
  limit: number,
): Promise<FeedPage> {
  const ids: string[] = [];
  const commits = kv.list<Ordered>({ prefix: orderPrefix(brandId) }, {
    reverse: true,
    batchSize: Math.min(limit, BATCH),
  });
  for await (const { value } of commits) {
    ids.unshift(...value.map(([id]) => id));
    if (ids.length >= limit) break;
  }
  const newest = ids.slice(-limit);
  const stored = await getEach<StoredEvent>(kv, newest.map((id) => eventKey(brandId, id)));
  return { events: stored.filter((event) => event !== null), nextAfter: newest.at(-1) ?? null };
}

/** All of the brand's events that are kept, in order. */
export async function* eachEvent(kv: Deno.Kv, brandId: string): AsyncGenerator<StoredEvent> {
  const commits = kv.list<Ordered>({ prefix: orderPrefix(brandId) }, { batchSize: BATCH });
  for await (const { value } of commits) {
    const stored = await getEach<StoredEvent>(kv, value.map(([id]) => eventKey(brandId, id)));
    yield* stored.filter((event) => event !== null);
  }
}
