/** Instagram's media and live stories, as posts (PLATFORMS A.3). */
import { z } from "zod";
import type { PostFormat } from "../../posts/shape.ts";
import { hashtagsOf, instant } from "../caption.ts";
import type { Line } from "../line.ts";
import type { Found, ListOptions } from "../platform.ts";
import { address } from "../wire.ts";

export const PAGE = 50;
const FIELDS = "id,caption,media_type,media_product_type,media_url,thumbnail_url,permalink," +
  "shortcode,timestamp,username,like_count,comments_count,alt_text,is_comment_enabled," +
  "children{id,media_type,media_url,thumbnail_url}";

const picture = {
  id: z.string(),
  media_type: z.string().optional(),
  media_url: z.string().optional(),
  thumbnail_url: z.string().optional(),
};
export const Media = z.object({
  ...picture,
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

const MediaPage = z.object({
  data: z.array(Media),
  paging: z.object({
    cursors: z.object({ after: z.string().optional() }).optional(),
    next: z.string().optional(),
  }).optional(),
});

/** Live stories first (they last a day), then the feed until `since`. */
export async function* listInstagram(
  line: Line,
  graph: string,
  { since }: ListOptions,
): AsyncGenerator<Found[]> {
  const account = `${graph}/${line.account.externalId}`;
  for await (const page of pages(line, `${account}/stories`, {})) {
    yield page.map((media) => toFound(media, "STORY"));
  }
  for await (const page of pages(line, `${account}/media`, {})) {
    yield page.map((media) => toFound(media));
    const last = page.at(-1);
    if (since !== null && last !== undefined && Date.parse(instantOf(last)) < since) return;
  }
}

/** Every page of an edge. The answer's `next` is not followed: it holds the token. */
export async function* pages(
  line: Line,
  edge: string,
  query: Record<string, string | number>,
): AsyncGenerator<Media[]> {
  let after: string | null = null;
  do {
    const url: string = address(edge, { fields: FIELDS, limit: PAGE, ...query, after });
    const { data, paging } = await line.read({ url }, MediaPage);
    if (data.length > 0) yield data;
    after = paging?.next === undefined ? null : cursorOf(paging.next, paging.cursors?.after);
  } while (after !== null);
}

function cursorOf(next: string, after: string | undefined): string | null {
  return after ?? (URL.canParse(next) ? new URL(next).searchParams.get("after") : null);
}

function instantOf(media: Media): string {
  return instant(media.timestamp) ?? media.timestamp;
}

function toFound(media: Media, product?: string): Found {
  const kind = product ?? productOf(media);
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
      thumbnailUrl: cover,
      mediaUrls: imagesOf(media),
      publishedAt: instantOf(media),
    },
    hints: { kind, likes: media.like_count, comments: media.comments_count },
  };
}

/** `media_product_type` may be withheld: the address of a reel tells it, too. */
function productOf(media: Media): string {
  return media.media_product_type ?? (media.permalink?.includes("/reel/") ? "REELS" : "FEED");
}

function formatOf(media: Media, kind: string): PostFormat {
  if (kind === "STORY") return "story";
  if (kind === "REELS") return "reel";
  if (media.media_type === "CAROUSEL_ALBUM") return "carousel";
  return media.media_type === "VIDEO" ? "video" : "image";
}

/** Every image in order; a video shows its cover. */
function imagesOf(media: Media): string[] {
  const parts = media.children?.data ?? [media];
  return parts
    .map((part) => part.media_type === "VIDEO" ? part.thumbnail_url : part.media_url)
    .filter((url) => url !== undefined);
}
