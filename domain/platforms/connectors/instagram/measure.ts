/** Instagram's insights: one call for each post, with the metrics of its kind (PLATFORMS A.4). */
import { z } from "zod";
import { mapLimited, type PlatformClient } from "../../contract/client.ts";
import type { Found, Measured, Measurement } from "../../contract/platform.ts";
import { address, PlatformError } from "../../contract/wire.ts";
import { refusedMetric } from "./refused_metric.ts";

/** Of feed posts and reels. */
const METRICS = ["views", "reach", "likes", "comments", "shares", "saved"];
const STORY_METRICS = ["views", "reach", "shares", "replies", "link_clicks"];
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
  client: PlatformClient,
  graph: string,
  found: Found[],
): Promise<Measurement[]> {
  let failuresInARow = 0;
  /** Set once no further call would succeed. */
  let over: Error | null = null;
  return mapLimited(found, AT_ONCE, async (one): Promise<Measurement> => {
    if (over !== null) return { found: one, error: over };
    try {
      const measurement = await measureOne(client, graph, one);
      failuresInARow = 0;
      return measurement;
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      const aboutThisPost = error.fault === "unmeasurable" || error.fault === "badRequest";
      if (!aboutThisPost && (!isRetryable(error) || ++failuresInARow >= 3)) over = error;
      return { found: one, error };
    }
  });
}

/** Whether the next post may succeed after this error. */
function isRetryable(error: PlatformError): boolean {
  return error.fault === "transient" || error.fault === "malformed";
}

async function measureOne(
  client: PlatformClient,
  graph: string,
  one: Found,
): Promise<Measurement> {
  const { product, kind } = one.hints;
  const wanted = kind === "STORY" ? STORY_METRICS : METRICS;
  const metrics = wanted.filter((metric) => !client.refusals.isRetired(product, metric));
  const asked: Asked = { client, product, url: `${graph}/${one.post.externalId}/insights` };
  const { numbers, read } = await askWarily(asked, metrics);
  for (const metric of read) client.refusals.noteRead(product, metric);
  return {
    found: one,
    measured: toMeasured(one, numbers),
    fault: null,
    isRefused: read.length < wanted.length,
  };
}

/** One post, whose insights are asked for. */
interface Asked {
  client: PlatformClient;
  product: string;
  url: string;
}

interface Read {
  /** What Instagram reported. It leaves out a metric without data. */
  numbers: Numbers;
  /** The metrics that it did not refuse. */
  read: readonly string[];
}

/** A metric that other posts of the product have refused is asked for alone, to save requests. */
async function askWarily(asked: Asked, metrics: readonly string[]): Promise<Read> {
  const { client, product } = asked;
  const suspects = metrics.filter((metric) => client.refusals.isSuspect(product, metric));
  const others = metrics.filter((metric) => !suspects.includes(metric));
  if (suspects.length === 0 || others.length === 0) return await ask(asked, metrics);
  const { numbers, read } = await ask(asked, others);
  const also: string[] = [];
  for (const suspect of suspects) {
    try {
      Object.assign(numbers, await request(asked, [suspect]));
      also.push(suspect);
    } catch (error) {
      if (!(error instanceof PlatformError) || error.fault !== "badRequest") throw error;
      client.missMetric(product, suspect, error);
    }
  }
  return { numbers, read: [...read, ...also] };
}

/** One refused metric fails the whole request, so it is repeated without it, or in halves. */
async function ask(asked: Asked, metrics: readonly string[]): Promise<Read> {
  try {
    return { numbers: await request(asked, metrics), read: metrics };
  } catch (error) {
    if (!(error instanceof PlatformError) || error.fault !== "badRequest") throw error;
    if (metrics.length === 1) throw error;
    const named = refusedMetric(error.names, metrics);
    if (named === null) return await inHalves(asked, metrics, error);
    asked.client.missMetric(asked.product, named, error);
    return await ask(asked, metrics.filter((metric) => metric !== named));
  }
}

async function inHalves(
  asked: Asked,
  metrics: readonly string[],
  refusal: PlatformError,
): Promise<Read> {
  const numbers: Numbers = {};
  const refused: string[] = [];
  const readPart = async (part: readonly string[]): Promise<void> => {
    try {
      Object.assign(numbers, await request(asked, part));
    } catch (error) {
      if (!(error instanceof PlatformError) || error.fault !== "badRequest") throw error;
      if (part.length === 1) return void refused.push(...part);
      const middle = Math.ceil(part.length / 2);
      await readPart(part.slice(0, middle));
      await readPart(part.slice(middle));
    }
  };
  const middle = Math.ceil(metrics.length / 2);
  await readPart(metrics.slice(0, middle));
  await readPart(metrics.slice(middle));
  // When each is refused, the post has no insights; the metrics themselves may still exist.
  if (refused.length === metrics.length) throw refusal;
  for (const metric of refused) asked.client.missMetric(asked.product, metric, refusal);
  return { numbers, read: metrics.filter((metric) => !refused.includes(metric)) };
}

async function request({ client, url }: Asked, metrics: readonly string[]): Promise<Numbers> {
  const { data } = await client.read(
    { url: address(url, { metric: metrics.join(",") }) },
    Insights,
  );
  const numbers: Numbers = {};
  for (const { name, values, total_value: total } of data) {
    const value = values?.[0]?.value ?? total?.value;
    if (typeof value === "number") numbers[name] = value;
  }
  return numbers;
}

function toMeasured({ hints }: Found, numbers: Numbers): Measured {
  const { views, reach, shares } = numbers;
  // Meta removed `impressions` and names `views` as its replacement.
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
