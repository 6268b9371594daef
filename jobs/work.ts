/** The work of a serving process: its worker, and the passes that are due. */
import type { Service } from "../domain/service.ts";
import { HANDLERS } from "./handlers.ts";
import { runDuePasses } from "./passes.ts";
import { Worker } from "./worker.ts";

export interface Work {
  worker: Worker;
  /** Looks for due jobs and passes now. */
  sweep(): Promise<void>;
}

/** Starts the worker and runs what is overdue. */
export function startWork(service: Service): Work {
  const worker = new Worker(service, HANDLERS);
  worker.start();
  const sweep = () => {
    worker.wake();
    return runDuePasses(service, worker);
  };
  void sweep();
  return { worker, sweep };
}
