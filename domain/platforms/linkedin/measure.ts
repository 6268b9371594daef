/** LinkedIn's numbers: of an organization in lists, of a member one metric a call (PLATFORMS B.4). */
import { z } from "zod";
import { mapLimited } from "../limited.ts";
import type { Line } from "../line.ts";
import type { Found, Measured, Measurement } from "../platform.ts";
import { PlatformError } from "../wire.ts";

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
/** The member's metrics and the fields they fill. */
const MEMBER_METRICS = [
  { metric: "IMPRESSION", field: "impressions" },
  { metric: "MEMBERS_REACHED", field: "reach" },
  { metric: "REACTION", field: "likes" },
  { metric: "COMMENT", field: "comments" },
  { metric: "RESHARE", field: "shares" },
] as const satisfies { metric: string; field: keyof Measured }[];
type MemberMetric = (typeof MEMBER_METRICS)[number]["metric"];

export function measureLinkedIn(line: Line, api: string, found: Found[]): Promise<Measurement[]> {
  return line.account.kind === "member"
    ? measureMember(line, api, found)
    : measureOrganization(line, api, found);
}

async function measureOrganization(
  line: Line,
  api: string,
  found: Found[],
): Promise<Measurement[]> {
  const statistics = new Map<string, Statistics>();
  for (const kind of ["share", "ugcPost"]) {
    const urns = found.filter(({ hints }) => hints.kind === kind)
      .map(({ post }) => post.externalId);
    for (let at = 0; at < urns.length; at += BATCH) {
      const batch = urns.slice(at, at + BATCH);
      for (const [urn, numbers] of await readStatistics(line, api, kind, batch)) {
        statistics.set(urn, numbers);
      }
    }
  }
  return await mapLimited(found, AT_ONCE, async (one) => {
    // A post that is left out has had no activity: what it had stands, and at first that is 0.
    const numbers = statistics.get(one.post.externalId) ?? {};
    const { views, fault } = one.hints.isVideo
      ? await videoViews(line, api, one)
      : { views: numbers.impressionCount, fault: null };
    return { found: one, measured: organizationMeasured(one, numbers, views), fault };
  });
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
  line: Line,
  api: string,
  kind: string,
  urns: string[],
): Promise<[string, Statistics][]> {
  const entity = encodeURIComponent(line.account.externalId);
  const list = urns.map(encodeURIComponent).join(",");
  const { elements } = await line.read({
    url: `${api}/rest/organizationalEntityShareStatistics?q=organizationalEntity` +
      `&organizationalEntity=${entity}&${kind}s=List(${list})`,
    headers: { "x-restli-method": "FINDER" },
  }, ShareStatistics);
  return elements.map((element) => [
    element.share ?? element.ugcPost ?? "",
    element.totalShareStatistics,
  ]);
}

async function videoViews(line: Line, api: string, { post }: Found) {
  if (line.isRetired(VIDEO_VIEW)) return { views: undefined, fault: null };
  const entity = encodeURIComponent(post.externalId);
  try {
    const { elements } = await line.read({
      url:
        `${api}/rest/videoAnalytics?q=entity&entity=${entity}&type=${VIDEO_VIEW}&aggregation=ALL`,
      headers: { "x-restli-method": "FINDER" },
    }, VideoAnalytics);
    return { views: elements[0]?.value, fault: null };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return { views: undefined, fault: line.missMetric(VIDEO_VIEW, error) };
  }
}

function measureMember(line: Line, api: string, found: Found[]): Promise<Measurement[]> {
  return mapLimited(found, AT_ONCE, async (one): Promise<Measurement> => {
    const measured: Measured = {};
    const missed: [MemberMetric, PlatformError][] = [];
    const asked = MEMBER_METRICS.filter(({ metric }) => !line.isRetired(metric));
    for (const { metric, field } of asked) {
      try {
        measured[field] = await memberCount(line, api, one, metric);
      } catch (error) {
        if (!(error instanceof PlatformError) || error.isAccountWide) throw error;
        missed.push([metric, error]);
      }
    }
    // Without any it is the post that has no numbers, not the metrics that are gone.
    if (missed.length === asked.length) {
      const words = "LinkedIn refuses every metric of members' posts.";
      return { found: one, error: missed.at(-1)?.[1] ?? new PlatformError("badRequest", words) };
    }
    const faults = missed.map(([metric, error]) => line.missMetric(metric, error));
    const fault = faults.find((fault) => fault !== null) ?? null;
    return { found: one, measured: { ...measured, views: measured.impressions }, fault };
  });
}

async function memberCount(line: Line, api: string, one: Found, metric: MemberMetric) {
  const union = one.hints.kind === "ugcPost" ? "ugc" : "share";
  const entity = `(${union}:${encodeURIComponent(one.post.externalId)})`;
  const { elements } = await line.read({
    url: `${api}/rest/memberCreatorPostAnalytics?q=entity&entity=${entity}` +
      `&queryType=${metric}&aggregation=TOTAL`,
    headers: { "x-restli-method": "FINDER" },
  }, MemberAnalytics);
  return elements[0]?.count;
}
