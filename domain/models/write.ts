/** One way to have something written: by the text model, checked again, its failures in our words. */
import { ServiceError } from "../errors.ts";
import type { Service } from "../service.ts";
import { ModelError, type WritingTask } from "./model.ts";

const RETRY_AFTER_S = 30;

/** @throws ServiceError `serviceUnavailable` when the text model does not answer usably */
export async function write<T>(
  service: Pick<Service, "textModel">,
  task: WritingTask<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    const parsed = task.schema.safeParse(await service.textModel.write(task, signal));
    if (parsed.success) return parsed.data;
    throw new ModelError("The text model's answer has another shape.", { transient: true });
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    throw new ServiceError(
      "serviceUnavailable",
      `The text model did not answer: ${error.message} Nothing was changed; try again shortly.`,
      { cause: error, retryAfter: error.retryAfter ?? RETRY_AFTER_S },
    );
  }
}
