/** The tour through every MCP tool and the other methods, and through what a small plan refuses. */
import { assertEquals } from "@std/assert";
import { Scope } from "../../domain/brands/keys.ts";
import { DAY } from "../../domain/foundation/calendar.ts";
import { PLANS } from "../../domain/brands/plans.ts";
import { rpcOf, SOURCE, TOOL_NAMES, type Tour } from "./tour.ts";
import type { TestBrand } from "./service.ts";
import { itemTools } from "./tour_items.ts";
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
import type { Json } from "./json.ts";

export async function mcpTour(tour: Tour): Promise<void> {
  const brand = await settle(tour, "mill");
  await handshake(tour);
  const { cast } = await library(tour);
  const image = await creations(tour, cast.id);
  await resources(tour, image);
  await series(tour, brand);
  await itemTools(tour, brand);
  await organizations(tour, brand);
  await refusals(tour, brand);
}

async function handshake(tour: Tour): Promise<void> {
  await tour.rpc("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "tour", version: "1.0.0" },
  });
  await tour.rpc("ping");
  await tour.rpc("nothing");
  const progress = { _meta: { progressToken: 1 } };
  await tour.rpc("tools/call", { name: "get_credits", arguments: {}, ...progress });
  await tour.rpc("tools/call", { name: "get_post", arguments: { id: "post_x" }, ...progress });
  await tour.rest("GET /mcp");
}

async function library(tour: Tour): Promise<Json> {
  await tour.tool("get_brand");
  await tour.tool("get_credits");
  const page = await tour.tool("list_posts", { perPage: 2, sort: "views" });
  await tour.tool("list_posts", { perPage: 101 });
  await tour.tool("list_posts", { from: "2026-02-30" });
  await tour.tool("get_post", { id: page.data[0].id });
  await tour.tool("get_post", { id: "post_x" });
  await tour.tool("set_brand_kit", { baseStylePrompt: "Warm film look.", discordWebhookUrl: "" });
  await tour.tool("set_brand_kit", { baseStylePrompt: "Half of it" });

  const upload = await tour.tool("create_asset_upload", {
    kind: "castReference",
    name: "Jane",
    contentType: "image/jpeg",
    size: tour.upload.length,
  });
  await tour.tool("create_asset_upload", { kind: "logo", name: "Big", size: 1 });
  const { key, url } = upload;
  await tour.tool("confirm_asset_upload", { key, url });
  assertEquals(await put(tour, upload), 200);
  const photo = await tour.tool("confirm_asset_upload", { key, url });
  await tour.tool("confirm_asset_upload", { key, url });
  await tour.tool("add_asset", { kind: "inspiration", name: "Mood", sourceUrl: SOURCE });
  await tour.tool("add_asset", { kind: "logo", name: "In", sourceUrl: "http://10.0.0.1/a.jpg" });
  await tour.tool("list_assets");
  await tour.tool("list_assets", { kind: "photo" });

  const member = { name: "Jane", lookPrompt: "Grey braid, red scarf" };
  const cast = await tour.tool("save_cast_member", { ...member, referenceAssetIds: [photo.id] });
  const other = await tour.tool("save_cast_member", { ...member, name: "John" });
  await tour.tool("save_cast_member", { name: "No look" });
  await tour.tool("save_cast_member", { id: cast.id, lifestylePrompt: "Rows at dawn" });
  await tour.tool("save_cast_member", { id: "cst_x", name: "Nobody" });
  await tour.tool("list_cast_members");
  await tour.tool("delete_cast_member", { id: other.id });
  await tour.tool("delete_cast_member", { id: other.id });
  return { cast };
}

