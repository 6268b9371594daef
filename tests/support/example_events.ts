/** The part of the examples' story that tells of events and webhooks. */
import type { ExampleRecorder } from "./examples.ts";
import { RECEIVER } from "./tour_events.ts";

export async function events(x: ExampleRecorder): Promise<void> {
  const feed = "GET /v1/events";
  const { nextAfter } = await x.tour.rest(`${feed}?types=creation.completed&limit=1`);
  const next = { after: nextAfter, types: "creation.completed", limit: "1" };
  await x.done(feed, { query: next });
  await x.refused(feed, { query: { types: "creation.painted" } });

  const body = { url: RECEIVER, types: ["item.published"], description: "The shop's own site" };
  const { id } = await x.done("POST /v1/webhooks", { body });
  await x.refused("POST /v1/webhooks", { body: { url: "ftp://receiver.example" } });
  await x.done("GET /v1/webhooks");
  const path = { id };
  const of = (verb: string, what = "") => `${verb} /v1/webhooks/{id}${what}`;
  await x.done(of("GET"), { path });
  await x.done(of("POST", "/test"), { path, working: true });
  const { data: [sent] } = await x.done(of("GET", "/deliveries"), { path });
  const delivery = { id, deliveryId: sent.id };
  await x.done(of("POST", "/deliveries/{deliveryId}/replay"), { path: delivery, working: true });
  await x.done(of("POST", "/replay"), { path, body: { since: "2026-11-18T00:00:00Z" } });
  await x.refused(of("POST", "/replay"), { path, body: { since: "yesterday" } });
  await x.tour.working(Promise.resolve());
  await x.done(of("POST", "/rotate"), { path });
  await x.done(of("PATCH"), { path, body: { types: [] } });
  await x.refused(of("PATCH"), { path, body: { url: "ftp://receiver.example" } });
  const other = await x.tour.rest("POST /v1/webhooks", { body: { ...body, types: [] } });
  await x.done(of("DELETE"), { path: { id: other.id } });
}
