/** What agents and integrations do: reading, pictures and the library; posts are in `post_acts.ts`. */
import { DAY } from "../../domain/foundation/calendar.ts";
import { POST_ACTS } from "./post_acts.ts";
import type { Step } from "./schedule.ts";
import { type Act, choose, day, type Hand, on, read, type Wish } from "./wishes.ts";

/** The smallest PNG. */
export const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);
const OVERLAYS = ["captionBar", "lowerThird", "centeredTitle"];

const ACTS = {
  ...POST_ACTS,
  readPosts: read("/v1/posts?perPage=20&sort=views", "list_posts", { perPage: 20, sort: "views" }),
  readBrand: read("/v1/brand", "get_brand"),
  readCredits: read("/v1/credits", "get_credits"),
  readAccounts: read("/v1/accounts", "list_accounts"),
  readKey: read("/v1/key", "get_key"),
  readItems: read("/v1/items?perPage=50", "list_items", { perPage: 50 }),
  readCreations: read("/v1/creations?perPage=50", "list_creations", { perPage: 50 }),
  readSeries: read("/v1/series", "list_series"),
  readWhen: read("/v1/insights/when", "get_insights", { view: "when" }),
  readSummary: ({ now }: Hand) => {
    const span = { from: day(now - 14 * DAY), to: day(now) };
    return {
      rest: ["GET", `/v1/insights/summary?${new URLSearchParams(span)}`],
      tool: ["get_insights", { view: "summary", ...span }],
    };
  },
  followPicture: on("pictures", (id) => ({
    rest: ["GET", `/v1/creations/${id}?wait=3`],
    tool: ["get_creation", { id, wait: 3 }],
  })),
  makePicture: ({ text }: Hand) => {
    const body = { prompt: text(12), idea: text(6), aspectRatio: "square" };
    return {
      rest: ["POST", "/v1/creations", body],
      tool: ["generate_image", body],
      leaves: "creation.created",
      keyed: true,
      costs: "credit",
      learn: ({ id }, known) => known.add("pictures", id),
    };
  },
  printText: on("pictures", (id, { text, roll }) => {
    const overlay = { template: choose(OVERLAYS, roll(1)), text: text(3), showLogo: false };
    return {
      rest: ["POST", `/v1/creations/${id}/overlay`, { overlay }],
      tool: ["rerender_overlay", { id, overlay }],
      leaves: "creation.changed",
      subject: id,
    };
  }),
  retryPicture: on("pictures", (id) => ({
    rest: ["POST", `/v1/creations/${id}/retry`],
    tool: ["retry_creation", { id }],
    leaves: "creation.retried",
    subject: id,
    costs: "credit",
  })),
  dropPicture: on("pictures", (id, { known }) => {
    // Most stay, so that there is something to post.
    if (known.pictures.length < 8) return null;
    known.drop("pictures", id);
    return {
      rest: ["DELETE", `/v1/creations/${id}`],
      leaves: "creation.deleted",
      subject: id,
    };
  }),
  upload: ({ text }: Hand) => {
    const file = { kind: "inspiration", name: text(2), contentType: "image/png", size: PNG.length };
    return {
      rest: ["POST", "/v1/assets/uploads", file],
      tool: ["create_asset_upload", file],
      leaves: "upload.started",
      follow: ({ uploadUrl, key, url }) => ({
        put: uploadUrl,
        bytes: PNG,
        wish: {
          rest: ["POST", "/v1/assets", { key, url }],
          tool: ["confirm_asset_upload", { key, url }],
          leaves: "asset.created",
        },
      }),
    };
  },
  readAssets: read("/v1/assets", "list_assets"),
  saveKit: ({ text, known }: Hand) => {
    const kit = { baseStylePrompt: text(4), discordWebhookUrl: "" };
    return {
      rest: ["PUT", "/v1/brand-kit", kit],
      tool: ["set_brand_kit", kit],
      leaves: "kit.changed",
      subject: known.brandId,
    };
  },
  makeMember: ({ text }: Hand) => {
    const body = { name: text(1), lookPrompt: text(4) };
    return {
      rest: ["POST", "/v1/cast-members", body],
      tool: ["save_cast_member", body],
      leaves: "castMember.created",
      learn: ({ id }, known) => known.add("members", id),
    };
  },
  changeMember: on("members", (id, { text }) => {
    const change = { lookPrompt: text(4) };
    return {
      rest: ["PATCH", `/v1/cast-members/${id}`, change],
      tool: ["save_cast_member", { id, ...change }],
      leaves: "castMember.changed",
      subject: id,
    };
  }),
  dropMember: on("members", (id, { known }) => {
    known.drop("members", id);
    return {
      rest: ["DELETE", `/v1/cast-members/${id}`],
      tool: ["delete_cast_member", { id }],
      leaves: "castMember.deleted",
      subject: id,
    };
  }),
} satisfies Record<string, Act>;

/** The acts, those twice that are to happen more often. */
export const INTEGRATION_ACTS: readonly string[] = [
  ...Object.keys(ACTS),
  ...["makePicture", "makePicture", "planPost", "planPost", "orderPost", "publishPost"],
];
/** All but those that no tool does. */
export const AGENT_ACTS: readonly string[] = INTEGRATION_ACTS.filter((act) =>
  act !== "dropPicture"
);
/** Performed by `people.ts`. */
export const PERSON_ACTS: readonly string[] = [
  ...["openToday", "openCalendar", "openLibrary", "openSeries", "openKeys", "openPost"],
  ...["orderPicture", "schedulePicture", "savePost", "approvePost", "publishPost", "skipPost"],
  ...["saveBrand", "addMember", "uploadLogo", "addKey", "orderPicture", "schedulePicture"],
];

/** What the step wants; null when there is nothing yet to do it to. */
export function wishOf(step: Step, hand: Hand): Wish | null {
  const act: Act | undefined = (ACTS as Record<string, Act>)[step.act];
  if (act === undefined) throw new Error(`No act ${step.act}`);
  return act(hand);
}
