/** What the service asks of image and text models; `openai/` and the local defaults answer it. */
import type { z } from "zod";
import type { Size } from "../images/pixels.ts";

export interface Reference {
  /** `cast`: the same person in every picture; `inspiration`: mood and style. */
  kind: "cast" | "inspiration";
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
}

export interface ImageRequest {
  prompt: string;
  /** The size we want; a model paints the nearest one it knows. */
  size: Size;
  /** Those of cast first: faces matter most, and a server may take fewer than it is sent. */
  references: Reference[];
  /** Makes a deterministic painter repeatable; a creation's id and generation, say. */
  seed: string;
  signal: AbortSignal;
}

export interface PaintedImage {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
  /** Our own JPEG of exactly the size asked for: stored as it is. Others are decoded and cropped. */
  exact?: boolean;
}

export interface ImageModel {
  readonly name: string;
  /** @throws ModelError when no picture came; anything else that is thrown is a fault of ours */
  paint(request: ImageRequest): Promise<PaintedImage>;
}

/** A piece of writing: a model gets instructions and facts; without one, `local` writes it. */
export interface WritingTask<T> {
  /** `prompt`, `caption`, `playbook`: at most 64 of [A-Za-z0-9_-]. */
  name: string;
  instructions: string;
  /** What the text must rest on; plain data. */
  facts: unknown;
  /** Shape of the answer, closed and without optional fields (a strict schema). */
  schema: z.ZodType<T>;
  /** The local writer's answer: deterministic from the facts. */
  local(): T;
}

export interface TextModel {
  readonly name: string;
  /** @throws ModelError */
  write<T>(task: WritingTask<T>, signal?: AbortSignal): Promise<T>;
}

/** A model that did not deliver. Its message may be shown to the people who use the service. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  /** Worth another try: rate limit, fault of the server, time-out, a malformed answer. */
  readonly transient: boolean;
  /** Seconds to wait before it, where the server said so. */
  readonly retryAfter: number | undefined;
  /** How often such a fault is worth trying in all, where that is less than usual. */
  readonly tries: number | undefined;

  constructor(
    message: string,
    options: ErrorOptions & {
      transient: boolean;
      retryAfter?: number | undefined;
      tries?: number | undefined;
    },
  ) {
    super(message, options);
    this.transient = options.transient;
    this.retryAfter = options.retryAfter;
    this.tries = options.tries;
  }
}
