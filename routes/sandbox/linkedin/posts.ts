/** Reads an organization's posts, in a list or by URN (PLATFORMS B.3). */
import type { SandboxAccount } from "../../../domain/platforms/sandbox/accounts.ts";
import { SECOND } from "../../../domain/foundation/calendar.ts";
import { externalAccountId } from "../../../domain/platforms/sandbox/ids.ts";
import { findPost, publicPosts } from "../../../domain/platforms/sandbox/posts.ts";
import type { SandboxPost } from "../../../domain/platforms/sandbox/shape.ts";
import type { Service } from "../../../domain/service/service.ts";
import { absolute, json } from "../wire.ts";
import { requireScope, type RestCall } from "./call.ts";
import { accessDenied, apiError, badQuery, notFound } from "./errors.ts";
import { urnOf, wholeNumber } from "./restli.ts";

const MAX_COUNT = 100;

/** `GET /rest/posts?q=author&author={urn}` */
export async function listPosts(service: Service, call: RestCall): Promise<Response> {
  const { query, account } = call;
  if (query.get("q") !== "author") throw badQuery("q must be author");
  const author = urnOf(query.get("author"), "author");
  if (author.startsWith("urn:li:person:")) {
    throw apiError(
      400,
      "INVALID_URN_TYPE",
      "Member permissions must be used when using member as author",
    );
  }
  requireScope(call, "partnerApiPosts.FINDER-author", { organization: "r_organization_social" });
  requireOwn(account, author, "partnerApiPosts.FINDER-author");
  const start = wholeNumber(query, "start", 0);
  const count = wholeNumber(query, "count", 10);
  if (count < 1 || count > MAX_COUNT) throw badQuery(`count must be between 1 and ${MAX_COUNT}`);
  const sortBy = query.get("sortBy") ?? "LAST_MODIFIED";
  if (!["LAST_MODIFIED", "CREATED"].includes(sortBy)) throw badQuery("sortBy is unknown");
  const posts = await publicPosts(service.kv, service.now, account);
  const page = posts.slice(start, start + count);
  const next = new URLSearchParams({ q: "author", author, count: String(count), sortBy });
  next.set("start", String(start + count));
  return json({
    paging: {
      start,
      count,
      links: start + count < posts.length
        ? [{ rel: "next", type: "application/json", href: `/rest/posts?${next}` }]
        : [],
    },
    elements: page.map((post) => postNode(account, post)),
  });
}

/** `GET /rest/posts/{urn}` */
export async function readPost(service: Service, call: RestCall, raw: string): Promise<Response> {
  const urn = urnOf(raw, "id");
  requireScope(call, "partnerApiPosts.GET", { organization: "r_organization_social" });
  const post = await findPost(service.kv, "linkedin", urn);
  if (post === null) throw notFound(urn);
  if (post.number !== call.account.number) throw accessDenied("partnerApiPosts.GET");
  return json(postNode(call.account, post));
}

export function requireOwn(account: SandboxAccount, urn: string, resource: string): void {
  if (urn !== externalAccountId(account)) throw accessDenied(resource);
}

/** A member's token can't read posts, but may read the numbers of its own posts by URN. */
export const ownsPost = (account: SandboxAccount, post: SandboxPost | null): boolean =>
  post !== null && post.number === account.number;

/** `GET /rest/videos/{urn}`: only made-up posts have videos. */
export async function readVideo(service: Service, call: RestCall, raw: string): Promise<Response> {
  const urn = urnOf(raw, "id");
  requireScope(call, "partnerApiVideos.GET", { organization: "r_organization_social" });
  const posts = await publicPosts(service.kv, service.now, call.account);
  const post = posts.find((one) => one.kind === "video" && mediaUrn(call.account, one) === urn);
  const cover = post?.images[0];
  if (post === undefined || cover === undefined) throw notFound(urn);
  return json({
    id: urn,
    owner: externalAccountId(call.account),
    status: "AVAILABLE",
    thumbnail: absolute(service, cover.url),
    duration: (post.durationSec ?? 0) * SECOND,
  });
}

function mediaUrn({ number }: SandboxAccount, { kind, serial }: SandboxPost): string {
  return `urn:li:${kind}:C5F05AQ${number}${String(serial).padStart(5, "0")}`;
}

function postNode(account: SandboxAccount, post: SandboxPost) {
  const content = contentOf(account, post);
  return {
    id: post.id,
    author: externalAccountId(account),
    commentary: post.wireText ?? post.caption,
    visibility: "PUBLIC",
    lifecycleState: "PUBLISHED",
    lifecycleStateInfo: { isEditedByAuthor: false },
    createdAt: post.publishedAt,
    publishedAt: post.publishedAt,
    lastModifiedAt: post.publishedAt,
    distribution: {
      feedDistribution: "MAIN_FEED",
      targetEntities: [],
      thirdPartyDistributionChannels: [],
    },
    ...(content === null ? {} : { content }),
    isReshareDisabledByAuthor: false,
  };
}

function contentOf(account: SandboxAccount, post: SandboxPost) {
  const [cover] = post.images;
  switch (post.kind) {
    case "text":
      return null;
    case "carousel":
      return { multiImage: { images: post.images.map(({ id, altText }) => ({ id, altText })) } };
    case "article":
      return {
        article: {
          source: post.link,
          title: post.title,
          description: "",
          thumbnail: cover?.id,
        },
      };
    case "video":
    case "document":
      return { media: { id: mediaUrn(account, post), title: post.title } };
    default:
      return { media: { id: cover?.id, altText: cover?.altText } };
  }
}
