/** Publishing one post: durable, resumable, safe to call again and again for the same attempt. */
import type { Service } from "../service.ts";

export interface PublishImage {
  /** Where the image lies in storage. */
  key: string;
  altText: string;
}

export interface PublishAttempt {
  /** One public post at most comes of one id, however often it is tried. */
  attemptId: string;
  brandId: string;
  accountId: string;
  format: "post" | "carousel" | "story";
  /** The whole public text. */
  text: string;
  images: PublishImage[];
  /** Instant at which the slot was claimed, ms. */
  claimedAt: number;
}

export type PublishOutcome =
  /** Public. `externalPostId` is null where the platform took it and its id can't be told. */
  | { state: "published"; externalPostId: string | null; url: string | null; publishedAt: string }
  /** The platform says no, for good: permission, dead token, policy, content. */
  | { state: "refused"; code: string; message: string }
  /** Not taken, for sure. Call again (same id) at `retryAt`, an instant in ms. */
  | { state: "later"; message: string; retryAt: number }
  /** Still at work, perhaps in another process: call again (same id) at `retryAt`. */
  | { state: "working"; message: string; retryAt: number }
  /** Perhaps taken; looking did not tell. Calling again (same id) only looks again. */
  | { state: "unknown"; message: string };

/** Works on the attempt for at most about 22 s and says how it stands. */
export function publishPost(
  _service: Service,
  _attempt: PublishAttempt,
): Promise<PublishOutcome> {
  return Promise.resolve({
    state: "refused",
    code: "unsupported",
    message: "This platform takes no posts.",
  });
}
