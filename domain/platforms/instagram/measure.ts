/** Instagram's insights: one call a medium, a list of metrics a product type (PLATFORMS A.4). */
import { z } from "zod";
import { mapLimited } from "../limited.ts";
import type { Line } from "../line.ts";
import type { Found, Measured, Measurement } from "../platform.ts";
import { address, PlatformError } from "../wire.ts";

const METRICS: Record<string, readonly string[]> = {
  FEED: ["views", "reach", "likes", "comments", "shares", "saved"],
  REELS: ["views", "reach", "likes", "comments", "shares", "saved"],
  STORY: ["views", "reach", "shares", "replies", "link_clicks"],
};
const AT_ONCE = 4;

const Insights = z.object({
  data: z.array(z.object({
    name: z.string(),
    values: z.array(z.object({ value: z.unknown() })).optional(),
    total_value: z.object({ value: z.unknown() }).optional(),
  })),
});
type Numbers = Record<string, number | undefined>;

export function measureInstagram(
  line: Line,
  graph: string,
  found: Found[],
): Promise<Measurement[]> {
  let failuresInARow = 0;
  let over: Error | null = null;
  return mapLimited(found, AT_ONCE, async (one): Promise<Measurement> => {
    if (over !== null) return { found: one, error: over };
    try {
      const wanted = METRICS[one.hints.kind] ?? METRICS["FEED"]!;
      const url = `${graph}/${one.post.externalId}/insights`;
      const numbers = await ask(line, url, wanted.filter((metric) => !line.isRetired(metric)));
      failuresInARow = 0;
      return { found: one, measured: toMeasured(one, numbers), fault: null };
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      const aboutThisPost = error.fault === "unmeasurable" || error.fault === "badRequest";
      if (!aboutThisPost && (!isPassing(error) || ++failuresInARow >= 3)) over = error;
      return { found: one, error };
    }
  });
}

/** A fault that the next post may not meet. */
function isPassing(error: PlatformError): boolean {
  return error.fault === "transient" || error.fault === "malformed";
}

/** One refused metric fails the whole request: ask again without it, or in halves. */
async function ask(line: Line, url: string, metrics: readonly string[]): Promise<Numbers> {
  try {
    return await request(line, url, metrics);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.fault !== "badRequest") throw error;
    if (metrics.length === 1) throw error;
    const named = metrics.find((metric) => metric === error.names);
    if (named !== undefined) {
      line.missMetric(named, error);
      return await ask(line, url, metrics.filter((metric) => metric !== named));
    }
    line.service.log.warn("platform.metricRefused", {
      account: line.account.id,
      metric: "one of " + metrics.join(", "),
      code: error.code,
      message: error.message,
    });
    return await inHalves(line, url, metrics, error);
  }
}

async function inHalves(
  line: Line,
  url: string,
  metrics: readonly string[],
  refusal: PlatformError,
): Promise<Numbers> {
  const numbers: Numbers = {};
  const refused: string[] = [];
  const tryOut = async (part: readonly string[]): Promise<void> => {
    try {
      Object.assign(numbers, await request(line, url, part));
    } catch (error) {
      if (!(error instanceof PlatformError) || error.fault !== "badRequest") throw error;
      if (part.length === 1) return void refused.push(part[0]!);
      const middle = Math.ceil(part.length / 2);
      await tryOut(part.slice(0, middle));
      await tryOut(part.slice(middle));
    }
  };
  const middle = Math.ceil(metrics.length / 2);
  await tryOut(metrics.slice(0, middle));
  await tryOut(metrics.slice(middle));
  // Each of them refused: it is the medium that has no insights, not the metrics that are gone.
  if (refused.length === metrics.length) throw refusal;
  for (const metric of refused) line.missMetric(metric, refusal);
  return numbers;
}

async function request(line: Line, url: string, metrics: readonly string[]): Promise<Numbers> {
  const { data } = await line.read({ url: address(url, { metric: metrics.join(",") }) }, Insights);
  const numbers: Numbers = {};
  for (const { name, values, total_value: total } of data) {
    const value = values?.[0]?.value ?? total?.value;
    if (typeof value === "number") numbers[name] = value;
  }
  return numbers;
}

function toMeasured({ hints }: Found, numbers: Numbers): Measured {
  const { views, reach, shares } = numbers;
  // `impressions` is gone; the official replacement is `views`.
  const common = { views, impressions: views, reach, shares };
  if (hints.kind === "STORY") {
    return {
      ...common,
      likes: hints.likes,
      comments: numbers["replies"],
      clicks: numbers["link_clicks"],
    };
  }
  return {
    ...common,
    likes: numbers["likes"] ?? hints.likes,
    comments: numbers["comments"] ?? hints.comments,
    saves: numbers["saved"],
  };
}
