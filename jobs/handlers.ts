/** Every kind of job and who runs it. Data only. */
import type { Handlers } from "./queue.ts";
import { sweepFilesHandler } from "./sweep_files.ts";

export const HANDLERS: Handlers = {
  sweepFiles: sweepFilesHandler,
};
