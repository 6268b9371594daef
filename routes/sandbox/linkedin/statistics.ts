/** LinkedIn's numbers: an organization's for each share, a member's for each metric (PLATFORMS B.4). */
import { isMember } from "../../../domain/platforms/sandbox/accounts.ts";
import { type Numbers, numbersAt } from "../../../domain/platforms/sandbox/growth.ts";
import { findPost, findPosts } from "../../../domain/platforms/sandbox/posts.ts";
import type { SandboxPost } from "../../../domain/platforms/sandbox/shape.ts";
import { readWorld } from "../../../domain/platforms/sandbox/world.ts";
import type { Service } from "../../../domain/service/service.ts";
import { json } from "../wire.ts";
import { requireScope, type RestCall } from "./call.ts";
import { accessDenied, badQuery } from "./errors.ts";
import { ownsPost, requireOwn } from "./posts.ts";
import { urnOf, urnsOf } from "./restli.ts";

/** LinkedIn refuses longer addresses. */
const MAX_URL = 8_000;

/** `GET /rest/organizationalEntityShareStatistics?q=organizationalEntity&shares=List(...)` */
export async function shareStatistics(service: Service, call: RestCall): Promise<Response> {
  const { query, account } = call;
  const resource = "organizationalEntityShareStatistics.FINDER-organizationalEntity";
  if (query.get("q") !== "organizationalEntity") throw badQuery("q must be organizationalEntity");
  if (call.request.url.length > MAX_URL) throw badQuery("the address is too long");
  const organization = urnOf(query.get("organizationalEntity"), "organizationalEntity");
  requireScope(call, resource, { organization: "rw_organization_admin" });
  requireOwn(account, organization, resource);
  const shares = urnsOf(query.get("shares") ?? "List()", "shares");
  const ugcPosts = urnsOf(query.get("ugcPosts") ?? "List()", "ugcPosts");
  if (shares.length + ugcPosts.length === 0) throw badQuery("shares or ugcPosts is required");
  requireType(shares, "share");
  requireType(ugcPosts, "ugcPost");
  const world = await readWorld(service.kv);
  const posts = (await findPosts(service.kv, "linkedin", shares))
    .filter((post): post is SandboxPost => ownsPost(account, post));
  const elements = posts
    .map((post) => ({ post, numbers: numbersAt(account, post, world, service.now()) }))
    // Posts without activity are left out.
    .filter(({ numbers }) => numbers.views > 0)
    .map(({ post, numbers }) => ({
      organizationalEntity: organization,
      share: post.id,
      totalShareStatistics: totals(numbers),
    }));
  return json({ paging: { start: 0, count: elements.length, links: [] }, elements });
}

function requireType(urns: string[], type: "share" | "ugcPost"): void {
  const wrong = urns.find((urn) => !urn.startsWith(`urn:li:${type}:`));
  if (wrong !== undefined) throw badQuery(`${wrong} is no ${type}`);
}

function totals({ views, reach, likes, comments, shares, clicks }: Numbers) {
  return {
    impressionCount: views,
    uniqueImpressionsCount: reach,
    clickCount: clicks,
    likeCount: likes,
    commentCount: comments,
    shareCount: shares,
    engagement: views === 0 ? 0 : (clicks + likes + comments + shares) / views,
  };
}

const MEMBER_METRICS: Record<string, (numbers: Numbers) => number> = {
  IMPRESSION: ({ views }) => views,
  MEMBERS_REACHED: ({ reach }) => reach,
  RESHARE: ({ shares }) => shares,
  REACTION: ({ likes }) => likes,
  COMMENT: ({ comments }) => comments,
  POST_SAVE: ({ likes }) => Math.floor(likes / 8),
};

/** `GET /rest/memberCreatorPostAnalytics?q=entity&entity=(share:{urn})&queryType=IMPRESSION` */
export async function memberAnalytics(service: Service, call: RestCall): Promise<Response> {
  const { query, account } = call;
  const resource = "memberCreatorPostAnalytics.FINDER-entity";
  if (query.get("q") !== "entity") throw badQuery("q must be entity");
  requireScope(call, resource, { member: "r_member_postAnalytics" });
  const [, type, encoded] = /^\((share|ugc):([^()]+)\)$/.exec(query.get("entity") ?? "") ?? [];
  if (type === undefined) throw badQuery("entity must be (share:urn) or (ugc:urn)");
  const urn = urnOf(encoded, "entity");
  const queryType = query.get("queryType") ?? "";
  const metric = MEMBER_METRICS[queryType];
  if (metric === undefined) throw badQuery(`queryType ${queryType} is unknown`);
  const aggregation = query.get("aggregation") ?? "TOTAL";
  if (aggregation !== "TOTAL") throw badQuery(`aggregation ${aggregation} is not kept here`);
  const post = await findPost(service.kv, "linkedin", urn);
  if (post === null || !isMember(account) || !ownsPost(account, post)) throw accessDenied(resource);
  const world = await readWorld(service.kv);
  const count = metric(numbersAt(account, post, world, service.now()));
  // No elements mean that the number is unknown, not 0.
  const elements = count === 0
    ? []
    : [{ count, metricType: queryType, targetEntity: { [type]: urn } }];
  return json({ paging: { start: 0, count: 10, links: [] }, elements });
}

/** `GET /rest/videoAnalytics?q=entity&entity={urn}&type=VIDEO_VIEW&aggregation=ALL` */
export async function videoAnalytics(service: Service, call: RestCall): Promise<Response> {
  const { query, account } = call;
  requireScope(call, "videoAnalytics.FINDER-entity", { organization: "r_organization_social" });
  const urn = urnOf(query.get("entity"), "entity");
  if (query.get("type") !== "VIDEO_VIEW") throw badQuery("type is unknown");
  const post = await findPost(service.kv, "linkedin", urn);
  if (post === null || !ownsPost(account, post)) throw accessDenied("videoAnalytics");
  const { views } = numbersAt(account, post, await readWorld(service.kv), service.now());
  const value = Math.floor(views * VIDEO_PLAYS);
  const elements = post.kind !== "video" || value === 0
    ? []
    : [{ entity: urn, type: "VIDEO_VIEW", value }];
  return json({ paging: { start: 0, count: 10, links: [] }, elements });
}

/** The share of a video's impressions that play it. */
const VIDEO_PLAYS = 0.6;
