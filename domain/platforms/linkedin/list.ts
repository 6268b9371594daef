/** LinkedIn's posts of an organization, and of a member those that we published (PLATFORMS B.3). */
import { z } from "zod";
import { iso } from "../../calendar.ts";
import type { IncomingPost, PostFormat } from "../../posts/shape.ts";
import { hasAddress, hashtagsOf } from "../caption.ts";
import type { Line } from "../line.ts";
import { listOwnPosts, type OwnPost } from "../own_posts.ts";
import type { Found, ListOptions } from "../platform.ts";
import { unescapeLittleText } from "./little_text.ts";
import { type Addresses, imageAddresses, videoAddresses } from "./media.ts";

export const PAGE = 100;

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
  line: Line,
  api: string,
  { since }: ListOptions,
): AsyncGenerator<Found[]> {
  if (line.account.kind === "member") {
    const own = await listOwnPosts(line.service, line.account);
    for (let at = 0; at < own.length; at += PAGE) {
      yield await Promise.all(own.slice(at, at + PAGE).map((post) => ownFound(line, post)));
    }
    return;
  }
  for (let start = 0;; start += PAGE) {
    const { elements, more } = await readPosts(line, api, PAGE, start);
    const public_ = elements.filter(({ lifecycleState: state }) =>
      (state ?? "PUBLISHED") === "PUBLISHED"
    );
    if (public_.length > 0) yield await toFound(line, api, public_, since);
    const last = elements.at(-1);
    if (!more || last === undefined || (since !== null && bornAt(last) < since)) return;
  }
}

/** An organization's posts, newest first. */
export async function readPosts(line: Line, api: string, count: number, start: number) {
  const author = encodeURIComponent(line.account.externalId);
  const { elements, paging } = await line.read({
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
  return urns.filter((urn) =>
    typeof urn === "string" && urn.startsWith("urn:li:image:")
  ) as string[];
}

function bornAt(element: Element): number {
  return element.publishedAt ?? element.createdAt ?? 0;
}

async function toFound(
  line: Line,
  api: string,
  elements: Element[],
  since: number | null,
): Promise<Found[]> {
  // Addresses cost calls: only for posts that are about to be written.
  const wanted = elements.filter((element) => since === null || bornAt(element) >= since);
  const images = await imageAddresses(line, api, wanted.flatMap(imageUrns));
  const videos = await videoAddresses(line, api, wanted.flatMap((one) => videoUrn(one) ?? []));
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
    publishedAt: iso(bornAt(element)),
  }, {
    hasLink: article !== undefined || hasAddress(caption),
    isVideo: videoUrn(element) !== null,
  });
}

/** A post's pictures; undefined, so that those we have stay, when one of them was not read. */
function picturesOf(element: Element, addresses: Addresses) {
  const video = videoUrn(element);
  const urns = video === null ? imageUrns(element) : [video];
  if (!urns.every((urn) => addresses.has(urn))) {
    return { thumbnailUrl: undefined, mediaUrls: undefined };
  }
  const mediaUrls = urns.map((urn) => addresses.get(urn)!).filter((url) => url !== null);
  return { thumbnailUrl: mediaUrls[0] ?? null, mediaUrls };
}

function videoUrn({ content }: Element): string | null {
  const id = content?.media?.id ?? "";
  return id.startsWith("urn:li:video:") ? id : null;
}

async function ownFound({ service }: Line, post: OwnPost): Promise<Found> {
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
    hints: { kind: urn.startsWith("urn:li:ugcPost:") ? "ugcPost" : "share", ...hints },
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