/** Answers the id of a complete one. */
async function creations(tour: Tour, castMemberId: string): Promise<string> {
  await tour.tool("compose_prompt", { idea: "Dawn", castMemberId });
  await tour.tool("compose_prompt", { idea: " " });
  const once = { ...IMAGE, idempotencyKey: "one" };
  const { id } = await tour.tool("generate_image", once);
  await tour.tool("generate_image", once);
  await tour.tool("generate_image", { ...once, idea: "another" });
  await tour.tool("generate_image", { ...IMAGE, aspectRatio: "wide" });
  await tour.tool("rerender_overlay", { id, overlay: OVERLAY });
  await tour.tool("get_creation", { id, wait: 60 }, { working: true });
  await tour.tool("get_creation", { id, preview: true });
  await tour.tool("get_creation", { id: "cre_x" });
  await tour.tool("rerender_overlay", { id, overlay: OVERLAY });
  await tour.tool("rerender_overlay", { id, overlay: { template: "x" } });
  await tour.tool("retry_creation", { id });
  tour.model.fails = true;
  const broken = await tour.tool("generate_image", { ...IMAGE, wait: 60 }, { working: true });
  tour.model.fails = false;
  await tour.tool("retry_creation", { id: broken.id });
  await tour.tool("get_creation", { id: broken.id, wait: 60 }, { working: true });
  await tour.tool("list_creations", { perPage: 5 });
  await tour.tool("list_creations", { page: 0 });
  return id;
}

async function resources(tour: Tour, creation: string): Promise<void> {
  const { result } = await tour.rpc("resources/list");
  await tour.rpc("resources/read", { uri: result.resources[0].uri });
  await tour.rpc("resources/read", { uri: `marquee://creations/${creation}` });
  await tour.rpc("resources/read", { uri: "marquee://creations/cre_x" });
  await tour.rpc("resources/read", {});
  await tour.rpc("prompts/get", { name: "plan_next_week", arguments: { focus: "rye" } });
  await tour.rpc("prompts/get", { name: "review_last_month" });
  await tour.rpc("prompts/get", { name: "make_and_schedule" });
}

async function series(tour: Tour, { brand, account }: Settled) {
  const daily = { ...DAILY, socialAccountId: account };
  const { id } = await tour.tool("save_series", daily);
  await tour.tool("save_series", { name: "No rule", mode: "manual" });
  await tour.tool("save_series", { id, cadenceDays: null });
  await tour.tool("save_series", { id, theme: "Loaves and rolls" });
  await tour.tool("simulate_series", { id, days: 3 });
  await tour.tool("simulate_series", { id, days: 61 });
  await tour.pass(brand.id);
  const queue = await tour.tool("get_series_queue", { id });
  await tour.tool("get_series_queue", { id: "ser_x" });
  const ready = { seriesId: id, itemId: slotOf(queue, "ready").id };
  const planned = { seriesId: id, itemId: slotOf(queue, "planned").id };
  await tour.tool("explain_item", ready);
  await tour.tool("explain_item", planned);
  await tour.tool("explain_item", { seriesId: id, itemId: "slt_x" });
  await tour.tool("rewrite_caption", ready);
  await tour.tool("rewrite_caption", planned);
  await tour.tool("regenerate_item", ready);
  const once = { ...ready, idempotencyKey: "two" };
  await tour.tool("generate_item", once, { working: true });
  await tour.tool("generate_item", once);
  await tour.tool("generate_item", ready);
  await tour.tool("publish_item", planned);
  await ordered(tour, "permission");
  await tour.tool("publish_item", ready, { working: true });
  await tour.tool("explain_item", ready);
  tour.t.turn(DAY / 12);
  await tour.tool("publish_item", ready, { working: true });
  await tour.tool("regenerate_item", ready);
  await tour.tool("skip_item", ready);
  await tour.tool("skip_item", planned);
  await tour.tool("get_series_queue", { id });

  const auto = await tour.tool("save_series", GROWTH);
  await tour.tool("set_series_active", { id: auto.id, active: false });
  await tour.tool("set_series_active", { id: "ser_x", active: true });
  const review = await tour.tool("run_autopilot_review", { id: auto.id });
  await tour.tool("adopt_playbook", { id: auto.id, reviewId: review.id });
  await tour.tool("run_autopilot_review", { id });
  await tour.tool("simulate_series", { id: auto.id, days: 7 });
  await tour.tool("list_series");
}

