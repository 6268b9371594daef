/** Lists Instagram's media and live stories as posts (PLATFORMS A.3). */
import { z } from "zod";
import type { PostFormat } from "../../../posts/shape.ts";
import { hashtagsOf, instant } from "../../contract/texts.ts";
import type { PlatformClient } from "../../contract/client.ts";
import type { Found, ListOptions } from "../../contract/platform.ts";
import { address, PlatformError } from "../../contract/wire.ts";

export const PAGE_SIZE = 50;
/** Only what is read: each field is one more that Instagram can refuse. */
const FIELDS = "id,caption,media_type,media_product_type,media_url,thumbnail_url,permalink," +
  "shortcode,timestamp,like_count,comments_count,children{media_type,media_url,thumbnail_url}";
/** Asked for when it refuses one of them: what every kind of media has in every version. */
const FEWEST_FIELDS = "id,media_type,media_url,thumbnail_url,permalink,timestamp";

const picture = {
  media_type: z.string().optional(),
  media_url: z.string().optional(),
  thumbnail_url: z.string().optional(),
};
export const Media = z.object({
  ...picture,
  id: z.string(),
  caption: z.string().nullish(),
  media_product_type: z.string().optional(),
  permalink: z.string().optional(),
  shortcode: z.string().optional(),
  timestamp: z.string(),
  like_count: z.number().optional(),
  comments_count: z.number().optional(),
  children: z.object({ data: z.array(z.object(picture)) }).optional(),
});
export type Media = z.output<typeof Media>;
/** `isWhole`: whether all fields were asked for. */
type Listed = Media & { isWhole: boolean };

const MediaPage = z.object({
  data: z.array(Media),
  paging: z.object({
    cursors: z.object({ after: z.string().optional() }).optional(),
    next: z.string().optional(),
  }).optional(),
});

/** Lists the live stories, then the feed back to `since`. */
export async function* listInstagram(
  client: PlatformClient,
  graph: string,
  { since }: ListOptions,
): AsyncGenerator<Found[]> {
  const account = `${graph}/${client.account.externalId}`;
  for await (const page of pages(client, `${account}/stories`, {})) {
    yield page.map((media) => toFound(media, "STORY"));
  }
  for await (const page of pages(client, `${account}/media`, {})) {
    yield page.map((media) => toFound(media));
    const last = page.at(-1);
    if (since !== null && last !== undefined && Date.parse(instantOf(last)) < since) return;
  }
}

/** Every page of an edge. The answer's `next` address is not used, because it holds the token. */
export async function* pages(
  client: PlatformClient,
  edge: string,
  query: Record<string, string | number>,
): AsyncGenerator<Listed[]> {
  let after: string | null = null;
  let fields = FIELDS;
  do {
    const url = (): string => address(edge, { fields, limit: PAGE_SIZE, ...query, after });
    const page = await client.read({ url: url() }, MediaPage).catch((error) => {
      if (fields === FEWEST_FIELDS || !isRefused(error)) throw error;
      fields = FEWEST_FIELDS;
      client.service.log.warn("platform.fieldsRefused", {
        account: client.account.id,
        message: error.message,
      });
      return client.read({ url: url() }, MediaPage);
    });
    const { data, paging } = page;
    const isWhole = fields === FIELDS;
    if (data.length > 0) yield data.map((media) => ({ ...media, isWhole }));
    after = paging?.next === undefined ? null : cursorOf(paging.next, paging.cursors?.after);
  } while (after !== null);
}

function isRefused(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.fault === "badRequest";
}

function cursorOf(next: string, after: string | undefined): string | null {
  return after ?? (URL.canParse(next) ? new URL(next).searchParams.get("after") : null);
}

function instantOf(media: Media): string {
  return instant(media.timestamp) ?? media.timestamp;
}

function toFound(media: Listed, product?: string): Found {
  const { isWhole } = media;
  const kind = product ?? productOf(media);
  // The caption is left out of an answer where there is none, or where it was not asked for.
  const caption = media.caption ?? "";
  const cover = media.thumbnail_url ?? media.media_url ?? null;
  return {
    post: {
      externalId: media.id,
      platform: "instagram",
      format: formatOf(media, kind),
      title: null,
      url: media.permalink ??
        `https://www.instagram.com/${media.shortcode === undefined ? "" : `p/${media.shortcode}/`}`,
      caption,
      hashtags: hashtagsOf(caption),
      keeps: isWhole ? [] : ["format", "url", "caption", "hashtags"],
      thumbnailUrl: cover,
      mediaUrls: isWhole ? imagesOf(media) : undefined,
      publishedAt: instantOf(media),
    },
    hints: {
      kind,
      product: PRODUCTS[kind] ?? kind,
      likes: media.like_count,
      comments: media.comments_count,
    },
  };
}

const PRODUCTS: Record<string, string> = { FEED: "feed posts", REELS: "reels", STORY: "stories" };

/** `media_product_type` may be missing; a reel is then known by its address. */
function productOf(media: Media): string {
  return media.media_product_type ?? (media.permalink?.includes("/reel/") ? "REELS" : "FEED");
}

function formatOf(media: Media, kind: string): PostFormat {
  if (kind === "STORY") return "story";
  if (kind === "REELS") return "reel";
  if (media.media_type === "CAROUSEL_ALBUM") return "carousel";
  return media.media_type === "VIDEO" ? "video" : "image";
}

/** The images in order; a video's cover stands for the video. */
function imagesOf(media: Media): string[] {
  const parts = media.children?.data ?? [media];
  return parts
    .map((part) => part.media_type === "VIDEO" ? part.thumbnail_url : part.media_url)
    .filter((url) => url !== undefined);
}
