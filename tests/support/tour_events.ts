/** The tour through the rows of events and webhooks. */
import type { Tour } from "./tour.ts";

/** The receiver, which takes whatever it is sent. */
export const RECEIVER = "https://receiver.example/hook";

export async function eventsTour(tour: Tour): Promise<void> {
  const feed = (query: string) => tour.rest(`GET /v1/events${query}`);
  const { nextAfter } = await feed("?limit=1");
  await feed(`?after=${nextAfter}&limit=1&types=creation.completed&wait=1`);
  for (const wrong of ["?types=creation", "?after=evt_x", "?limit=101", "?wait=61"]) {
    await feed(wrong);
  }

  const create = (body: unknown) => tour.rest("POST /v1/webhooks", { body });
  const { id } = await create({ url: RECEIVER, types: ["item.published"], description: "Ours" });
  await create({ url: "http://receiver.example/hook" });
  await create({ url: RECEIVER, types: ["item.deleted"] });
  const of = (verb: string, what = "") => `${verb} /v1/webhooks/${id}${what}`;
  await tour.rest("GET /v1/webhooks");
  await tour.rest(of("GET"));
  await tour.rest(of("POST", "/test"), { working: true });
  const { data: [sent] } = await tour.rest(of("GET", "/deliveries"));
  await tour.rest(of("POST", `/deliveries/${sent.id}/replay`), { working: true });
  await tour.rest(of("POST", "/deliveries/dlv_x/replay"));
  await tour.rest(of("POST", "/replay"), { body: { since: "2026-11-01T00:00:00Z" } });
  await tour.rest(of("POST", "/replay"), { body: { since: "yesterday" } });
  await tour.rest(of("POST", "/rotate"));
  await tour.rest(of("PATCH"), { body: { types: [], active: false } });
  await tour.rest(of("POST", "/test"));
  await tour.rest(of("PATCH"), { body: { url: "ftp://receiver.example" } });
  await tour.rest(of("DELETE"));
  await tour.rest(of("DELETE"));
}
