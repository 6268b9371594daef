/** Lists an organization's posts, or a member's posts that Marquee published (PLATFORMS B.3). */
import { z } from "zod";
import { iso } from "../../../foundation/calendar.ts";
import type { IncomingPost, PostFormat } from "../../../posts/shape.ts";
import { hasAddress, hashtagsOf } from "../../contract/texts.ts";
import type { PlatformClient } from "../../contract/client.ts";
import { listOwnPosts, type OwnPost } from "../../own_posts.ts";
import type { Found, ListOptions } from "../../contract/platform.ts";
import { unescapeLittleText } from "./little_text.ts";
import { type Addresses, imageAddresses, videoAddresses } from "./media.ts";

export const PAGE_SIZE = 100;

const Content = z.object({
  media: z.object({ id: z.string(), title: z.string().nullish() }).optional(),
  multiImage: z.object({ images: z.array(z.object({ id: z.string() })) }).optional(),
  article: z.object({
    source: z.string().optional(),
    title: z.string().nullish(),
    thumbnail: z.string().nullish(),
  }).optional(),
});
const Element = z.object({
  id: z.string(),
  commentary: z.string().nullish(),
  lifecycleState: z.string().optional(),
  createdAt: z.number().optional(),
  publishedAt: z.number().optional(),
  content: Content.optional(),
});
type Element = z.output<typeof Element>;

const PostsPage = z.object({
  elements: z.array(Element),
  paging: z.object({ links: z.array(z.object({ rel: z.string() })).optional() }).optional(),
});

export async function* listLinkedIn(
  client: PlatformClient,
  api: string,
  { since }: ListOptions,
): AsyncGenerator<Found[]> {
  if (client.account.kind === "member") {
    const own = await listOwnPosts(client.service, client.account);
    for (let at = 0; at < own.length; at += PAGE_SIZE) {
      yield await Promise.all(own.slice(at, at + PAGE_SIZE).map((post) => ownFound(client, post)));
    }
    return;
  }
  for (let start = 0;; start += PAGE_SIZE) {
    const { elements, more } = await readPosts(client, api, PAGE_SIZE, start);
    const published = elements.filter(({ lifecycleState: state }) =>
      (state ?? "PUBLISHED") === "PUBLISHED"
    );
    if (published.length > 0) yield await toFound(client, api, published, since);
    const last = elements.at(-1);
    if (!more || last === undefined || (since !== null && publishedAtOf(last) < since)) return;
  }
}

/** One page of an organization's posts, newest first. */
export async function readPosts(client: PlatformClient, api: string, count: number, start: number) {
  const author = encodeURIComponent(client.account.externalId);
  const { elements, paging } = await client.read({
    url: `${api}/rest/posts?author=${author}&q=author&count=${count}&start=${start}&sortBy=CREATED`,
    headers: { "x-restli-method": "FINDER" },
  }, PostsPage);
  const next = paging?.links?.some(({ rel }) => rel === "next") ?? false;
  return { elements, more: next || (paging?.links === undefined && elements.length === count) };
}

/** URNs of a post's images, in order. */
export function imageUrns({ content }: Element): string[] {
  const { media, multiImage, article } = content ?? {};
  const urns = multiImage?.images.map(({ id }) => id) ?? [media?.id, article?.thumbnail];
  return urns.filter((urn) => typeof urn === "string")
    .filter((urn) => urn.startsWith("urn:li:image:"));
}

function publishedAtOf(element: Element): number {
  return element.publishedAt ?? element.createdAt ?? 0;
}

async function toFound(
  client: PlatformClient,
  api: string,
  elements: Element[],
  since: number | null,
): Promise<Found[]> {
  // Addresses cost calls, so they are read only for posts that may be stored in this pass.
  const wanted = elements.filter((element) => since === null || publishedAtOf(element) >= since);
  const images = await imageAddresses(client, api, wanted.flatMap(imageUrns));
  const videos = await videoAddresses(client, api, wanted.flatMap((one) => videoUrn(one) ?? []));
  const addresses = new Map([...images, ...videos]);
  return elements.map((element) => elementFound(element, addresses));
}

function elementFound(element: Element, addresses: Addresses): Found {
  const { media, article } = element.content ?? {};
  const caption = unescapeLittleText(element.commentary ?? "");
  return found(element.id, {
    format: formatOf(element),
    title: article?.title ?? media?.title ?? null,
    caption,
    ...picturesOf(element, addresses),
    publishedAt: iso(publishedAtOf(element)),
  }, {
    hasLink: article !== undefined || hasAddress(caption),
    isVideo: videoUrn(element) !== null,
  });
}

/** The post's pictures; undefined when one was not read, so that the stored ones stay. */
function picturesOf(element: Element, addresses: Addresses) {
  const video = videoUrn(element);
  const urns = video === null ? imageUrns(element) : [video];
  if (!urns.every((urn) => addresses.has(urn))) {
    return { thumbnailUrl: undefined, mediaUrls: undefined };
  }
  const mediaUrls = urns.map((urn) => addresses.get(urn)).filter((url) => typeof url === "string");
  return { thumbnailUrl: mediaUrls[0] ?? null, mediaUrls };
}

function videoUrn({ content }: Element): string | null {
  const id = content?.media?.id ?? "";
  return id.startsWith("urn:li:video:") ? id : null;
}

async function ownFound({ service }: PlatformClient, post: OwnPost): Promise<Found> {
  const mediaUrls = await Promise.all(post.keys.map((key) => service.storage.url(key)));
  return found(post.externalId, {
    format: post.format === "carousel" ? "carousel" : "image",
    title: null,
    caption: post.text,
    thumbnailUrl: mediaUrls[0] ?? null,
    mediaUrls,
    publishedAt: post.publishedAt,
  }, { hasLink: hasAddress(post.text), isVideo: false });
}

function found(
  urn: string,
  post: Pick<
    IncomingPost,
    "format" | "title" | "caption" | "thumbnailUrl" | "mediaUrls" | "publishedAt"
  >,
  hints: { hasLink: boolean; isVideo: boolean },
): Found {
  return {
    post: {
      externalId: urn,
      platform: "linkedin",
      url: postUrl(urn),
      hashtags: hashtagsOf(post.caption),
      ...post,
    },
    hints: {
      kind: urn.startsWith("urn:li:ugcPost:") ? "ugcPost" : "share",
      product: hints.isVideo ? "videos" : "posts",
      ...hints,
    },
  };
}

export function postUrl(urn: string): string {
  return `https://www.linkedin.com/feed/update/${urn}/`;
}

function formatOf({ content }: Element): PostFormat {
  if (content?.multiImage !== undefined) return "carousel";
  const id = content?.media?.id ?? "";
  if (id.startsWith("urn:li:video:")) return "video";
  return id.startsWith("urn:li:document:") ? "carousel" : "image";
}
