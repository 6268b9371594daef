/** The tour through every row of the REST table: what works, and what is refused. */
import { assertEquals } from "@std/assert";
import { DAY } from "../../domain/foundation/calendar.ts";
import type { TestBrand } from "./service.ts";
import { ROWS, SOURCE, type Tour } from "./tour.ts";
import { eventsTour } from "./tour_events.ts";
import { itemsTour } from "./tour_items.ts";
import {
  DAILY,
  GROWTH,
  IMAGE,
  ordered,
  OVERLAY,
  put,
  settle,
  type Settled,
  slotOf,
} from "./tour_scene.ts";

export async function restTour(tour: Tour): Promise<void> {
  const brand = await settle(tour, "bakery");
  await tour.rest("GET /healthz");
  await posts(tour);
  await kit(tour);
  const cast = await library(tour);
  await creations(tour, cast);
  await series(tour, brand, cast);
  await passed(tour, brand);
  await itemsTour(tour, brand);
  await eventsTour(tour);
  await refusals(tour, brand);
}

async function posts(tour: Tour): Promise<void> {
  const list = (query: string) => tour.rest(`GET /v1/posts${query}`);
  const { data } = await list("?perPage=2");
  for (
    const query of [
      "?page=3&perPage=2",
      "?page=9",
      "?q=dough",
      "?q=hidden",
      "?from=2026-11-01&to=2026-11-12",
      "?platform=linkedin",
      "?format=reel&platform=instagram",
      "?hashtag=day2",
      "?sort=engagementRate&dir=asc&perPage=3",
      "?sort=clicks&perPage=3",
      "?perPage=101",
      "?page=0",
      "?page=1&page=2",
      "?from=2026-02-30",
      "?sort=likes",
    ]
  ) await list(query);
  await tour.rest(`GET /v1/posts/${data[0].id}`);
  await tour.rest(`GET /v1/posts/${data[1].id}`);
  await tour.rest("GET /v1/posts/post_x");
  assertEquals(await tour.rest("HEAD /v1/posts?perPage=1"), undefined);
}

async function kit(tour: Tour): Promise<void> {
  const put = (body: unknown) => tour.rest("PUT /v1/brand-kit", { body });
  const hook = "https://discord.com/api/webhooks/1234567890/a_token-of-ours";
  await tour.rest("GET /v1/brand-kit");
  await put({ baseStylePrompt: "Warm film look.", discordWebhookUrl: hook });
  await tour.rest("GET /v1/brand-kit");
  await put({ baseStylePrompt: "Half of it" });
  await put({ baseStylePrompt: "", discordWebhookUrl: "https://elsewhere.example/hook" });
  await put({ baseStylePrompt: "Warm film look.", discordWebhookUrl: "" });
  await tour.rest("GET /v1/brand/colors");
  await tour.rest("GET /v1/credits");
}

/** Assets and a cast member, whose id it answers. */
async function library(tour: Tour): Promise<string> {
  const add = (body: unknown) => tour.rest("POST /v1/assets", { body });
  const start = (body: object) =>
    tour.rest("POST /v1/assets/uploads", {
      body: { contentType: "image/jpeg", size: tour.upload.length, ...body },
    });
  const upload = await start({ kind: "castReference", name: "Jane" });
  await add({ key: upload.key, url: upload.url });
  assertEquals(await put(tour, upload), 200);
  const photo = await add({ key: upload.key, url: upload.url });
  await add({ key: upload.key, url: upload.url });
  await start({ kind: "logo", name: "Big", size: 11 * 1024 * 1024 });
  await start({ kind: "logo", name: "Moving", contentType: "image/gif" });
  const mood = await add({ kind: "inspiration", name: "Mood", sourceUrl: SOURCE });
  await add({ kind: "logo", name: "Logo", sourceUrl: SOURCE, isPrimary: true });
  await add({ kind: "inspiration", name: "Mood", sourceUrl: SOURCE, isPrimary: true });
  await add({ kind: "inspiration", name: "Inside", sourceUrl: "http://10.0.0.1/a.jpg" });
  await tour.rest("GET /v1/assets");
  await tour.rest("GET /v1/assets?kind=logo");
  await tour.rest("GET /v1/brand/colors");
  await tour.rest("GET /v1/assets?kind=photo");
  await tour.rest(`DELETE /v1/assets/${mood.id}`);
  await tour.rest(`DELETE /v1/assets/${mood.id}`);

  const member = { name: "Jane", lookPrompt: "Grey braid, red scarf" };
  const cast = (body: unknown) => tour.rest("POST /v1/cast-members", { body });
  const { id } = await cast({ ...member, referenceAssetIds: [photo.id] });
  const other = await cast({ ...member, name: "John", lifestylePrompt: "Rows at dawn" });
  await cast({ name: "No look" });
  await cast({ ...member, referenceAssetIds: [mood.id] });
  await tour.rest("GET /v1/cast-members");
  await tour.rest(`GET /v1/cast-members/${id}`);
  await tour.rest(`PATCH /v1/cast-members/${id}`, { body: { lifestylePrompt: "Bakes at night" } });
  await tour.rest(`PATCH /v1/cast-members/${id}`, { body: { name: "" } });
  await tour.rest(`DELETE /v1/cast-members/${other.id}`);
  await tour.rest(`GET /v1/cast-members/${other.id}`);
  return id;
}

