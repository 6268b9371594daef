/** Series and their slots on the wire: spec 2.11, 2.13, and the fields to create them in 4.7. */
import { z } from "zod";
import { AspectRatio } from "../media/images/aspect.ts";
import { Creation } from "../creations/shape.ts";
import { Overlay } from "../media/overlays/shape.ts";
import { Playbook, Review } from "./playbook.ts";
import { optionalText, text } from "../foundation/text.ts";
import { SeriesFormat } from "../platforms/contract/format.ts";
import { SeriesMode, SlotStatus } from "./records.ts";

export const Series = z.object({
  id: z.string(),
  name: z.string(),
  mode: SeriesMode,
  active: z.boolean().describe("Paused when false."),
  theme: z.string().nullable().describe("Manual series."),
  goal: z.string().nullable().describe("Autopilot series."),
  guidance: z.string().nullable().describe("Autopilot steering text."),
  caption: z.string().nullable().describe("Null when captions are written."),
  format: SeriesFormat.nullable().describe("Manual series: the single format."),
  formats: z.array(SeriesFormat).describe("Autopilot: allowed formats."),
  aspectRatio: AspectRatio,
  cadenceDays: z.int().nullable().describe("Manual series: days between slots."),
  hourUtc: z.int().describe("Hour of day (UTC) for scheduling."),
  maxPerWeek: z.int().nullable().describe("Autopilot cap."),
  postsPerWeek: z.int().nullable().describe("Null leaves the cadence to the strategist."),
  creditBudgetMonthly: z.int().nullable().describe("Autopilot credit budget per UTC month."),
  castMemberId: z.string().nullable(),
  inspirationAssetIds: z.array(z.string()),
  playbook: Playbook.nullable().describe("Null before an autopilot's first review."),
  overlay: Overlay.nullable().describe("Default overlay for the series' images."),
  socialAccountId: z.string().nullable().describe("Null: items stop at `ready`."),
  needsApproval: z.boolean().describe("Items wait as `ready` until a person approves them."),
  publishDrafts: z.boolean().describe("False: items with `decision.draft` wait for a person."),
  createdAt: z.iso.datetime(),
}).meta({ id: "Series" });
export type Series = z.output<typeof Series>;

export const Slot = z.object({
  id: z.string(),
  seriesId: z.string().nullable().describe("Null: a one-off post."),
  status: SlotStatus,
  scheduledFor: z.iso.datetime(),
  format: SeriesFormat,
  socialAccountId: z.string().nullable().describe("Its own account, or the series'."),
  caption: z.string().describe("Empty until the images are there."),
  hashtags: z.array(z.string()),
  overlay: Overlay.nullable().describe("Printed on its images."),
  altText: z.string().nullable().describe("Null: the idea of each image."),
  decision: z.object({
    direction: z.string(),
    overlayTemplate: z.string().describe("A template of overlays, or `none`."),
    rationale: z.string(),
    topic: z.string().nullable(),
    onImage: z.string().nullable(),
    draft: z.boolean().describe("Written without a model, as a proposal."),
  }).describe("Why the slot was planned."),
  approvedAt: z.iso.datetime().nullable().describe("Null again once the content has changed."),
  approvedBy: z.string().nullable(),
  contentHash: z.string().nullable().describe(
    "Of images, caption, hashtags and account; null until the images are complete.",
  ),
  error: z.string().nullable().describe("What went wrong, and what to do about it."),
  publishedAt: z.iso.datetime().nullable(),
  externalPostId: z.string().nullable().describe("The published post on the platform."),
  url: z.string().nullable().describe("Address of the published post."),
  postId: z.string().nullable().describe(
    "The published post's id here; null until its numbers were read for the first time.",
  ),
  creationIds: z.array(z.string()).describe(
    "The images that it will be published with, in order; none while it is planned.",
  ),
  creations: z.array(Creation).describe(
    "Every image ever made for the slot, the current ones last.",
  ),
}).meta({ id: "Slot" });
export type Slot = z.output<typeof Slot>;

export const SeriesDetail = Series.extend({
  items: z.array(Slot).describe("From 30 days ago on, by time, the newest 200."),
  reviews: z.array(Review).describe("Strategy history of an autopilot, newest first, 50."),
}).meta({ id: "SeriesDetail" });

export const SlotCaption = z.object({
  id: z.string(),
  caption: z.string(),
  hashtags: z.array(z.string()),
}).meta({ id: "SlotCaption" });
export type SlotCaption = z.output<typeof SlotCaption>;

/** A text that null or an empty string clears. */
function clearable<T>(schema: z.ZodType<T>) {
  return schema.nullable().optional();
}
/** The same for anything but a text. */
const orEmpty = <T>(schema: z.ZodType<T>) => clearable(z.union([z.literal(""), schema]));

const Ids = z.array(z.string()).max(100)
  .refine((ids) => new Set(ids).size === ids.length, "must not name an asset twice")
  .meta({ uniqueItems: true });
const Formats = z.array(SeriesFormat).max(SeriesFormat.options.length)
  .refine((formats) => new Set(formats).size === formats.length, "must not name a format twice")
  .meta({ uniqueItems: true });

/** Every field but name and mode. `rules.ts` says which of them a mode needs. */
const fields = {
  caption: clearable(optionalText(2_200)).describe("Used as it is; null: captions are written."),
  theme: clearable(optionalText(2_000)).describe("Manual: what it is about. Required there."),
  format: orEmpty(SeriesFormat).describe("Manual: required."),
  cadenceDays: orEmpty(z.int().min(1).max(90)).describe("Manual: required."),
  goal: clearable(optionalText(2_000)).describe("Autopilot: required."),
  guidance: clearable(optionalText(2_000)),
  formats: Formats.optional().describe("Autopilot; `post` when left out."),
  maxPerWeek: orEmpty(z.int().min(1).max(21)),
  postsPerWeek: orEmpty(z.int().min(1).max(21)).describe("Not above `maxPerWeek`."),
  creditBudgetMonthly: orEmpty(z.int().min(0).max(100_000)).describe("0 plans nothing."),
  aspectRatio: AspectRatio.optional().describe("`portrait` when left out."),
  hourUtc: z.int().min(0).max(23).optional().describe("9 when left out."),
  socialAccountId: clearable(z.string()).describe("Empty: items stop at `ready`."),
  needsApproval: z.boolean().optional().describe("False when left out."),
  publishDrafts: z.boolean().optional().describe("True when left out."),
  castMemberId: clearable(z.string()),
  inspirationAssetIds: Ids.optional().describe("Assets of kind `inspiration`."),
  overlay: orEmpty(Overlay),
};

export const SeriesInput = z.object({ name: text(120), mode: SeriesMode, ...fields });
export type SeriesInput = z.output<typeof SeriesInput>;

export const SeriesChange = z.object({
  name: text(120).optional(),
  mode: SeriesMode.optional(),
  active: z.boolean().optional().describe("False pauses, true resumes."),
  ...fields,
});
export type SeriesChange = z.output<typeof SeriesChange>;
