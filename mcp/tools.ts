/** Every tool an agent can call: name → operation and words. Data only. */
import { deleteCastMember, listCastMembers } from "../domain/operations/cast.ts";
import { listAssets, startUpload } from "../domain/operations/assets.ts";
import { listCreations, overlayCreation, retryCreation } from "../domain/operations/creations.ts";
import { previewOf } from "../domain/creations/preview.ts";
import type { Creation } from "../domain/creations/shape.ts";
import { getCredits } from "../domain/operations/credits.ts";
import { putBrandKit } from "../domain/operations/kit.ts";
import {
  createOrganization,
  listOrganizations,
  updateOrganization,
} from "../domain/operations/organizations.ts";
import { getStanding } from "../domain/operations/insights.ts";
import type { Value } from "../domain/operations/operation.ts";
import { getBrand } from "../domain/operations/brand.ts";
import { getPost } from "../domain/operations/posts.ts";
import { composeCreation } from "../domain/operations/compose.ts";
import {
  addAsset,
  confirmAssetUpload,
  generateImage,
  listPostFields,
  lookAtCreation,
  saveCastMember,
} from "./merged.ts";
import { getInsights } from "./insights.ts";
import { count } from "../domain/foundation/text.ts";
import { assetPictures, creationPictures, done, listOf, pageOf } from "./shown.ts";
import { ITEM_TOOLS } from "./item_tools.ts";
import { SERIES_TOOLS } from "./series_tools.ts";
import { HINTS, READ, type Tool, tool, withScopes } from "./tool.ts";

const creationSays = ({ id, status, error, creditCost }: Creation) =>
  status === "failed"
    ? `${id} failed: ${error} retry_creation tries again, free while retries remain.`
    : status === "pending"
    ? `${id} is being generated for ${
      count(creditCost, "credit")
    }; get_creation with wait follows it.`
    : `${id} is complete.`;

const insightsSay = (value: Value<typeof getInsights.output>): string => {
  if ("groups" in value) {
    const told = value.groups.filter(({ verdict }) => verdict !== "cantTell");
    const verdicts = told.map((group) => `${group.value} is ${group.verdict}`).join(", ");
    return `By ${value.by}: ${verdicts === "" ? "no difference is certain" : verdicts}.`;
  }
  if ("cells" in value) return `${count(value.cells.length, "hour")} of the week with posts.`;
  if ("data" in value) return `${value.metric} of ${count(value.data.length, "day")}.`;
  const { from, to, posts, engagement, previous } = value;
  return `${from} to ${to}: ${count(posts, "post")}, engagement ${engagement} ` +
    `(${previous.engagement} in the period before).`;
};

/** The tool of this name, as a client sent it; null: there is none. */
export function findTool(name: unknown): Tool | null {
  return typeof name === "string" && Object.hasOwn(TOOLS, name) ? TOOLS[name] ?? null : null;
}