async function creations(tour: Tour, castMemberId: string): Promise<void> {
  const compose = (body: unknown) => tour.rest("POST /v1/creations/compose", { body });
  await compose({ idea: "Dawn at the bakery" });
  await compose({ idea: "A bicycle", castMemberId });
  await compose({ idea: " " });
  await compose({ idea: "A bicycle", castMemberId: "cst_x" });

  const create = (body: unknown, headers?: Record<string, string>) =>
    tour.rest("POST /v1/creations", { body, ...headers && { headers } });
  const once = { "idempotency-key": "one" };
  const { id } = await create({ ...IMAGE, overlay: OVERLAY, castMemberId }, once);
  await create({ ...IMAGE, overlay: OVERLAY, castMemberId }, once);
  await create({ ...IMAGE, idea: "another" }, once);
  await create({ ...IMAGE, aspectRatio: "wide" });
  const of = (verb: string, what = "") => `${verb} /v1/creations/${id}${what}`;
  await tour.rest(of("GET"));
  await tour.rest(of("POST", "/overlay"), { body: { overlay: null } });
  await tour.rest(of("GET", "?wait=60"), { working: true });
  await tour.rest(of("GET", "?wait=61"));
  await tour.rest(of("POST", "/overlay"), { body: { overlay: null } });
  await tour.rest(of("POST", "/overlay"), { body: { overlay: { ...OVERLAY, showLogo: false } } });
  await tour.rest(of("POST", "/overlay"), { body: { overlay: { template: "x", text: "" } } });
  await tour.rest(of("POST", "/retry"));

  tour.model.fails = true;
  const broken = await create({ ...IMAGE, aspectRatio: "story" });
  await tour.rest(`GET /v1/creations/${broken.id}?wait=60`, { working: true });
  tour.model.fails = false;
  await tour.rest(`POST /v1/creations/${broken.id}/retry`);
  await tour.rest(`GET /v1/creations/${broken.id}?wait=60`, { working: true });
  await tour.rest("GET /v1/creations");
  await tour.rest("GET /v1/creations?page=2&perPage=1");
  await tour.rest("GET /v1/creations?page=0");
  await tour.rest(of("DELETE"));
  await tour.rest(of("DELETE"));
  await tour.rest("GET /v1/credits");
}

async function series(tour: Tour, brand: Settled, cast: string) {
  const create = (body: unknown) => tour.rest("POST /v1/series", { body });
  const { id } = await create({ ...DAILY, socialAccountId: brand.account });
  await create({ name: "No rule", mode: "manual" });
  await create({ mode: "autopilot" });
  await create({ ...DAILY, socialAccountId: "soc_x" });
  const of = (verb: string, what = "") => `${verb} /v1/series/${id}${what}`;
  await tour.rest(of("GET"));
  await tour.rest(of("POST", "/simulate"), { body: { days: 3 } });
  await tour.pass(brand.brand.id);
  const before = await tour.rest(of("GET"));
  const ready = slotOf(before, "ready").id;
  const planned = slotOf(before, "planned").id;
  const act = (item: string, verb: string, working = false) =>
    tour.rest(of("POST", `/items/${item}/${verb}`), { working });
  const why = (item: string) => tour.rest(of("GET", `/items/${item}/why`));
  for (const item of [ready, planned, "slt_x"]) await why(item);
  for (const item of [ready, planned]) await act(item, "caption");
  await act(planned, "publish");
  await ordered(tour, "rateLimited");
  await act(ready, "publish", true);
  await why(ready);
  tour.t.turn(DAY / 12);
  await ordered(tour, "permission");
  await act(ready, "publish", true);
  await why(ready);
  tour.t.turn(DAY / 12);
  await act(ready, "publish", true);
  await why(ready);
  for (const verb of ["publish", "skip", "regenerate"]) await act(ready, verb);
  for (const verb of ["regenerate", "skip", "skip", "regenerate"]) await act(planned, verb);
  await tour.rest(of("POST", "/simulate"), { body: {} });
  await tour.rest(of("POST", "/simulate"));
  await tour.rest(of("POST", "/simulate"), { body: { days: 61 } });
  await tour.rest(of("POST", "/reviews"));
  const change = (body: unknown) => tour.rest(of("PATCH"), { body });
  await change({ castMemberId: cast, overlay: OVERLAY, caption: "" });
  await change({ cadenceDays: null });
  await change({ active: false, name: "Paused" });
  await tour.rest("GET /v1/series");
}

