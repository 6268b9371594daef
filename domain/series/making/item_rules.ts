/** What a person may set on a scheduled post, and the rules for it. */
import { z } from "zod";
import type { StoredCreation } from "../../creations/shape.ts";
import { readStored } from "../../creations/store.ts";
import { invalid, ServiceError } from "../../foundation/errors.ts";
import { optionalText } from "../../foundation/text.ts";
import { Overlay } from "../../media/overlays/shape.ts";
import { readSocialAccount, type SocialAccount } from "../../platforms/accounts.ts";
import type { SeriesFormat } from "../../platforms/contract/format.ts";
import { formatRefusal, readOnlyRefusal } from "../../platforms/contract/limits.ts";
import { rangeOf } from "../format.ts";
import { normalizeHashtag } from "./writing.ts";

const MOST_HASHTAGS = 30;
const MOST_IMAGES = 10;

const isEach = (values: string[]) => new Set(values).size === values.length;

const Hashtag = z.string().max(100)
  .refine((tag) => normalizeHashtag(tag) !== "", "must have a letter, and at most 50 characters")
  .meta({ pattern: String.raw`\p{L}` });

/** The fields that can be set, each of them optional. */
export const itemFields = {
  caption: optionalText(2_200).optional().describe("Empty: the post has no caption."),
  hashtags: z.array(Hashtag).max(MOST_HASHTAGS).optional().describe("With or without `#`."),
  scheduledFor: z.iso.datetime({ offset: true }).optional().describe("Not before now."),
  overlay: Overlay.nullable().optional().describe("Printed on every image; null: nothing."),
  altText: optionalText(2_000).nullable().optional().describe("Null: the idea of each image."),
  creationIds: z.array(z.string().max(100)).min(1).max(MOST_IMAGES)
    .refine(isEach, "must not name a creation twice").meta({ uniqueItems: true }).optional()
    .describe("Complete creations, in order: 1 for a post or story, 3 to 10 for a carousel."),
  socialAccountId: z.string().max(100).nullable().optional().describe("Null: the series' account."),
};
const Fields = z.object(itemFields);
export type ItemFields = z.output<typeof Fields>;

/** Hashtags as posts have them: lower case, without `#`, each once. */
export function normalized(fields: ItemFields): ItemFields {
  const { hashtags } = fields;
  if (hashtags === undefined) return fields;
  return { ...fields, hashtags: [...new Set(hashtags.map(normalizeHashtag))] };
}

/** @throws ServiceError `validationError` */
export function requireFuture(scheduledFor: string, now: number): void {
  if (Date.parse(scheduledFor) < now) throw invalid("scheduledFor", "must not be before now");
}

/**
 * The account, null when none is named.
 * @throws ServiceError `validationError` when it is not this brand's, or does not take the format
 */
export async function requireOwnAccount(
  kv: Deno.Kv,
  brandId: string,
  id: string | null,
  format: SeriesFormat,
): Promise<SocialAccount | null> {
  if (id === null) return null;
  const account = await readSocialAccount(kv, brandId, id);
  if (account === null) {
    throw invalid("socialAccountId", `${id} is no connected account of this brand`);
  }
  const readOnly = readOnlyRefusal(account.platform);
  if (readOnly !== null) throw invalid("socialAccountId", `must take posts. ${readOnly}`);
  const refusal = formatRefusal(account.platform, format);
  if (refusal === null) return account;
  throw invalid("format", `must not be ${format} for this account. ${refusal}`);
}

/** @throws ServiceError `validationError` for a number of images that the format does not have */
export function requireCount(field: string, format: SeriesFormat, count: number): void {
  const { least, most } = rangeOf(format);
  if (count >= least && count <= most) return;
  const range = least === most ? `${least} entry` : `${least} to ${most} entries`;
  throw invalid(field, `must have ${range} for a ${format}`);
}

/**
 * The named creations, in order.
 * @throws ServiceError `validationError` for another number than the format takes, and for ids that are
 *   not this brand's; `conflict` for creations that are not complete
 */
export async function requireOwnImages(
  kv: Deno.Kv,
  brandId: string,
  ids: string[],
  format: SeriesFormat,
): Promise<StoredCreation[]> {
  requireCount("creationIds", format, ids.length);
  const found = await readStored(kv, brandId, ids);
  for (const id of ids) {
    const creation = found.find((each) => each.id === id);
    if (creation === undefined || creation.deletedAt !== null) {
      throw invalid("creationIds", `${id} is no creation of this brand`);
    }
    if (creation.status === "complete") continue;
    throw new ServiceError(
      "conflict",
      `Creation ${id} is ${creation.status}. A post takes complete creations only.`,
    );
  }
  return found;
}