async function organizations(tour: Tour, { brand }: TestBrand): Promise<void> {
  await tour.tool("list_organizations");
  const { id } = await tour.tool("create_organization", { name: "Second brand" });
  await tour.tool("create_organization", { name: "" });
  await tour.tool("update_organization", { id, name: "Renamed brand" });
  await tour.tool("update_organization", { id: "brd_x", name: "Nobody" });
  await tour.tool("update_organization", { id: brand.id, name: "Test brand" });
  await tour.tool("list_organizations");
}

/** Each tool without a key, without its scope, and with no arguments. */
async function refusals(tour: Tour, { brand, secret }: TestBrand): Promise<void> {
  const bare = (await tour.t.key(brand.id, ["brandsWrite"])).secret;
  const reader = (await tour.t.key(brand.id, ["postsRead"])).secret;
  const sweep = async (title: string, keyOf: (name: string) => string) => {
    const calls = TOOL_NAMES.map((name) => [name, () => {
      tour.secret = keyOf(name);
      return tour.tool(name);
    }]);
    await tour.sweep(`every tool ${title}`, Object.fromEntries(calls));
  };
  await sweep("without its scope", (name) => name.includes("organization") ? reader : bare);
  await sweep("without arguments", () => secret);
  await tour.tool("nothing");
  tour.secret = null;
  await tour.rest("POST /mcp", { body: rpcOf("tools/list") });
  tour.secret = secret;
  await tour.rest("POST /mcp", {
    body: rpcOf("ping"),
    headers: { origin: "https://evil.example" },
  });
}

/** What a small plan refuses: a second request in one second, credits that are spent, a spent month. */
export async function smallPlan(tour: Tour): Promise<void> {
  const { brand, secret } = await tour.t.brand("free");
  tour.secret = secret;
  await tour.rest("GET /v1/credits");
  await tour.rest("GET /v1/credits", { still: true });
  await tour.tool("get_credits", {}, { still: true });
  await tour.tool("get_key", {}, { still: true });
  await tour.tool("get_credits");
  const { id } = await tour.rest("POST /v1/series", { body: { ...DAILY, hourUtc: 9 } });
  await tour.pass(brand.id);
  for (let spent = 0; spent < PLANS.free.creditsPerMonth; spent++) {
    await tour.text("POST /v1/creations", { body: IMAGE });
  }
  await tour.rest("POST /v1/creations", { body: IMAGE });
  await tour.tool("generate_image", IMAGE);
  const { items } = await tour.rest(`GET /v1/series/${id}`);
  const itemId = items.at(-1).id;
  await tour.tool("generate_item", { seriesId: id, itemId });
  tour.t.turn(6 * DAY);
  await tour.pass(brand.id);
  const held = slotOf(await tour.rest(`GET /v1/series/${id}`), "held");
  await tour.rest(`GET /v1/series/${id}/items/${held.id}/why`);
  await tour.tool("explain_item", { seriesId: id, itemId: held.id });
  for (let sent = 0; sent < PLANS.free.requestsPerMonth; sent++) await tour.text("GET /v1/nothing");
  await tour.rest("GET /v1/credits");
  await tour.tool("get_credits");
}

/** What the protocol lists, as it comes, and the names of the tools that each scope gives. */
export async function lists(tour: Tour): Promise<Json> {
  const { brand, secret } = await tour.t.brand();
  const list = async (key: string, method: string): Promise<string> => {
    tour.secret = key;
    return await tour.text("POST /mcp", { body: rpcOf(method) });
  };
  const whole: Record<string, string> = {};
  for (
    const method of ["tools/list", "prompts/list", "resources/list", "resources/templates/list"]
  ) {
    whole[method] = await list(secret, method);
  }
  const byScope: Record<string, string[]> = {};
  for (const scope of Scope.options) {
    const key = await tour.t.key(brand.id, [scope]);
    const { result } = JSON.parse(await list(key.secret, "tools/list"));
    byScope[scope] = result.tools.map(({ name }: Json) => name);
  }
  return { whole, byScope };
}