/** What a pass makes of a carousel, of a series whose images fail, and of an autopilot. */
async function passed(tour: Tour, { brand, account }: Settled) {
  const create = (body: unknown) => tour.rest("POST /v1/series", { body });
  const slides = { ...DAILY, name: "Slides", format: "carousel", overlay: OVERLAY, hourUtc: 20 };
  const carousel = await create({ ...slides, caption: "Fresh loaves today." });
  await tour.pass(brand.id);
  const made = slotOf(await tour.rest(`GET /v1/series/${carousel.id}`), "ready");
  const item = `/v1/series/${carousel.id}/items/${made.id}`;
  await tour.rest(`POST ${item}/publish`);
  await tour.rest(`POST ${item}/regenerate`);
  await tour.rest(`GET ${item}/why`);
  await tour.pass(brand.id);
  await tour.rest(`GET /v1/series/${carousel.id}`);
  await tour.rest(`DELETE /v1/series/${carousel.id}`);
  await tour.rest(`GET /v1/series/${carousel.id}`);

  // One image only: how often several that fail tell their slot is a matter of chance.
  const story = await create({ ...DAILY, name: "Stories", format: "story", hourUtc: 21 });
  tour.model.fails = true;
  await tour.pass(brand.id);
  tour.model.fails = false;
  const held = slotOf(await tour.rest(`GET /v1/series/${story.id}`), "held");
  await tour.rest(`GET /v1/series/${story.id}/items/${held.id}/why`);
  await tour.rest(`POST /v1/creations/${held.creations[0].id}/retry`);
  await tour.working(Promise.resolve());
  await tour.rest(`GET /v1/series/${story.id}/items/${held.id}/why`);
  await tour.rest(`DELETE /v1/series/${story.id}`);

  const { id } = await create({ ...GROWTH, socialAccountId: account });
  const review = await tour.rest(`POST /v1/series/${id}/reviews`);
  await tour.rest(`POST /v1/series/${id}/reviews/${review.id}/adopt`);
  await tour.rest(`POST /v1/series/${id}/reviews/rev_x/adopt`);
  await tour.rest(`POST /v1/series/${id}/simulate`, { body: { days: 10 } });
  await tour.pass(brand.id);
  await tour.rest(`GET /v1/series/${id}`);
  await tour.rest(`PATCH /v1/series/${id}`, { body: { postsPerWeek: null, guidance: "Short" } });
  await tour.rest(`PATCH /v1/series/${id}`, { body: { postsPerWeek: 21 } });
  await tour.rest(`PATCH /v1/series/${id}`, { body: { mode: "manual" } });
  await tour.rest(`DELETE /v1/series/${id}`);
}

/** Bodies of rows that refuse an empty one before they look for the id. */
const BODIES: Record<string, unknown> = {
  "/v1/creations/{id}/overlay": { overlay: null },
  "/v1/webhooks/{id}/replay": { since: "2026-11-01T00:00:00Z" },
};

/** Each row without a key, without its scope, and with ids of nothing or nothing in the body. */
async function refusals(tour: Tour, { brand, secret }: TestBrand): Promise<void> {
  const bare = (await tour.t.key(brand.id, ["brandsWrite"])).secret;
  const keys = { "without a key": null, "without its scope": bare, "with nothing": secret };
  for (const [title, key] of Object.entries(keys)) {
    tour.secret = key;
    const rows = ROWS.filter((row) => key !== secret || !/^GET [^{]*$/.test(row));
    const sent = (row: string) => {
      const body = BODIES[row.split(" ")[1]!] ?? {};
      return tour.rest(
        row.replaceAll(/\{\w+\}/g, "nothing"),
        row.startsWith("GET") ? {} : { body },
      );
    };
    const calls = rows.map((row) => [row, () => sent(row)]);
    await tour.sweep(`every row ${title}`, Object.fromEntries(calls));
  }
  for (const path of new Set(ROWS.map((row) => row.split(" ")[1]!))) {
    await tour.rest(`OPTIONS ${path.replaceAll(/\{\w+\}/g, "nothing")}`);
  }
  await tour.rest("GET /v1/nothing");
  await tour.rest("GET /nothing");
  await tour.rest("POST /v1/openapi.json", { body: {} });
}
