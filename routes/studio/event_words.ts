/** Events in words: what happened, and of what. */
import { type Delivery, Webhook } from "../../domain/events/webhooks/shape.ts";

/** The types that a webhook can be sent. */
export const EVENT_TYPES = Webhook.shape.types.element.options;
export type EventType = Webhook["types"][number];

export const EVENT_WORDS: Record<NonNullable<Delivery["type"]>, string> = {
  "creation.completed": "A picture is made",
  "creation.failed": "A picture could not be made",
  "item.planned": "A post is planned",
  "item.ready": "A post is ready",
  "item.held": "A post needs somebody",
  "item.approved": "A post is approved",
  "item.published": "A post is published",
  "item.failed": "A post could not be published",
  "review.created": "An autopilot has reviewed its series",
  "account.expiring": "An account's sign-in ends soon",
  "account.reconnect": "An account has to be connected again",
  "post.discovered": "A new post was found on an account",
  "post.standing": "A young post does much better or worse than usual",
  "credits.low": "Credits are running out",
  "credits.exhausted": "Credits are used up",
  "key.created": "A key was made",
  "key.revoked": "A key was revoked",
  "webhook.test": "A test",
};

type Subject<Type> = Type extends `${infer One}.${string}` ? One : never;

/** What events are about, in the order in which a form shows them. */
export const EVENT_SUBJECTS: Record<Subject<EventType>, string> = {
  item: "Scheduled posts",
  creation: "Pictures",
  review: "Series",
  post: "Published posts",
  account: "Accounts",
  credits: "Credits",
  key: "Keys",
};