export const TOOLS: Readonly<Record<string, Tool>> = {
  get_brand: tool({
    title: "Get the brand",
    operation: getBrand,
    beyond: "Start here: account ids and remaining credits are needed by other tools.",
    hints: HINTS.read,
    say: ({ name, plan, credits, accounts }) =>
      `${name} on the ${plan} plan: ${count(credits.remaining, "credit")} left, ` +
      `${count(accounts.length, "account")}.`,
  }),
  get_credits: tool({
    title: "Get credits",
    operation: getCredits,
    hints: HINTS.read,
    say: ({ remaining, allowance }) => `${remaining} of ${allowance} credits left this month.`,
  }),

  list_posts: tool({
    title: "List posts",
    operation: withScopes(listPostFields, READ),
    description: "Newest first without `sort`.",
    beyond: "For a metric's history use get_post. engagementRate is a fraction (0.0786 is " +
      "7.86 %); a null metric is not reported, which is not zero. Fetch in bulk with perPage 100 " +
      "and few `fields`; metrics are refreshed every 30 minutes.",
    hints: HINTS.read,
    say: pageOf("post"),
  }),
  get_post: tool({
    title: "Get a post",
    operation: withScopes(getPost, READ),
    beyond: "Snapshots are lifetime readings, one a UTC day, oldest first: subtract neighbours " +
      "for a day's numbers.",
    hints: HINTS.read,
    say: ({ platform, format, publishedAt, metrics }) =>
      `A ${platform} ${format} of ${publishedAt.slice(0, 10)} with ${metrics.views} views.`,
  }),

  get_insights: tool({
    title: "Get insights",
    operation: getInsights,
    beyond: "For one post use get_post_standing.",
    hints: HINTS.read,
    say: insightsSay,
  }),
  get_post_standing: tool({
    title: "See how a post stands",
    operation: getStanding,
    hints: HINTS.read,
    say: ({ percentile, ageHours, among }) =>
      percentile === null
        ? `Too few like posts to compare with (${among}).`
        : `Better than ${percentile} % of ${count(among, "like post")} at ${ageHours} hours.`,
  }),

  list_assets: tool({
    title: "List assets",
    operation: withScopes(listAssets, READ),
    beyond: "Ids of kind castReference go into save_cast_member, of kind inspiration into " +
      "save_series.",
    hints: HINTS.read,
    say: listOf("asset"),
    pictures: ({ data }) => data.flatMap(assetPictures),
  }),
  add_asset: tool({
    title: "Add an asset",
    operation: addAsset,
    beyond: "For a file that has no public address use create_asset_upload.",
    hints: { ...HINTS.add, openWorld: true },
    say: ({ id, kind, width, height }) => `Added ${kind} ${id}, ${width} by ${height}.`,
    pictures: assetPictures,
  }),
  create_asset_upload: tool({
    title: "Start an upload",
    operation: startUpload,
    description: "PUT the raw bytes to `uploadUrl` with the same Content-Type, exactly `size` " +
      "of them, within 15 minutes, without a key. Then call confirm_asset_upload.",
    beyond: "For an image at a public address use add_asset.",
    hints: HINTS.add,
    say: () => "PUT the bytes to uploadUrl within 15 minutes, then confirm_asset_upload.",
  }),
  confirm_asset_upload: tool({
    title: "Confirm an upload",
    operation: confirmAssetUpload,
    hints: HINTS.add,
    say: ({ id, kind, width, height }) => `Added ${kind} ${id}, ${width} by ${height}.`,
    pictures: assetPictures,
  }),

  list_cast_members: tool({
    title: "List cast members",
    operation: withScopes(listCastMembers, READ),
    beyond: "Pin one to an image or a series by `castMemberId`.",
    hints: HINTS.read,
    say: listOf("cast member"),
  }),
  save_cast_member: tool({
    title: "Save a cast member",
    operation: saveCastMember,
    beyond: "referenceAssetIds replaces the whole list. Past images stay as they are.",
    hints: { ...HINTS.save, idempotent: false },
    say: ({ id, name }) => `Saved ${name} (${id}).`,
  }),
  delete_cast_member: tool({
    title: "Retire a cast member",
    operation: deleteCastMember,
    beyond: "Can't be undone.",
    hints: HINTS.remove,
    say: done,
  }),

  set_brand_kit: tool({
    title: "Set the brand kit",
    operation: putBrandKit,
    description: "Style and webhook are required; an empty string clears them. Of the others, a " +
      "field that is left out keeps its value, and null clears it.",
    beyond: "Read them with get_brand first.",
    hints: HINTS.save,
    say: () => "The brand kit is set.",
  }),
  compose_prompt: tool({
    title: "Compose a prompt",
    operation: composeCreation,
    beyond: "Generates nothing: hand the prompt, edited or not, to generate_image.",
    hints: HINTS.ask,
    say: ({ prompt }) => prompt,
  }),
  generate_image: tool({
    title: "Generate an image",
    operation: generateImage,
    description: "The brand's style and the cast member's look are added where the prompt lacks " +
      "them. Answers a pending creation at once, which get_creation follows; `wait` stays up to " +
      "that many seconds for the picture. A repeated call with the same idempotencyKey and " +
      "arguments within 24 hours debits nothing.",
    beyond: "Publishes nothing. For a planned slot of a series use generate_item.",
    hints: HINTS.make,
    say: creationSays,
    pictures: creationPictures,
  }),
  get_creation: tool({
    title: "Get a creation",
    operation: lookAtCreation,
    beyond: "`preview` lets you look at the picture. Costs no credit.",
    hints: HINTS.read,
    say: creationSays,
    pictures: creationPictures,
    preview: (service, { brand }, { id }) => previewOf(service, brand.id, id),
  }),
  list_creations: tool({
    title: "List creations",
    operation: listCreations,
    beyond: "To look at one use get_creation with `preview`.",
    hints: HINTS.read,
    say: pageOf("creation"),
    pictures: ({ data }) => data.flatMap(creationPictures),
  }),
  retry_creation: tool({
    title: "Retry a creation",
    operation: retryCreation,
    beyond: "Answers a pending creation: follow it with get_creation and `wait`.",
    hints: HINTS.make,
    say: creationSays,
  }),
  rerender_overlay: tool({
    title: "Render another overlay",
    operation: overlayCreation,
    beyond: "Changes only what is printed: for another picture use generate_image.",
    hints: HINTS.save,
    say: ({ id }) => `${id} has its new overlay.`,
    pictures: creationPictures,
  }),

  ...SERIES_TOOLS,
  ...ITEM_TOOLS,

  list_organizations: tool({
    title: "List organizations",
    operation: listOrganizations,
    beyond: "The key itself works for its own brand only.",
    hints: HINTS.read,
    say: listOf("organization"),
  }),
  create_organization: tool({
    title: "Create an organization",
    operation: createOrganization,
    hints: HINTS.add,
    say: ({ id, name }) => `Created ${name} (${id}) on the Free plan.`,
  }),
  update_organization: tool({
    title: "Rename an organization",
    operation: updateOrganization,
    hints: HINTS.save,
    say: ({ name }) => `It is called ${name} now.`,
  }),
};
