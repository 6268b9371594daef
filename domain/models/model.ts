/** What the service needs of image and text models. `openai/` and the local models implement it. */
import type { z } from "zod";
import type { Size } from "../media/images/pixels.ts";

export interface Reference {
  /** `cast`: the same person in every picture; `inspiration`: mood and style. */
  kind: "cast" | "inspiration";
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
}

export interface ImageRequest {
  prompt: string;
  /** The wanted size. A model paints the nearest one that it supports. */
  size: Size;
  /** Cast first, because faces matter most and a server may ignore the last ones. */
  references: Reference[];
  /** Makes a deterministic painter repeatable, for example a creation's id and generation. */
  seed: string;
  signal: AbortSignal;
}

export interface PaintedImage {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
  /** True for our own JPEG of exactly the wanted size: it is stored as it is, others are cropped. */
  exact?: boolean;
}

export interface ImageModel {
  readonly name: string;
  /** How many images one process may have painted at the same time. */
  readonly atOnce: number;
  /** @throws ModelError if there is no image; anything else that is thrown is a fault of ours */
  paint(request: ImageRequest): Promise<PaintedImage>;
}

/** A text to write. A language model gets instructions and facts; the local writer calls `local`. */
export interface WritingTask<T> {
  /** `prompt`, `caption`, `playbook`: at most 64 of [A-Za-z0-9_-]. */
  name: string;
  instructions: string;
  /** `low` for short texts, about which a reasoning model need not think long. Absent: its default. */
  effort?: "low";
  /** The facts that the text may state, as plain data. */
  facts: unknown;
  /** Shape of the result: a strict schema, so closed and without optional fields. */
  schema: z.ZodType<T>;
  /** The local writer's result, which depends on the facts only. */
  local(): T;
}

export interface TextModel {
  readonly name: string;
  /** The local writer: it writes from the facts alone, so its texts are drafts. */
  readonly isLocal?: boolean;
  /** @throws ModelError */
  write<T>(task: WritingTask<T>, signal?: AbortSignal): Promise<T>;
}

/** A failure of a model. Its message may be shown to users. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  /** Whether another try may succeed: after a rate limit, server error, time-out or malformed result. */
  readonly transient: boolean;
  /** Seconds to wait before the next try, if the server named them. */
  readonly retryAfter: number | undefined;
  /** The most tries in all for such a failure, if fewer than usual. */
  readonly tries: number | undefined;
  /** Whether the model answered, with something that is not what was asked for. */
  readonly unusable: boolean;

  constructor(
    message: string,
    options: ErrorOptions & {
      transient: boolean;
      retryAfter?: number | undefined;
      tries?: number | undefined;
      unusable?: boolean;
    },
  ) {
    super(message, options);
    this.transient = options.transient;
    this.retryAfter = options.retryAfter;
    this.tries = options.tries;
    this.unusable = options.unusable ?? false;
  }
}
