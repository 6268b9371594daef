/** Every tool an agent can call: name → operation and words. Data only. */
import { deleteCastMember, listCastMembers } from "../domain/cast.ts";
import { listAssets, startUpload } from "../domain/assets/operations.ts";
import type { Asset } from "../domain/assets/shape.ts";
import type { CastMember } from "../domain/cast.ts";
import { listCreations, overlayCreation, retryCreation } from "../domain/creations/operations.ts";
import { previewOf } from "../domain/creations/preview.ts";
import type { Creation } from "../domain/creations/shape.ts";
import { type Credits, getCredits } from "../domain/credits.ts";
import { putBrandKit } from "../domain/kit.ts";
import {
  createOrganization,
  listOrganizations,
  updateOrganization,
} from "../domain/organizations.ts";
import { type BrandOverview, getBrand } from "../domain/overview.ts";
import { getPost, listPosts } from "../domain/posts/operations.ts";
import type { PostDetail } from "../domain/posts/shape.ts";
import { composeCreation } from "../domain/prompts.ts";
import {
  addAsset,
  confirmAssetUpload,
  generateImage,
  lookAtCreation,
  saveCastMember,
} from "./merged.ts";
import { count } from "../domain/text.ts";
import { assetPictures, creationPictures } from "./pictures.ts";
import { done, type List, listOf, type Page, pageOf } from "./say.ts";
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

/** Null for a name that no tool has; `name` is what a client sent. */
export function findTool(name: unknown): Tool | null {
  return typeof name === "string" && Object.hasOwn(TOOLS, name) ? TOOLS[name]! : null;
}

