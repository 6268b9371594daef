/** A story in which every tool is used, and used wrongly: what both faces are told. */
import { assert, assertEquals } from "@std/assert";
import type { Answer, Input, World } from "./mcp_twins.ts";
import { picture } from "./pictures.ts";

export interface Step {
  tool: string;
  input: (world: World) => Input;
  /** What later steps need of the answer. */
  keep?: (answer: Answer, kept: World["kept"]) => void;
  /** What happens after it, in either world. */
  then?: (world: World) => Promise<void>;
}

export const upload = await picture("jpeg", 64, 80);
const slot = (status: string) => ({ kept }: World): Input => {
  const found = kept.queue.items.find((item: Answer) => item.status === status);
  assert(found, `No ${status} slot`);
  return { seriesId: kept.series.id, itemId: found.id };
};
const IMAGE = { prompt: "A red bicycle in the rain", idea: "bicycle", aspectRatio: "square" };
const OVERLAY = { template: "lowerThird", text: "Ride on" };
// A caption of its own: written ones differ from slot to slot.
export const DAILY = {
  caption: "Fresh loaves today.",
  name: "Daily",
  mode: "manual",
  theme: "Loaves",
  format: "post",
  cadenceDays: 1,
};

/** A story in which every tool is used, and used wrongly. */
export function story(source: string, model: { now: boolean }): Step[] {
  const step = (
    tool: string,
    input: Input | Step["input"] = {},
    more: Omit<Step, "tool" | "input"> = {},
  ): Step => ({ tool, input: typeof input === "function" ? input : () => input, ...more });
  const keep = (name: string) => ({
    keep: (answer: Answer, kept: World["kept"]) => void (kept[name] = answer),
  });
  const of = (name: string) => ({ kept }: World): Input => ({ id: kept[name].id });
  const work = (pass?: "series") => ({ then: (world: World) => world.work(pass) });
  return [
    step("get_credits"),
    step("set_brand_kit", { baseStylePrompt: "Warm film look.", discordWebhookUrl: "" }),
    step("set_brand_kit", { baseStylePrompt: "Half of it" }),
    step("list_posts", { perPage: 2, sort: "views" }, keep("posts")),
    step("list_posts", { perPage: 101 }),
    step("list_posts", { from: "2026-02-30" }),
    step("get_post", ({ kept }) => ({ id: kept.posts.data[0].id })),
    step("get_post", { id: "post_x" }),
    ...[
      { view: "summary", from: "2026-11-01", to: "2026-11-15" },
      { view: "summary", from: "2026-11-15", to: "2026-11-01" },
      { view: "timeline", from: "2026-11-01", to: "2026-11-15", metric: "likes" },
      { view: "timeline", from: "2026-11-01", to: "2026-11-15" },
      { view: "when", platform: "instagram" },
      { view: "compare", by: "weekday" },
      { view: "compare", by: "luck" },
    ].map((input) => step("get_insights", input)),
    step("get_post_standing", ({ kept }) => ({ id: kept.posts.data[0].id })),
    step("get_post_standing", { id: "post_x" }),
    step("create_asset_upload", {
      kind: "castReference",
      name: "Jane",
      contentType: "image/jpeg",
      size: upload.length,
    }, {
      ...keep("upload"),
      then: async ({ t, kept }) => {
        const headers = { "content-type": "image/jpeg" };
        const init = { method: "PUT", headers, body: upload };
        assertEquals((await t.app.request(kept.upload.uploadUrl, init)).status, 200);
      },
    }),
    step("create_asset_upload", { kind: "logo", name: "Big", contentType: "image/gif", size: 1 }),
    ...["confirmed", "again"].map((name) =>
      step(
        "confirm_asset_upload",
        ({ kept }) => ({ key: kept.upload.key, url: kept.upload.url }),
        keep(name),
      )
    ),
    step("add_asset", { kind: "inspiration", name: "Mood", sourceUrl: source }),
    step("add_asset", { kind: "inspiration", name: "Inside", sourceUrl: "http://10.0.0.1/a.jpg" }),
    step("list_assets", { kind: "inspiration" }),
    step("list_assets", { kind: "photo" }),
    step("save_cast_member", ({ kept }) => ({
      name: "Jane",
      lookPrompt: "Grey braid, red scarf",
      referenceAssetIds: [kept.confirmed.id],
    }), keep("cast")),
    step("save_cast_member", { name: "No look" }),
    step("save_cast_member", (world) => ({ ...of("cast")(world), lifestylePrompt: "Rows" })),
    step("save_cast_member", { id: "cst_x", name: "Nobody" }),
    step("list_cast_members"),
    step("compose_prompt", ({ kept }) => ({ idea: "Dawn", castMemberId: kept.cast.id })),
    step("compose_prompt", { idea: " " }),
    step("generate_image", { ...IMAGE, idempotencyKey: "one" }, { ...keep("image"), ...work() }),
    step("generate_image", { ...IMAGE, idempotencyKey: "one", idea: "another" }),
    step("generate_image", { ...IMAGE, aspectRatio: "wide" }),
    step("get_creation", of("image")),
    step("get_creation", { id: "cre_x" }),
    step("rerender_overlay", (world) => ({ ...of("image")(world), overlay: OVERLAY })),
    step("rerender_overlay", (world) => ({ ...of("image")(world), overlay: { template: "x" } })),
    step("retry_creation", of("image"), {
      then: () => Promise.resolve(void (model.now = true)),
    }),
    step("generate_image", IMAGE, {
      ...keep("broken"),
      then: async (world) => {
        await world.work();
        model.now = false;
      },
    }),
    step("retry_creation", of("broken"), work()),
    step("list_creations", { perPage: 5 }),
    step("list_creations", { page: 0 }),
    step(
      "save_series",
      ({ accountId }) => ({ ...DAILY, socialAccountId: accountId, hourUtc: 14 }),
      {
        ...keep("series"),
      },
    ),
    step("save_series", { name: "No rule", mode: "manual" }),
    step("save_series", { mode: "autopilot" }),
    step("save_series", { name: "Auto", mode: "autopilot", goal: "Sell loaves" }, keep("auto")),
    step("save_series", (world) => ({ ...of("series")(world), cadenceDays: null })),
    step("save_series", (world) => ({ ...of("series")(world), guidance: "Short" })),
    step("set_series_active", (world) => ({ ...of("auto")(world), active: false })),
    step("set_series_active", { id: "ser_x", active: true }),
    step("list_series", {}, work("series")),
    step("get_series_queue", of("series"), keep("queue")),
    step("get_series_queue", { id: "ser_x" }),
    step("simulate_series", (world) => ({ ...of("series")(world), days: 3 })),
    step("simulate_series", (world) => ({ ...of("series")(world), days: 61 })),
    step("explain_item", slot("ready")),
    step("explain_item", (world) => ({ ...slot("ready")(world), itemId: "slt_x" })),
    step("rewrite_caption", slot("ready")),
    step("rewrite_caption", slot("planned")),
    step("publish_item", slot("planned")),
    step("publish_item", slot("ready")),
    step("regenerate_item", slot("ready")),
    step("regenerate_item", slot("planned")),
    step("get_brand"),
    step("get_key"),
    step("list_accounts"),
    step("list_events", { limit: 1 }),
    step("list_events", { types: "key.lost" }),
    step("list_items", { status: "planned", perPage: 3 }),
    step("list_items", { from: "2026-13-01" }),
    step("create_item", ({ kept, accountId }) => ({
      creationIds: [kept.image.id],
      caption: "Once",
      socialAccountId: accountId,
      needsApproval: true,
    }), keep("item")),
    step("create_item", { prompts: [] }),
    step("get_item", of("item")),
    step("get_item", { id: "slt_x" }),
    step("update_item", (world) => ({ ...of("item")(world), hashtags: ["Loaf"] })),
    step("update_item", (world) => ({ ...of("item")(world), format: "post", creationIds: [] })),
    step("validate_item", of("item")),
    step("validate_item", { id: "slt_x" }),
    step("approve_item", of("item")),
    step("approve_item", (world) => ({ ...of("item")(world), expectedHash: "other" })),
    step("approve_item", (world) => ({ ...of("item")(world), approved: false })),
    step("batch_items", ({ kept }) => ({ ids: [kept.item.id, "slt_x"], verb: "skip" })),
    step("batch_items", { ids: [], verb: "skip" }),
    step("explain_item", ({ kept }) => ({ itemId: kept.item.id })),
    step("publish_item", ({ kept }) => ({ itemId: kept.item.id })),
    step("delete_item", of("item")),
    step("delete_item", of("item")),
    step("skip_item", slot("planned")),
    step("skip_item", slot("ready")),
    step("run_autopilot_review", of("auto"), keep("review")),
    step("adopt_playbook", (world) => ({ ...of("auto")(world), reviewId: world.kept.review.id })),
    step("adopt_playbook", (world) => ({ ...of("auto")(world), reviewId: "rev_x" })),
    step("run_autopilot_review", of("series")),
    step("delete_cast_member", of("cast")),
    step("delete_cast_member", of("cast")),
  ];
}
