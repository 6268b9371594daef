/**
 * The events that others can wait for: what each says. They carry ids and short facts; whoever needs
 * more reads it by the id, so an event that comes late never tells an old state as the present one.
 */
import { z } from "zod";

const instant = z.iso.datetime();

const creation = {
  creationId: z.string(),
  itemId: z.string().nullable().describe("The scheduled post that it was made for."),
  seriesId: z.string().nullable(),
};

const Item = z.object({
  itemId: z.string(),
  seriesId: z.string().nullable().describe("Null: a one-off post."),
  status: z.string(),
  scheduledFor: instant,
  format: z.string(),
  creationIds: z.array(z.string()),
});

const Account = z.object({
  accountId: z.string(),
  platform: z.string(),
  handle: z.string(),
});

const Credits = z.object({
  allowance: z.int(),
  used: z.int(),
  remaining: z.int(),
  renewsAt: instant.describe("When the next month's credits come."),
});

const Post = z.object({ postId: z.string(), platform: z.string(), format: z.string() });

const Key = z.object({ keyId: z.string(), name: z.string() });

interface EventKind {
  /** When it happens, one sentence. */
  when: string;
  data: z.ZodObject;
}

const KINDS = {
  "creation.completed": {
    when: "An image is made: its addresses can be read.",
    data: z.object(creation),
  },
  "creation.failed": {
    when: "An image could not be made.",
    data: z.object({ ...creation, error: z.string().nullable() }),
  },
  "item.planned": {
    when: "A scheduled post was planned, or sent back for new images.",
    data: Item,
  },
  "item.ready": { when: "A scheduled post has its images and its caption.", data: Item },
  "item.held": {
    when: "A scheduled post waits for a person.",
    data: Item.extend({ heldFor: z.string().nullable(), error: z.string().nullable() }),
  },
  "item.approved": {
    when: "Somebody has approved a scheduled post.",
    data: Item.extend({ approvedBy: z.string().nullable() }),
  },
  "item.published": {
    when: "A scheduled post is public.",
    data: Item.extend({
      platform: z.string().nullable(),
      socialAccountId: z.string().nullable(),
      externalPostId: z.string().nullable(),
      url: z.string().nullable(),
      publishedAt: instant.nullable(),
    }),
  },
  "item.failed": {
    when: "A scheduled post could not be published, or nobody knows whether it was; it is held.",
    data: Item.extend({
      heldFor: z.string().nullable(),
      error: z.string().nullable(),
      code: z.string().nullable().describe("The platform's own code."),
      message: z.string().nullable().describe("The platform's own words."),
    }),
  },
  "review.created": {
    when: "An autopilot has reviewed its series.",
    data: z.object({ reviewId: z.string(), seriesId: z.string() }),
  },
  "account.expiring": {
    when: "A connected account must be connected again within 7 days.",
    data: Account.extend({ expiresAt: instant.nullable() }),
  },
  "account.reconnect": {
    when: "A platform no longer accepts an account's sign-in: nothing is read or published there.",
    data: Account.extend({ error: z.string().nullable() }),
  },
  "post.discovered": {
    when: "A post of the last 7 days was found on a connected account, with its first numbers.",
    data: Post.extend({ url: z.string().nullable(), publishedAt: instant }),
  },
  "post.standing": {
    when: "A post younger than 3 days does much better, or much worse, than like posts of its age.",
    data: Post.extend({
      ageHours: z.number(),
      percentile: z.number(),
      among: z.int().describe("With how many posts it was compared."),
      standing: z.enum(["high", "low"]).describe(
        "`high`: at or above the 90th percentile; `low`: at or below the 10th. Each once a post.",
      ),
    }),
  },
  "credits.low": { when: "80 % of the month's image credits are used.", data: Credits },
  "credits.exhausted": { when: "All of the month's image credits are used.", data: Credits },
  "key.created": {
    when: "An API key was made.",
    data: Key.extend({ scopes: z.array(z.string()) }),
  },
  "key.revoked": { when: "An API key was revoked.", data: Key },
} as const satisfies Record<string, EventKind>;

export type EventType = keyof typeof KINDS;
export type EventData = { [Type in EventType]: z.output<typeof KINDS[Type]["data"]> };

export const EVENT_KINDS: Record<EventType, EventKind> = KINDS;
export const EventType = z.enum(Object.keys(KINDS) as [EventType, ...EventType[]]);

/** What a webhook's test sends. It is in no list, and its type can't be asked for. */
export const TEST_TYPE = "webhook.test";

/** An event as stored, listed and sent. */
export interface StoredEvent {
  id: string;
  type: EventType | typeof TEST_TYPE;
  createdAt: string;
  brandId: string;
  data: Record<string, unknown>;
}

export const Event = z.object({
  id: z.string(),
  type: EventType,
  createdAt: instant,
  brandId: z.string(),
  data: z.record(z.string(), z.unknown()).describe(
    "What it tells, by type: see the section of webhooks.",
  ),
}).meta({ id: "Event" });
