/**
 * The outbox: what others wait for is stored as an event in the commit of the fact, so neither is ever
 * there without the other. No check is needed, because an event's id is new.
 *
 * Readers go on after the last event that they have seen, so an event must never appear before one
 * that they know. Ids don't promise that: they are made before the commit, by processes whose clocks
 * differ. So the order is the store's own: each commit writes the ids of its events under its
 * versionstamp, which the store hands out in the order in which it takes commits.
 */
import { DAY, iso } from "../foundation/calendar.ts";
import { newId } from "../foundation/ids.ts";
import type { EventData, EventType, StoredEvent } from "./event_types.ts";
import { jobsOf } from "./jobs/jobs.ts";
import type { Commit } from "./transact.ts";

export const EVENTS_KEPT_MS = 30 * DAY;

export const eventKey = (brandId: string, id: string): Deno.KvKey => ["event", brandId, id];
/** What a commit has added: under the brand and the commit's versionstamp. */
export const orderPrefix = (brandId: string): Deno.KvKey => ["eventOrder", brandId];
/** Written with each event, so that those who wait for one are woken. */
export const headKey = (brandId: string): Deno.KvKey => ["eventHead", brandId];
/** By id, the types that each of the brand's active webhooks wants; absent: there is none. */
export const wantedKey = (brandId: string): Deno.KvKey => ["webhookWants", brandId];

/** Ids and types of one commit's events. */
export type Ordered = [id: string, type: EventType][];

/** An empty list means all types. */
export type Wants = Record<string, EventType[]>;

export function isWanted(wants: EventType[], type: EventType): boolean {
  return wants.length === 0 || wants.includes(type);
}

export interface NewEvent<Type extends EventType> {
  brandId: string;
  type: Type;
  /** When it happened. Instant, ms. */
  at: number;
  data: EventData[Type];
}

/** The events of a commit that is being built, by brand. */
const pending = new WeakMap<Commit, Map<string, StoredEvent[]>>();

/** Adds an event to the commit of its fact. */
export function emit<Type extends EventType>(
  commit: Commit,
  { brandId, type, at, data }: NewEvent<Type>,
): void {
  const id = newId("event", at);
  const brands = pending.get(commit) ?? begin(commit);
  const event: StoredEvent = { id, type, createdAt: iso(at), brandId, data };
  brands.set(brandId, [...brands.get(brandId) ?? [], event]);
}

/** A commit that ends without a fact, or in a refusal, has no events either. */
function begin(commit: Commit): Map<string, StoredEvent[]> {
  const brands = new Map<string, StoredEvent[]>();
  pending.set(commit, brands);
  commit.before(async () => {
    for (const [brandId, events] of brands) await write(commit, brandId, events);
  });
  return brands;
}

async function write(commit: Commit, brandId: string, events: StoredEvent[]): Promise<void> {
  const kept = { expireIn: EVENTS_KEPT_MS };
  for (const event of events) commit.set(eventKey(brandId, event.id), event, kept);
  const ordered = events.map(({ id, type }) => [id, type]);
  commit.setInOrder(orderPrefix(brandId), ordered, kept);
  commit.set(headKey(brandId), null, kept);
  // Read without a check: a webhook that is made at this moment may or may not hear of it.
  const wants = (await commit.kv.get<Wants>(wantedKey(brandId))).value;
  if (wants === null) return;
  const eventIds = events
    .filter(({ type }) => Object.values(wants).some((types) => isWanted(types, type as EventType)))
    .map(({ id }) => id);
  if (eventIds.length === 0) return;
  await jobsOf(commit.kv)?.add(commit, { kind: "fanOut", brandId, subject: { eventIds } });
}
