/** The tour through scheduled posts: one-off ones, changes, approval, the brand, accounts and key. */
import { DAY, iso } from "../../domain/foundation/calendar.ts";
import type { Tour } from "./tour.ts";
import { IMAGE, OVERLAY, type Settled } from "./tour_scene.ts";

/** Through the REST rows. */
export async function itemsTour(tour: Tour, { account }: Settled): Promise<void> {
  for (const what of ["brand", "accounts", "key"]) await tour.rest(`GET /v1/${what}`);
  const { id: creation } = await tour.rest("POST /v1/creations", { body: IMAGE });
  await tour.working(Promise.resolve());
  const make = (body: object) => tour.rest("POST /v1/items", { body });
  const scheduledFor = iso(tour.t.service.now() + DAY);
  const fields = { caption: "Once", scheduledFor, socialAccountId: account };
  const { id } = await make({ ...fields, creationIds: [creation], needsApproval: true });
  await make({ ...fields, format: "carousel", creationIds: [creation] });
  const of = (verb: string, what = "", body?: object) =>
    tour.rest(`${verb} /v1/items/${id}${what}`, body === undefined ? {} : { body });
  await of("GET");
  await of("GET", "/why");
  await of("POST", "/validate");
  await of("PATCH", "", { hashtags: ["Loaf"], altText: "A bicycle", overlay: OVERLAY });
  await of("PATCH", "", { scheduledFor: "2020-01-01T00:00:00Z" });
  await of("POST", "/approve", {});
  await of("POST", "/approve", { expectedHash: "another" });
  await tour.rest("GET /v1/items?status=ready&perPage=1");
  await of("POST", "/unapprove");
  await of("POST", "/caption");
  const body = { ids: [id, "slt_x"], verb: "approve" };
  const headers = { "idempotency-key": "batch" };
  for (let sent = 0; sent < 2; sent++) await tour.rest("POST /v1/items/batch", { body, headers });
  await tour.rest(`POST /v1/items/${id}/publish`, { working: true });
  await of("GET");
  await of("DELETE");
  const other = await make({ ...fields, creationIds: [creation], format: "story" });
  const act = (verb: string, working = false) =>
    tour.rest(`POST /v1/items/${other.id}/${verb}`, { working });
  await act("regenerate");
  await act("generate", true);
  await act("skip");
  await tour.rest("GET /v1/items?perPage=2&page=2");
  await tour.rest(`DELETE /v1/items/${other.id}`);
}

/** Through the tools. */
export async function itemTools(tour: Tour, { account }: Settled): Promise<void> {
  await tour.tool("list_accounts");
  await tour.tool("list_events", { limit: 1 });
  await tour.tool("list_events", { after: "evt_x" });
  await tour.tool("get_key");
  await tour.tool("list_items", { perPage: 1 });
  const { id: creation } = await tour.tool("generate_image", IMAGE);
  await tour.working(Promise.resolve());
  const fields = { creationIds: [creation], caption: "Once", socialAccountId: account };
  const { id } = await tour.tool("create_item", fields);
  await tour.tool("get_item", { id });
  await tour.tool("update_item", { id, caption: "Twice", needless: true });
  await tour.tool("validate_item", { id });
  await tour.tool("approve_item", { id });
  await tour.tool("approve_item", { id, approved: false });
  await tour.tool("batch_items", { ids: [id], verb: "regenerate" });
  await tour.tool("explain_item", { itemId: id });
  await tour.tool("delete_item", { id });
}
