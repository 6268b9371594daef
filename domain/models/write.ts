/** One way to have something written: by the text model, checked again, its failures in our words. */
import { ServiceError } from "../errors.ts";
import type { Service } from "../service.ts";
import { sentence } from "../text.ts";
import { ModelError, type WritingTask } from "./model.ts";

const RETRY_AFTER_S = 30;

/** @throws ServiceError `serviceUnavailable` when the text model does not answer usably, or refuses */
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
    const { message, transient, retryAfter = RETRY_AFTER_S } = error;
    // A refusal says itself what to change; the same again would be refused again.
    const end = transient ? "Nothing was changed; try again shortly." : "Nothing was changed.";
    throw new ServiceError("serviceUnavailable", `${sentence(message)} ${end}`, {
      cause: error,
      retryAfter,
    });
  }
}

/** Whether what `write` threw was a refusal that the same task would meet again. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.cause instanceof ModelError &&
    !error.cause.transient;
}
