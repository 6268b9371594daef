/** What planned slots and one-off posts have in common. */
import type { StoredSlot } from "./records.ts";

type UntouchedField =
  | "status"
  | "regenerated"
  | "generation"
  | "creationIds"
  | "caption"
  | "hashtags"
  | "error"
  | "heldFor"
  | "publication"
  | "platform"
  | "socialAccountId"
  | "publishedAt"
  | "externalPostId"
  | "url"
  | "events";

/** What is true of every slot before anything has happened to it. */
export const NEW_SLOT: Pick<StoredSlot, UntouchedField> = {
  status: "planned",
  regenerated: false,
  generation: 0,
  creationIds: [],
  caption: "",
  hashtags: [],
  error: null,
  heldFor: null,
  publication: null,
  platform: null,
  socialAccountId: null,
  publishedAt: null,
  externalPostId: null,
  url: null,
  events: 0,
};
