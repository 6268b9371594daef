/** One brand's story, in which each row of the table works once: the examples of the reference. */
import { assert } from "@std/assert";
import { DAY, iso } from "../../domain/foundation/calendar.ts";
import { connectSandboxAccount } from "../../domain/platforms/sandbox_account.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { AUTOPILOT, IMAGE, OVERLAY, post, WEEKLY } from "./example_scene.ts";
import { events } from "./example_events.ts";
import type { ExampleRecorder } from "./examples.ts";
import { SOURCE } from "./tour.ts";
import { put, slotOf } from "./tour_scene.ts";

/** Tells the story; answers the brand's id. */
export async function story(x: ExampleRecorder): Promise<string> {
  const { t } = x.tour;
  const made = await t.brand();
  const brandId = made.brand.id;
  await upsertPosts(t.service, brandId, Array.from({ length: 16 }, (_, at) => post(at)));
  const account = await connectSandboxAccount(
    t.service,
    brandId,
    "instagram",
    "lanternfold.coffee",
  );
  x.tour.secret = made.secret;
  await x.tour.tool("update_organization", { id: brandId, name: "Lanternfold Coffee" });
  await posts(x);
  await insights(x);
  await brand(x);
  const castMemberId = await library(x);
  await creations(x, castMemberId);
  await items(x, account.id);
  await series(x, brandId, account.id);
  await events(x);
  return brandId;
}

async function posts(x: ExampleRecorder): Promise<void> {
  const few = { platform: "instagram", sort: "engagementRate", perPage: "1" };
  const { data: [best] } = await x.done("GET /v1/posts", { query: few });
  await x.refused("GET /v1/posts", { query: { perPage: "101" } });
  const path = { id: best.id };
  await x.done("GET /v1/posts/{id}", { path });
  await x.done("GET /v1/posts/{id}/readings", { path, query: { asOf: "2026-11-20" } });
  await x.done("GET /v1/posts/{id}/readings.csv", { path, query: { asOf: "2026-11-20" } });
  await x.refused("GET /v1/posts/{id}/readings.csv", { path, query: { asOf: "2026-02-30" } });
  await x.done("GET /v1/posts/{id}/standing", { path });
  const query = { from: "2026-11-10", hashtag: "harbour" };
  for (const name of ["posts.csv", "posts.ndjson", "readings.ndjson"]) {
    await x.done(`GET /v1/${name}`, { query });
    await x.refused(`GET /v1/${name}`, { query: { from: "2026-02-30" } });
  }
}

async function insights(x: ExampleRecorder): Promise<void> {
  const of = (what: string) => `GET /v1/insights/${what}`;
  const month = { from: "2026-10-01", to: "2026-10-31" };
  await x.done(of("summary"), { query: month });
  await x.refused(of("summary"), { query: { from: month.to, to: month.from } });
  const days = { metric: "engagement", from: "2026-11-10", to: "2026-11-12" };
  await x.done(of("timeline"), { query: days });
  await x.refused(of("timeline"), { query: { ...days, metric: "mood" } });
  await x.done(of("when"), { query: { platform: "instagram" } });
  await x.refused(of("when"), { query: { platform: "myspace" } });
  await x.done(of("compare"), { query: { by: "format" } });
  await x.refused(of("compare"), { query: { by: "luck" } });
}

async function brand(x: ExampleRecorder): Promise<void> {
  await x.done("GET /v1/brand");
  await x.done("GET /v1/accounts");
  await x.done("GET /v1/key");
  const kit = {
    baseStylePrompt: "Warm, low morning light. Deep night blue, paper cream and copper.",
    discordWebhookUrl: "",
    timeZone: "Europe/Berlin",
    colors: ["#1d2b36", "#f6ead7", "#c9763f"],
  };
  await x.done("PUT /v1/brand-kit", { body: kit });
  const elsewhere = { ...kit, discordWebhookUrl: "https://elsewhere.example/hook" };
  await x.refused("PUT /v1/brand-kit", { body: elsewhere });
  await x.done("GET /v1/brand-kit");
  await x.done("GET /v1/credits");
}

