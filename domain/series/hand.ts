/** What people have decided about one scheduled post: shapes only. Passes never overwrite it. */
import { z } from "zod";
import type { Overlay } from "../media/overlays/shape.ts";

/** What a person can set on a scheduled post. */
export const HandField = z.enum([
  "caption",
  "hashtags",
  "scheduledFor",
  "overlay",
  "altText",
  "creationIds",
  "socialAccountId",
]);
export type HandField = z.output<typeof HandField>;

/** A person released this content for publishing. It is void as soon as the content is another. */
export interface Approval {
  at: string;
  /** The name of the key or person. */
  by: string;
  contentHash: string;
}

/** Fields of a slot that only people set; absent until then, and in slots of earlier versions. */
export interface SetByHand {
  /** The fields that a person has set. */
  byHand?: HandField[];
  /** The instant for which it was planned, once a person has moved it. It keeps that place taken. */
  plannedFor?: string;
  /** Printed on its images in place of what the series says. */
  overlay?: Overlay | null;
  /** For people who can't see the images; null or absent: the idea of each image. */
  altText?: string | null;
  /** The account to publish to; null or absent: the series'. */
  accountId?: string | null;
  /** Not published unattended before a person has approved it. Series say so for all their posts. */
  needsApproval?: boolean;
  approval?: Approval | null;
}

/** Whether a person has set the field. */
export function isByHand({ byHand = [] }: SetByHand, ...fields: HandField[]): boolean {
  return fields.some((field) => byHand.includes(field));
}
