/** Instagram's media: lists with cursors, single nodes, and the children of carousels. */
import type { Service } from "../../../domain/service/service.ts";
import { numbersAt } from "../../../domain/platforms/sandbox/growth.ts";
import { findPost, isGone, publicPosts } from "../../../domain/platforms/sandbox/posts.ts";
import type { SandboxPost } from "../../../domain/platforms/sandbox/shape.ts";
import { externalAccountId } from "../../../domain/platforms/sandbox/ids.ts";
import { readWorld, type World } from "../../../domain/platforms/sandbox/world.ts";
import { absolute, json } from "../wire.ts";
import { type GraphCall, requireOwner, requireScope } from "./call.ts";
import { badParameter, noSuchObject } from "./errors.ts";
import { parseFields, pick } from "./fields.ts";

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;
const NEWEST = 10_000;

/** `GET /{ig}/media`: all posts but stories; `GET /{ig}/stories`: the live stories. */
export async function listMedia(
  service: Service,
  call: GraphCall,
  owner: string,
  edge: "media" | "stories",
): Promise<Response> {
  requireOwner(call, owner);
  requireScope(call, "instagram_business_basic");
  const posts = (await publicPosts(service.kv, service.now, call.account))
    .filter((post) => (post.kind === "story") === (edge === "stories"))
    .slice(0, NEWEST);
  const inWindow = posts.filter(window(call));
  const { page, paging } = pageOf(service, call, owner, edge, inWindow);
  const world = await readWorld(service.kv);
  const fields = parseFields(call.params["fields"] ?? "id");
  return json({
    data: page.map((post) => pick(mediaNode(service, call, post, world), fields, "IGMedia")),
    ...(page.length === 0 ? {} : { paging }),
  });
}

/** `GET /{media}` */
export async function readMedia(service: Service, call: GraphCall, id: string): Promise<Response> {
  const post = await ownPost(service, call, id);
  const fields = parseFields(call.params["fields"] ?? "id");
  const node = mediaNode(service, call, post, await readWorld(service.kv));
  return json(pick(node, ["id", ...fields.filter((field) => field !== "id")], "IGMedia"));
}

/** `GET /{media}/children` */
export async function listChildren(
  service: Service,
  call: GraphCall,
  id: string,
): Promise<Response> {
  const post = await ownPost(service, call, id);
  const fields = parseFields(call.params["fields"] ?? "id");
  const children = childNodes(service, post).map((child) => pick(child, fields, "IGMedia"));
  return json({ data: children });
}

/** The post with this id. @throws Refusal 100/33 unless it is the token's own */
export async function ownPost(
  { kv, now }: Service,
  { account }: GraphCall,
  id: string,
): Promise<SandboxPost> {
  const post = await findPost(kv, "instagram", id);
  if (post === null || post.number !== account.number || isGone(post, now())) {
    throw noSuchObject(id);
  }
  return post;
}

function mediaNode(service: Service, call: GraphCall, post: SandboxPost, world: World) {
  const { account } = call;
  const numbers = numbersAt(account, post, world, service.now());
  const video = post.kind === "reel" || post.kind === "video";
  const cover = post.images[0];
  const shortcode = shortcodeOf(post);
  const comments = post.kind === "story" ? 0 : numbers.comments;
  return {
    id: post.id,
    caption: post.kind === "story" || post.caption === "" ? undefined : post.caption,
    media_type: video ? "VIDEO" : post.kind === "carousel" ? "CAROUSEL_ALBUM" : "IMAGE",
    media_product_type: PRODUCT_TYPE[post.kind] ?? "FEED",
    // Instagram gives no address for videos with licensed music, as reels here are.
    media_url: video || cover === undefined ? undefined : absolute(service, cover.url),
    thumbnail_url: video && cover !== undefined ? absolute(service, cover.url) : undefined,
    permalink: permalinkOf(account.handle, post, shortcode),
    shortcode,
    timestamp: new Date(post.publishedAt).toISOString().replace(/\.\d{3}Z$/, "+0000"),
    username: account.handle,
    like_count: post.likesHidden || post.kind === "story" ? undefined : numbers.likes,
    comments_count: comments,
    alt_text: cover?.altText === "" || post.kind !== "image" ? undefined : cover?.altText,
    is_comment_enabled: true,
    owner: { id: externalAccountId(account) },
    children: post.kind === "carousel" ? { data: childNodes(service, post) } : undefined,
  };
}

