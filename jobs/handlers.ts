/** Every kind of job and who runs it. Data only. */
import { deliver } from "./deliver.ts";
import { digest } from "./digest.ts";
import { publishSlotJob } from "./publish.ts";
import { generateHandler } from "./generate.ts";
import type { Handlers } from "./queue.ts";
import { refreshMetrics } from "./refresh_metrics.ts";
import { seriesJob } from "./series_pass.ts";
import { settleSlotJob } from "./settle.ts";
import { sweepFilesHandler } from "./sweep_files.ts";

export const HANDLERS: Handlers = {
  deliver,
  digest,
  metrics: refreshMetrics,
  publishSlot: publishSlotJob,
  series: seriesJob,
  settleSlot: settleSlotJob,
  sweepFiles: sweepFilesHandler,
  generate: generateHandler,
};
