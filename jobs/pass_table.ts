/** What each scheduled pass does. Data only. */
import type { PassName } from "../domain/kv/passes.ts";
import { digestPass } from "./digest.ts";
import type { Pass } from "./pass.ts";
import { metricsPass } from "./refresh_metrics.ts";
import { seriesPass } from "./series_pass.ts";

export const PASSES: Record<PassName, Pass> = {
  metrics: metricsPass,
  series: seriesPass,
  digest: digestPass,
};
