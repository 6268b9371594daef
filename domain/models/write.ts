/** Has a text written by the text model, checks the result and puts failures into our words. */
import { ServiceError } from "../foundation/errors.ts";
import { sentence } from "../foundation/text.ts";
import { ModelError, type TextModel, type WritingTask } from "./model.ts";

const RETRY_AFTER_S = 30;

/** @throws ServiceError `serviceUnavailable` if the text model fails or refuses */
export async function write<T>(
  { textModel }: { textModel: TextModel },
  task: WritingTask<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    const parsed = task.schema.safeParse(await textModel.write(task, signal));
    if (parsed.success) return parsed.data;
    throw new ModelError("The text model returned something unusable.", {
      transient: true,
      unusable: true,
    });
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { message, transient, retryAfter = RETRY_AFTER_S } = error;
    // A refusal says what to change; trying the same again would fail again.
    const end = transient ? "Nothing was changed; try again shortly." : "Nothing was changed.";
    throw new ServiceError("serviceUnavailable", `${sentence(message)} ${end}`, {
      cause: error,
      retryAfter,
    });
  }
}

/** Whether `write` threw because the model answered with something else than was asked for. */
export function isUnusable(error: unknown): boolean {
  return error instanceof ServiceError && error.cause instanceof ModelError && error.cause.unusable;
}

/** Whether `write` threw a refusal, so the same task would be refused again. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.cause instanceof ModelError &&
    !error.cause.transient;
}