/** Assets and a cast member, whose id it answers. */
async function library(x: ExampleRecorder): Promise<string> {
  const file = { contentType: "image/jpeg", size: x.tour.upload.length };
  const photo = { kind: "castReference", name: "Mira at the roaster", ...file };
  const upload = await x.done("POST /v1/assets/uploads", { body: photo });
  await x.refused("POST /v1/assets/uploads", { body: { ...photo, contentType: "image/gif" } });
  await put(x.tour, upload);
  const body = { key: upload.key, url: upload.url };
  const reference = await x.tour.rest("POST /v1/assets", { body });
  const counter = { kind: "inspiration", name: "Counter at first light", sourceUrl: SOURCE };
  const asset = await x.done("POST /v1/assets", { body: counter });
  await x.refused("POST /v1/assets", { body: { kind: "logo", name: "No address" } });
  await x.tour.rest("POST /v1/assets", { body: { ...counter, kind: "logo", name: "Lantern" } });
  await x.done("GET /v1/brand/colors");
  await x.done("GET /v1/assets", { query: { kind: "castReference" } });
  await x.refused("GET /v1/assets", { query: { kind: "photo" } });
  await x.done("DELETE /v1/assets/{id}", { path: { id: asset.id } });
  const mira = {
    name: "Mira, head roaster",
    lookPrompt: "Mira, about forty, short dark curly hair, round copper glasses, sage green apron",
    referenceAssetIds: [reference.id],
  };
  const { id } = await x.done("POST /v1/cast-members", { body: mira });
  await x.refused("POST /v1/cast-members", { body: { name: "No look" } });
  await x.done("GET /v1/cast-members");
  const path = { id };
  await x.done("GET /v1/cast-members/{id}", { path });
  await x.done("PATCH /v1/cast-members/{id}", {
    path,
    body: { lifestylePrompt: "Tastes every batch, laughs easily" },
  });
  await x.refused("PATCH /v1/cast-members/{id}", { path, body: { name: "" } });
  const guest = await x.tour.rest("POST /v1/cast-members", { body: { ...mira, name: "A guest" } });
  await x.done("DELETE /v1/cast-members/{id}", { path: { id: guest.id } });
  return id;
}

async function creations(x: ExampleRecorder, castMemberId: string): Promise<void> {
  await x.done("POST /v1/creations/compose", { body: { idea: IMAGE.idea, castMemberId } });
  await x.refused("POST /v1/creations/compose", { body: { idea: " " } });
  const body = { ...IMAGE, overlay: OVERLAY };
  const headers = { "Idempotency-Key": "first-cup-1" };
  const { id } = await x.done("POST /v1/creations", { body, headers });
  await x.refused("POST /v1/creations", { body: { ...body, aspectRatio: "wide" } });
  await x.refused("POST /v1/creations", { body: { ...body, idea: "Another" }, headers });
  const path = { id };
  await x.done("GET /v1/creations/{id}", { path, query: { wait: "60" }, working: true });
  const overlay = { ...OVERLAY, text: "Tasting on Sunday" };
  await x.done("POST /v1/creations/{id}/overlay", { path, body: { overlay } });
  await x.refused("POST /v1/creations/{id}/overlay", { path, body: { overlay: { text: "" } } });
  await x.done("GET /v1/creations", { query: { perPage: "1" } });
  await x.refused("GET /v1/creations", { query: { page: "0" } });
  const other = await failed(x);
  await x.done("POST /v1/creations/{id}/retry", { path: { id: other } });
  await x.refused("POST /v1/creations/{id}/retry", { path });
  await x.tour.working(Promise.resolve());
  await x.done("DELETE /v1/creations/{id}", { path: { id: other } });
}

/** A creation that the model refused. */
async function failed(x: ExampleRecorder): Promise<string> {
  x.tour.model.fails = true;
  const { id } = await x.tour.rest("POST /v1/creations", { body: IMAGE });
  await x.tour.working(Promise.resolve());
  x.tour.model.fails = false;
  return id;
}

