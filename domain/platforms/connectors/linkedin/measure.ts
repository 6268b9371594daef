/** LinkedIn's numbers: an organization's in batches, a member's one metric a call (PLATFORMS B.4). */
import { z } from "zod";
import { mapLimited, type PlatformClient } from "../../contract/client.ts";
import type { Found, Measured, Measurement } from "../../contract/platform.ts";
import { PlatformError } from "../../contract/wire.ts";

/** URNs in one `List()`. */
const BATCH = 50;
const AT_ONCE = 4;

const Statistics = z.object({
  impressionCount: z.number().optional(),
  uniqueImpressionsCount: z.number().optional(),
  uniqueImpressionsCounts: z.number().optional(),
  clickCount: z.number().optional(),
  likeCount: z.number().optional(),
  commentCount: z.number().optional(),
  shareCount: z.number().optional(),
});
type Statistics = z.output<typeof Statistics>;
const ShareStatistics = z.object({
  elements: z.array(z.object({
    share: z.string().optional(),
    ugcPost: z.string().optional(),
    totalShareStatistics: Statistics,
  })),
});
const VideoAnalytics = z.object({ elements: z.array(z.object({ value: z.number() })) });
const MemberAnalytics = z.object({ elements: z.array(z.object({ count: z.number() })) });

const VIDEO_VIEW = "VIDEO_VIEW";
/** A member's metrics and the fields they fill. */
const MEMBER_METRICS = [
  { metric: "IMPRESSION", field: "impressions" },
  { metric: "MEMBERS_REACHED", field: "reach" },
  { metric: "REACTION", field: "likes" },
  { metric: "COMMENT", field: "comments" },
  { metric: "RESHARE", field: "shares" },
] as const satisfies { metric: string; field: keyof Measured }[];
type MemberMetric = (typeof MEMBER_METRICS)[number]["metric"];

export function measureLinkedIn(
  client: PlatformClient,
  api: string,
  found: Found[],
): Promise<Measurement[]> {
  return client.account.kind === "member"
    ? measureMember(client, api, found)
    : measureOrganization(client, api, found);
}

async function measureOrganization(
  client: PlatformClient,
  api: string,
  found: Found[],
): Promise<Measurement[]> {
  const statistics = new Map<string, Statistics>();
  for (const kind of ["share", "ugcPost"]) {
    const urns = found.filter(({ hints }) => hints.kind === kind)
      .map(({ post }) => post.externalId);
    for (let at = 0; at < urns.length; at += BATCH) {
      const batch = urns.slice(at, at + BATCH);
      for (const [urn, numbers] of await readStatistics(client, api, kind, batch)) {
        statistics.set(urn, numbers);
      }
    }
  }
  return await mapLimited(found, AT_ONCE, async (one) => {
    const numbers = statistics.get(one.post.externalId);
    // LinkedIn leaves out posts without activity: they keep their last numbers, at first 0.
    const active = numbers === undefined ? withoutViews(one) : one;
    const video = one.hints.isVideo
      ? await videoViews(client, api, one)
      : { views: numbers?.impressionCount, fault: null, isRefused: false };
    const measured = organizationMeasured(one, numbers ?? {}, video.views);
    return { found: active, measured, fault: video.fault, isRefused: video.isRefused };
  });
}

function withoutViews(found: Found): Found {
  return { ...found, hints: { ...found.hints, views: 0 } };
}

function organizationMeasured(
  { hints }: Found,
  numbers: Statistics,
  views: number | undefined,
): Measured {
  return {
    views,
    impressions: numbers.impressionCount,
    reach: numbers.uniqueImpressionsCount ?? numbers.uniqueImpressionsCounts,
    likes: numbers.likeCount,
    comments: numbers.commentCount,
    shares: numbers.shareCount,
    clicks: hints.hasLink ? numbers.clickCount : null,
  };
}

async function readStatistics(
  client: PlatformClient,
  api: string,
  kind: string,
  urns: string[],
): Promise<[string, Statistics][]> {
  const entity = encodeURIComponent(client.account.externalId);
  const list = urns.map(encodeURIComponent).join(",");
  const { elements } = await client.read({
    url: `${api}/rest/organizationalEntityShareStatistics?q=organizationalEntity` +
      `&organizationalEntity=${entity}&${kind}s=List(${list})`,
    headers: { "x-restli-method": "FINDER" },
  }, ShareStatistics);
  return elements.map((element) => [
    element.share ?? element.ugcPost ?? "",
    element.totalShareStatistics,
  ]);
}

async function videoViews(client: PlatformClient, api: string, { post, hints }: Found) {
  const { product } = hints;
  if (client.refusals.isRetired(product, VIDEO_VIEW)) {
    return { views: undefined, fault: null, isRefused: true };
  }
  const entity = encodeURIComponent(post.externalId);
  try {
    const { elements } = await client.read({
      url:
        `${api}/rest/videoAnalytics?q=entity&entity=${entity}&type=${VIDEO_VIEW}&aggregation=ALL`,
      headers: { "x-restli-method": "FINDER" },
    }, VideoAnalytics);
    client.refusals.noteRead(product, VIDEO_VIEW);
    return { views: elements[0]?.value, fault: null, isRefused: false };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const fault = client.missMetric(product, VIDEO_VIEW, error);
    return { views: undefined, fault, isRefused: fault === null };
  }
}

function measureMember(
  client: PlatformClient,
  api: string,
  found: Found[],
): Promise<Measurement[]> {
  return mapLimited(found, AT_ONCE, async (one): Promise<Measurement> => {
    const measured: Measured = {};
    const missed: [MemberMetric, PlatformError][] = [];
    const read: MemberMetric[] = [];
    const { product } = one.hints;
    const asked = MEMBER_METRICS.filter(({ metric }) =>
      !client.refusals.isRetired(product, metric)
    );
    for (const { metric, field } of asked) {
      try {
        measured[field] = await memberCount(client, api, one, metric);
        read.push(metric);
      } catch (error) {
        if (!(error instanceof PlatformError) || error.isAccountWide) throw error;
        missed.push([metric, error]);
      }
    }
    // When each metric is refused, the post has no numbers; the metrics themselves may still exist.
    if (missed.length === asked.length) {
      const words = "LinkedIn refuses every metric of this person's posts.";
      return { found: one, error: missed.at(-1)?.[1] ?? new PlatformError("badRequest", words) };
    }
    for (const metric of read) client.refusals.noteRead(product, metric);
    const faults = missed.map(([metric, error]) => client.missMetric(product, metric, error));
    const fault = faults.find((fault) => fault !== null) ?? null;
    const isRefused = asked.length < MEMBER_METRICS.length || faults.includes(null);
    return { found: one, measured: { ...measured, views: measured.impressions }, fault, isRefused };
  });
}

async function memberCount(client: PlatformClient, api: string, one: Found, metric: MemberMetric) {
  const union = one.hints.kind === "ugcPost" ? "ugc" : "share";
  const entity = `(${union}:${encodeURIComponent(one.post.externalId)})`;
  const { elements } = await client.read({
    url: `${api}/rest/memberCreatorPostAnalytics?q=entity&entity=${entity}` +
      `&queryType=${metric}&aggregation=TOTAL`,
    headers: { "x-restli-method": "FINDER" },
  }, MemberAnalytics);
  return elements[0]?.count;
}
