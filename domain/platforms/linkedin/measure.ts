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

/** The member's metrics and the fields they fill. */
const MEMBER_METRICS = {
  IMPRESSION: "impressions",
  MEMBERS_REACHED: "reach",
  REACTION: "likes",
  COMMENT: "comments",
  RESHARE: "shares",
} as const satisfies Record<string, keyof Measured>;
type MemberMetric = keyof typeof MEMBER_METRICS;

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
    const views = one.hints.isVideo ? await videoViews(line, api, one) : numbers.impressionCount;
    return { found: one, measured: organizationMeasured(one, numbers, views) };
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

async function videoViews(line: Line, api: string, { post }: Found): Promise<number | undefined> {
  const entity = encodeURIComponent(post.externalId);
  return await missingWhenRefused(line, "VIDEO_VIEW", async () => {
    const { elements } = await line.read({
      url: `${api}/rest/videoAnalytics?q=entity&entity=${entity}&type=VIDEO_VIEW&aggregation=ALL`,
      headers: { "x-restli-method": "FINDER" },
    }, VideoAnalytics);
    return elements[0]?.value;
  });
}

function measureMember(line: Line, api: string, found: Found[]): Promise<Measurement[]> {
  return mapLimited(found, AT_ONCE, async (one): Promise<Measurement> => {
    const measured: Measured = {};
    let lost: Error | null = null;
    let answered = 0;
    for (const [metric, field] of Object.entries(MEMBER_METRICS)) {
      const value = await missingWhenRefused(line, metric, async () => {
        const count = await memberCount(line, api, one, metric as MemberMetric);
        answered++;
        return count;
      }, (error) => lost = error);
      measured[field] = value;
    }
    if (answered === 0 && lost !== null) return { found: one, error: lost };
    return { found: one, measured: { ...measured, views: measured.impressions } };
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

/** One metric that fails does not void the others; one that is refused is not asked for again. */
async function missingWhenRefused(
  line: Line,
  metric: string,
  read: () => Promise<number | undefined>,
  onLoss: (error: Error) => void = () => {},
): Promise<number | undefined> {
  if (line.isRetired(metric)) return undefined;
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.fault === "tokenDead" || error.fault === "rateLimited") throw error;
    line.refuseMetric(metric, error);
    onLoss(error);
    return undefined;
  }
}