async function items(x: ExampleRecorder, socialAccountId: string): Promise<void> {
  const picture = async () => {
    const { id } = await x.tour.rest("POST /v1/creations", { body: IMAGE });
    await x.tour.working(Promise.resolve());
    return id;
  };
  const scheduledFor = iso(x.tour.t.service.now() + 5 * DAY).replace(/T.*/, "T08:00:00.000Z");
  const later = scheduledFor.replace("T08", "T09");
  const fields = {
    caption: "The first cup is on us this Saturday.",
    hashtags: ["coffee", "tasting"],
    scheduledFor,
    socialAccountId,
    needsApproval: true,
  };
  const body = { creationIds: [await picture()], ...fields };
  const item = await x.done("POST /v1/items", { body });
  await x.refused("POST /v1/items", { body: { ...body, format: "carousel" } });
  const path = { id: item.id };
  const of = (verb: string, what = "") => `${verb} /v1/items/{id}${what}`;
  await x.done(of("GET"), { path });
  await x.done("GET /v1/items", {
    query: { from: "2026-11-16", to: "2026-11-30", status: "ready" },
  });
  await x.refused("GET /v1/items", { query: { status: "done" } });
  const change = { caption: "The first cup is on us on Saturday, from nine.", altText: "A cup." };
  const changed = await x.done(of("PATCH"), { path, body: change });
  await x.refused(of("PATCH"), { path, body: { scheduledFor: "2020-01-01T08:00:00Z" } });
  await x.done(of("POST", "/validate"), { path });
  const expectedHash = changed.contentHash;
  await x.done(of("POST", "/approve"), { path, body: { expectedHash } });
  await x.refused(of("POST", "/approve"), { path, body: { expectedHash: item.contentHash } });
  await x.done(of("GET", "/why"), { path });
  await x.done(of("POST", "/unapprove"), { path, body: {} });
  await x.refused(of("POST", "/unapprove"), { path, body: { expectedHash: item.contentHash } });
  await x.done(of("POST", "/caption"), { path });
  const ids = [item.id, "slt_01KA0000000000000000000000"];
  await x.done("POST /v1/items/batch", { body: { ids, verb: "approve" } });
  await x.refused("POST /v1/items/batch", { body: { ids: [], verb: "skip" } });
  await x.done(of("POST", "/publish"), { path, body: {}, working: true });
  for (const verb of ["caption", "publish"]) await x.refused(of("POST", `/${verb}`), { path });
  const other = await x.tour.rest("POST /v1/items", {
    // Another time, because ids are made from it, and chance is switched off here.
    body: { ...fields, creationIds: [await picture()], scheduledFor: later },
  });
  const second = { id: other.id };
  await x.done(of("POST", "/regenerate"), { path: second });
  await x.done(of("POST", "/generate"), { path: second, working: true });
  await x.refused(of("POST", "/generate"), { path: second });
  await x.done(of("POST", "/skip"), { path: second });
  await x.refused(of("POST", "/regenerate"), { path: second });
  await x.done(of("DELETE"), { path: second });
  await x.refused(of("DELETE"), { path });
  await x.refused(of("POST", "/skip"), { path });
}

async function series(x: ExampleRecorder, brandId: string, socialAccountId: string) {
  const body = { ...WEEKLY, socialAccountId };
  const { id } = await x.done("POST /v1/series", { body });
  await x.refused("POST /v1/series", { body: { name: "No rule", mode: "manual" } });
  await x.tour.pass(brandId);
  const of = (verb: string, what = "") => `${verb} /v1/series/{id}${what}`;
  const path = { id };
  const shown = await x.tour.rest(`GET /v1/series/${id}`);
  const ready = { id, itemId: slotOf(shown, "ready").id };
  const planned = { id, itemId: slotOf(shown, "planned").id };
  const item = (what: string) => of("POST", `/items/{itemId}/${what}`);
  await x.done(of("GET", "/items/{itemId}/why"), { path: ready });
  await x.done(item("caption"), { path: ready });
  await x.refused(item("caption"), { path: planned });
  await x.done(item("publish"), { path: ready, working: true });
  await x.refused(item("publish"), { path: planned });
  await x.done(item("skip"), { path: planned });
  await x.refused(item("skip"), { path: ready });
  await x.done(of("PATCH"), { path, body: { cadenceDays: 7, overlay: OVERLAY } });
  await x.refused(of("PATCH"), { path, body: { cadenceDays: 0 } });
  await x.done(of("POST", "/simulate"), { path, body: { days: 7 } });
  await x.refused(of("POST", "/simulate"), { path, body: { days: 61 } });
  await autopilot(x, brandId, socialAccountId, ready);
  await x.done("GET /v1/series");
  await x.tour.rest(`PATCH /v1/series/${id}`, { body: { active: false } });
  const unwanted = await x.tour.rest("POST /v1/series", { body: { ...body, name: "A mistake" } });
  await x.done(of("DELETE"), { path: { id: unwanted.id } });
}

async function autopilot(
  x: ExampleRecorder,
  brandId: string,
  socialAccountId: string,
  published: { id: string; itemId: string },
) {
  const { id } = await x.tour.rest("POST /v1/series", { body: { ...AUTOPILOT, socialAccountId } });
  const path = { id };
  const review = await x.done("POST /v1/series/{id}/reviews", { path });
  const adopt = "POST /v1/series/{id}/reviews/{reviewId}/adopt";
  await x.done(adopt, { path: { id, reviewId: review.id } });
  await x.tour.pass(brandId);
  const shown = await x.done("GET /v1/series/{id}", { path });
  const waiting = shown.items.find(({ status }: { status: string }) => status === "ready");
  assert(waiting, "no post of the autopilot is ready");
  const ready = { id, itemId: waiting.id };
  const regenerate = "POST /v1/series/{id}/items/{itemId}/regenerate";
  await x.done(regenerate, { path: ready });
  await x.refused(regenerate, { path: published });
  await x.refused("POST /v1/series/{id}/reviews", { path: { id: published.id } });
}
