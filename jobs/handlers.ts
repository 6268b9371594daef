/** Every kind of job with its handler. Data only. */
import { deliver } from "./deliver.ts";
import { deliverEvent, fanOut } from "./deliver_event.ts";
import { digest } from "./digest.ts";
import { publishSlotJob } from "./publish.ts";
import { generateHandler } from "./generate.ts";
import type { Handlers } from "./handler.ts";
import { passPage } from "./pass_pages.ts";
import { refreshMetrics } from "./refresh_metrics.ts";
import { reseal } from "./reseal.ts";
import { seriesJob } from "./series_pass.ts";
import { settleSlotJob } from "./settle.ts";
import { sweepFilesHandler } from "./sweep_files.ts";

export const HANDLERS: Handlers = {
  deliver,
  deliverEvent,
  digest,
  fanOut,
  metrics: refreshMetrics,
  passPage,
  publishSlot: publishSlotJob,
  series: seriesJob,
  reseal,
  settleSlot: settleSlotJob,
  sweepFiles: sweepFilesHandler,
  generate: generateHandler,
};
