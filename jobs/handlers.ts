/** Every kind of job and who runs it. Data only. */
import type { Handlers } from "./queue.ts";

export const HANDLERS: Handlers = {};
