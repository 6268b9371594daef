/** Metrics that the local Instagram refuses for a product, or for some of its posts, until told otherwise. */
import { z } from "zod";
import { transact } from "../../../domain/kv/transact.ts";

export const Product = z.enum(["FEED", "REELS", "STORY"]);
export type Product = z.output<typeof Product>;

export const MetricRefusal = z.object({
  product: Product,
  metric: z.string().min(1).max(60),
  /** Every so many posts, one is measured all the same; 0: none is. */
  spares: z.int().min(0).max(1_000).default(0),
  /** In which of Meta's forms it refuses. */
  words: z.enum(["product", "allowedValues", "mediaType", "none"]).default("product"),
});
export type MetricRefusal = z.output<typeof MetricRefusal>;

const MOST = 50;
const KEY: Deno.KvKey = ["sandbox", "instagram", "refusals"];

/** Adds a refusal; false when there are too many. */
export function addRefusal(kv: Deno.Kv, refusal: MetricRefusal): Promise<boolean> {
  return transact(kv, async (commit) => {
    const refusals = await commit.get<MetricRefusal[]>(KEY) ?? [];
    if (refusals.length >= MOST) return false;
    commit.set(KEY, [...refusals, refusal]);
    return true;
  });
}

export function clearRefusals(kv: Deno.Kv): Promise<void> {
  return transact(kv, (commit) => commit.delete(KEY));
}

/** The refusal that applies to one of these metrics of a post; null when none does. */
export async function refusalOf(
  kv: Deno.Kv,
  product: Product,
  metrics: string[],
  serial: number,
): Promise<MetricRefusal | null> {
  const refusals = (await kv.get<MetricRefusal[]>(KEY)).value ?? [];
  return refusals.find((one) =>
    one.product === product && metrics.includes(one.metric) &&
    (one.spares === 0 || serial % one.spares !== 0)
  ) ?? null;
}