export const TOOLS: Readonly<Record<string, Tool>> = {
  get_brand: tool<BrandOverview>({
    title: "Get the brand",
    operation: getBrand,
    beyond: "Start here: account ids and remaining credits are needed by other tools.",
    hints: HINTS.read,
    say: ({ name, plan, credits, accounts }) =>
      `${name} on the ${plan} plan: ${count(credits.remaining, "credit")} left, ` +
      `${count(accounts.length, "account")}.`,
  }),
  get_credits: tool<Credits>({
    title: "Get credits",
    operation: getCredits,
    hints: HINTS.read,
    say: ({ remaining, allowance }) => `${remaining} of ${allowance} credits left this month.`,
  }),

  list_posts: tool<Page>({
    title: "List posts",
    operation: withScopes(listPosts, READ),
    beyond: "Gives the latest metrics only: get_post has their history. engagementRate is a " +
      "fraction (0.0786 is 7.86 %); a null metric is not reported, which is not zero. Fetch in " +
      "bulk with perPage 100; metrics are refreshed every 30 minutes.",
    hints: HINTS.read,
    say: pageOf("post"),
  }),
  get_post: tool<PostDetail>({
    title: "Get a post",
    operation: withScopes(getPost, READ),
    beyond: "Snapshots are lifetime readings, one a UTC day, oldest first: subtract neighbours " +
      "for a day's numbers.",
    hints: HINTS.read,
    say: ({ platform, format, publishedAt, metrics }) =>
      `A ${platform} ${format} of ${publishedAt.slice(0, 10)} with ${metrics.views} views.`,
  }),

  list_assets: tool<List<Asset>>({
    title: "List assets",
    operation: withScopes(listAssets, READ),
    beyond: "Ids of kind castReference go into save_cast_member, of kind inspiration into " +
      "save_series.",
    hints: HINTS.read,
    say: listOf("asset"),
    pictures: ({ data }) => data.flatMap(assetPictures),
  }),
  add_asset: tool<Asset>({
    title: "Add an asset",
    operation: addAsset,
    beyond: "For a file that has no public address use create_asset_upload.",
    hints: { ...HINTS.add, openWorld: true },
    say: ({ id, kind, width, height }) => `Added ${kind} ${id}, ${width} by ${height}.`,
    pictures: assetPictures,
  }),
  create_asset_upload: tool<{ key: string }>({
    title: "Start an upload",
    operation: startUpload,
    description: "PUT the raw bytes to `uploadUrl` with the same Content-Type, exactly `size` " +
      "of them, within 15 minutes; that PUT needs no key. Then call confirm_asset_upload with " +
      "`key` and `url`.",
    beyond: "Moves no bytes itself. For an image at a public address use add_asset.",
    hints: HINTS.add,
    say: () => "PUT the bytes to uploadUrl within 15 minutes, then confirm_asset_upload.",
  }),
  confirm_asset_upload: tool<Asset>({
    title: "Confirm an upload",
    operation: confirmAssetUpload,
    hints: HINTS.add,
    say: ({ id, kind, width, height }) => `Added ${kind} ${id}, ${width} by ${height}.`,
    pictures: assetPictures,
  }),

  list_cast_members: tool<List>({
    title: "List cast members",
    operation: withScopes(listCastMembers, READ),
    beyond: "Pin one to an image or a series by `castMemberId`.",
    hints: HINTS.read,
    say: listOf("cast member"),
  }),
  save_cast_member: tool<CastMember>({
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
    beyond: "Replaces both fields: read them with get_brand first.",
    hints: HINTS.save,
    say: () => "The brand kit is set.",
  }),
  compose_prompt: tool<{ prompt: string }>({
    title: "Compose a prompt",
    operation: composeCreation,
    beyond: "Generates nothing: hand the prompt, edited or not, to generate_image.",
    hints: HINTS.ask,
    say: ({ prompt }) => prompt,
  }),
  generate_image: tool<Creation>({
    title: "Generate an image",
    operation: generateImage,
    description: "The brand's base style and the cast member's look are added where the prompt " +
      "lacks them; reference photos and inspiration go along. Without `wait` it answers at once " +
      "with a pending creation, which get_creation follows; with `wait` it stays up to that many " +
      "seconds for the picture. A repeated call with the same idempotencyKey and arguments " +
      "within 24 hours answers with the first creation and debits nothing.",
    beyond: "Publishes nothing. For a planned slot of a series use generate_item.",
    hints: HINTS.make,
    say: creationSays,
    pictures: creationPictures,
  }),
  get_creation: tool<Creation>({
    title: "Get a creation",
    operation: lookAtCreation,
    beyond: "`preview` lets you look at the picture. Costs no credit.",
    hints: HINTS.read,
    say: creationSays,
    pictures: creationPictures,
    preview: (service, { brand }, { id }) => previewOf(service, brand.id, id),
  }),
  list_creations: tool<Page>({
    title: "List creations",
    operation: listCreations,
    beyond: "To look at one use get_creation with `preview`.",
    hints: HINTS.read,
    say: pageOf("creation"),
    pictures: ({ data }) => (data as Creation[]).flatMap(creationPictures),
  }),
  retry_creation: tool<Creation>({
    title: "Retry a creation",
    operation: retryCreation,
    beyond: "Answers a pending creation: follow it with get_creation and `wait`.",
    hints: HINTS.make,
    say: creationSays,
  }),
  rerender_overlay: tool<Creation>({
    title: "Render another overlay",
    operation: overlayCreation,
    beyond: "Changes only what is printed: for another picture use generate_image.",
    hints: HINTS.save,
    say: ({ id }) => `${id} has its new overlay.`,
    pictures: creationPictures,
  }),

  ...SERIES_TOOLS,

  list_organizations: tool<List>({
    title: "List organizations",
    operation: listOrganizations,
    beyond: "The key itself works for its own brand only.",
    hints: HINTS.read,
    say: listOf("organization"),
  }),
  create_organization: tool<{ id: string; name: string }>({
    title: "Create an organization",
    operation: createOrganization,
    hints: HINTS.add,
    say: ({ id, name }) => `Created ${name} (${id}) on the Free plan.`,
  }),
  update_organization: tool<{ name: string }>({
    title: "Rename an organization",
    operation: updateOrganization,
    hints: HINTS.save,
    say: ({ name }) => `It is called ${name} now.`,
  }),
};