const PRODUCT_TYPE: Partial<Record<SandboxPost["kind"], string>> = {
  reel: "REELS",
  story: "STORY",
};

function childNodes(service: Service, post: SandboxPost) {
  if (post.kind !== "carousel") return [];
  return post.images.map((image) => ({
    id: image.id,
    media_type: "IMAGE",
    media_url: absolute(service, image.url),
    alt_text: image.altText === "" ? undefined : image.altText,
    thumbnail_url: undefined,
    timestamp: new Date(post.publishedAt).toISOString().replace(/\.\d{3}Z$/, "+0000"),
  }));
}

function permalinkOf(handle: string, post: SandboxPost, shortcode: string): string {
  if (post.kind === "story") return `https://www.instagram.com/stories/${handle}/${post.id}/`;
  const kind = post.kind === "reel" ? "reel" : "p";
  return `https://www.instagram.com/${kind}/${shortcode}/`;
}

function shortcodeOf(post: SandboxPost): string {
  return Uint8Array.fromHex(BigInt(post.id).toString(16).padStart(16, "0"))
    .toBase64({ alphabet: "base64url", omitPadding: true });
}

function window({ params }: GraphCall): (post: SandboxPost) => boolean {
  const since = seconds(params["since"], "since") ?? -Infinity;
  const until = seconds(params["until"], "until") ?? Infinity;
  return ({ publishedAt }) => publishedAt >= since && publishedAt <= until;
}

function seconds(value: string | undefined, name: string): number | null {
  if (value === undefined) return null;
  if (!/^\d{1,11}$/.test(value)) throw badParameter(`Param ${name} must be a valid timestamp.`);
  return Number(value) * 1_000;
}

function pageOf(
  service: Service,
  { params, version, token }: GraphCall,
  owner: string,
  edge: string,
  posts: SandboxPost[],
) {
  const limit = Number(params["limit"] ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1) {
    throw badParameter("Param limit must be an integer greater than 0.");
  }
  const start = params["after"] === undefined ? 0 : placeAfter(posts, params["after"]);
  const size = Math.min(limit, MAX_LIMIT);
  const page = posts.slice(start, start + size);
  const cursors = { before: cursorOf(page[0]), after: cursorOf(page.at(-1)) };
  if (start + size >= posts.length) return { page, paging: { cursors } };
  const next = new URL(
    `${service.settings.BASE_URL}/sandbox/instagram/${version}/${owner}/${edge}`,
  );
  next.search = new URLSearchParams({ ...params, access_token: token, after: cursors.after })
    .toString();
  return { page, paging: { cursors, next: next.href } };
}

/** A cursor names the last post of its page, so that new posts never shift the next page. */
function cursorOf(post: SandboxPost | undefined): string {
  return btoa(`${post?.publishedAt}:${post?.serial}`);
}

function placeAfter(posts: SandboxPost[], cursor: string): number {
  const [at, serial] = decoded(cursor).split(":").map(Number);
  if (at === undefined || serial === undefined || Number.isNaN(at + serial)) {
    throw badParameter("Invalid cursor value.");
  }
  const place = posts.findIndex((post) =>
    post.publishedAt < at || (post.publishedAt === at && post.serial < serial)
  );
  return place < 0 ? posts.length : place;
}

function decoded(cursor: string): string {
  try {
    return atob(cursor);
  } catch {
    return "";
  }
}
